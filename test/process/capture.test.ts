import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Capture } from '../../src/process/capture.ts';
import type { Captured } from '../../src/process/process.ts';

function capture(chunks: readonly (string | Buffer)[], headBytes = 4, tailBytes = 4): Captured {
  const kept = new Capture({ headBytes, tailBytes });
  for (const chunk of chunks) kept.push(Buffer.from(chunk as string));
  return kept.captured();
}

describe('Capture', () => {
  test('keeps a short stream whole', () => {
    expect(capture(['ab', 'cdef', 'gh'])).toEqual({
      head: 'abcdefgh',
      tail: '',
      totalBytes: 8,
      droppedBytes: 0,
      text: 'abcdefgh',
    });
  });

  test('says in one line how much was left out', () => {
    expect(capture(['abcdefghij'])).toEqual({
      head: 'abcd',
      tail: 'ghij',
      totalBytes: 10,
      droppedBytes: 2,
      text: 'abcd\n[... 2 bytes left out ...]\nghij',
    });
  });

  test('keeps nothing when told so, and counts', () => {
    expect(capture(['abc', 'def'], 0, 0)).toEqual({
      head: '',
      tail: '',
      totalBytes: 6,
      droppedBytes: 6,
      text: '[... 6 bytes left out ...]',
    });
  });

  test('never cuts a character in two', () => {
    expect(capture(['aaa€bbbbbbb€ccc'], 4, 5)).toEqual({
      head: 'aaa',
      tail: 'ccc',
      totalBytes: 19,
      droppedBytes: 13,
      text: 'aaa\n[... 13 bytes left out ...]\nccc',
    });
  });

  test('joins a character that arrived in two pieces', () => {
    const bytes = Buffer.from('a€b');
    expect(capture([bytes.subarray(0, 2), bytes.subarray(2)], 2, 8).text).toBe('a€b');
  });

  test('any text in any pieces: valid, bounded, nothing invented', () => {
    const pieces = fc.array(
      fc.string({ unit: 'binary', maxLength: 30 }).map((text) => Buffer.from(text)),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(pieces, fc.nat(20), fc.nat(20), (chunks, headBytes, tailBytes) => {
        const whole = Buffer.concat(chunks).toString('utf8');
        const kept = capture(chunks, headBytes, tailBytes);
        expect(kept.totalBytes).toBe(Buffer.byteLength(whole));
        expect(Buffer.byteLength(kept.head) + Buffer.byteLength(kept.tail) + kept.droppedBytes).toBe(kept.totalBytes);
        expect(whole.startsWith(kept.head)).toBe(true);
        expect(whole.endsWith(kept.tail)).toBe(true);
        if (kept.droppedBytes === 0) expect(kept.text).toBe(whole);
        else expect(Buffer.byteLength(kept.head + kept.tail)).toBeLessThanOrEqual(headBytes + tailBytes);
      }),
    );
  });

  test('takes a million small pieces in bounded time and memory', () => {
    const kept = new Capture({ headBytes: 10, tailBytes: 10 });
    const piece = Buffer.from('x');
    for (let count = 0; count < 1_000_000; count += 1) kept.push(piece);
    expect(kept.captured().droppedBytes).toBe(999_980);
  });
});
