import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNote } from '../src/notes.js';

test('a note keeps its text', () => {
  assert.deepEqual(createNote(1, ' milk '), { id: 1, text: 'milk' });
});

test('a note needs a text', () => {
  assert.throws(() => createNote(1, ' '), /needs a text/);
});
