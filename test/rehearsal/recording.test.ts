import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Recording, readRecording, recordingText, writeRecording } from '../../src/rehearsal/recording.ts';
import { parseScript } from '../../src/agents/script.ts';
import { tempDir } from '../support/temp.ts';

const id = 'ab'.repeat(20);
const recording = (more: Partial<Recording> = {}): Recording => ({
  recording: 1,
  forge: '0.1.0',
  run: 'a-run-k3f9',
  workflow: 'waves',
  workflowVersion: 1,
  base: id,
  input: { requirement: 'Do it' },
  settings: {},
  answers: [{ key: 'approve', option: 'yes' }],
  result: { status: 'done', reason: '', tree: id, changed: [], redacted: [] },
  entries: [{ when: { key: 'plan#1' }, took: '12ms', do: [{ reply: { a: 1 } }] }],
  ...more,
});

describe('a recording', () => {
  it('reads back as it was written, whatever was said and written in the run', () => {
    const file = join(tempDir(), 'recording.yaml');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('\r', '\n', ' ', '\t', '-', ':', '#', '"', "'", '|', '\u0085', '\u2028', '\ufeff', 'a'),
      }),
    );
    fc.assert(
      fc.property(text, text, (said, content) => {
        const entries = [{ when: { key: 'k' }, do: [{ say: said }, { write: { path: 'a', content } }] }];
        const whole = recording({ entries, input: { requirement: said } });
        writeFileSync(file, recordingText(whole));
        expect(readRecording(file)).toEqual(whole);
        expect(parseScript(recordingText(whole), 'recording').entries[0]?.steps).toEqual([
          { step: 'say', text: said },
          { step: 'write', path: 'a', content },
        ]);
      }),
    );
  });

  it('is written over another recording, and over nothing else', () => {
    const file = join(tempDir(), 'recording.yaml');
    writeRecording(file, recording());
    writeRecording(file, recording({ run: 'other' }));
    expect(readRecording(file).run).toBe('other');
    writeFileSync(file, 'precious: true\n');
    expect(() => writeRecording(file, recording())).toThrow('already exists and is not a recording');
    expect(() => writeRecording(join(file, 'below'), recording())).toThrow('cannot be written');
  });

  it.each([
    ['', 'cannot be rehearsed'],
    ['{', 'is not YAML'],
    ['a: &a [*a, *a]', 'cannot be rehearsed'],
    [recordingText(recording()).replace('recording: 1', 'recording: 7'), 'made by a newer Forge (recording 7)'],
    [recordingText(recording()).replace(`base: ${id}`, 'base: main'), 'base: '],
    [recordingText(recording()).replace('answers:', 'replies:'), 'cannot be rehearsed'],
  ])('is refused with the reason: %j', (text, reason) => {
    const file = join(tempDir(), 'recording.yaml');
    writeFileSync(file, text);
    expect(() => readRecording(file)).toThrow(reason);
  });
});
