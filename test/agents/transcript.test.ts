import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTranscript, parseTranscript, recordUsage } from '../../src/agents/transcript.ts';
import { transcriptName } from '../../src/agents/transcript-name.ts';
import { FileArtifacts } from '../../src/engine/files/file-artifacts.ts';
import { createRedactor } from '../../src/process/redact.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'forge-transcript-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const redactor = createRedactor({ API_TOKEN: 'swordfish-42' });
const open = ({ key = 'T3/develop#2', ...detail }: { key?: string; maxBytes?: number } = {}) => {
  const name = transcriptName(key);
  const lines = new FileArtifacts(directory).append(name);
  const transcript = openTranscript({ lines, redactor, now: () => 0, ...detail });
  return { ...transcript, file: join(directory, name) };
};
const readTranscript = (file: string) => parseTranscript(readFileSync(file));

test('entries come back as written, with the time and without secrets', async () => {
  const transcript = open();
  transcript.append({ type: 'text', text: 'the key is swordfish-42' });
  transcript.append({
    type: 'tool',
    text: 'wrote',
    tool: { name: 'write', paths: ['a/swordfish-42'], status: 'done' },
  });
  await transcript.close();
  const at = '1970-01-01T00:00:00.000Z';
  expect(readTranscript(transcript.file)).toEqual({
    torn: false,
    records: [
      { at, type: 'text', text: 'the key is [redacted:API_TOKEN]' },
      { at, type: 'tool', text: 'wrote', tool: { name: 'write', paths: ['a/[redacted:API_TOKEN]'], status: 'done' } },
    ],
  });
  expect(statSync(transcript.file).mode & 0o777).toBe(0o600);
});

test('a later attempt continues the file; a torn line is tolerated by the reader and dropped by the writer', async () => {
  const first = open();
  first.append({ type: 'text', text: 'one' });
  await first.close();
  appendFileSync(first.file, '{"at":"19');
  expect(readTranscript(first.file)).toMatchObject({ torn: true, records: [{ text: 'one' }] });
  const second = open();
  second.append({ type: 'text', text: 'two' });
  await second.close();
  expect(readTranscript(first.file)).toMatchObject({ torn: false, records: [{ text: 'one' }, { text: 'two' }] });
});

test('each turn says what it used, also when another session counts from the beginning', () => {
  const texts: string[] = [];
  const tell = recordUsage(({ type, text }) => texts.push(`${type}: ${text}`));
  tell({ inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 });
  tell({ inputTokens: 1000, outputTokens: 100, costUsd: 0.02, turns: 1 });
  tell({ inputTokens: 1000, outputTokens: 100, costUsd: 0.02, turns: 1 });
  tell({ inputTokens: 2500, outputTokens: 150, costUsd: 0.52, turns: 2 });
  tell({ inputTokens: 10, outputTokens: 5, costUsd: 0, turns: 1 });
  expect(texts).toEqual([
    'usage: 1000 tokens in, 100 out, $0.0200',
    'usage: 1500 tokens in, 50 out, $0.50',
    'usage: 10 tokens in, 5 out',
  ]);
});

test('nothing has no records, and foreign lines are skipped', async () => {
  expect(parseTranscript(Buffer.alloc(0))).toEqual({ records: [], torn: false });
  const transcript = open();
  transcript.append({ type: 'note', text: 'kept' });
  await transcript.close();
  writeFileSync(transcript.file, `garbage\n{"type":"dance"}\n${readFileSync(transcript.file, 'utf8')}`);
  expect(readTranscript(transcript.file).records.map(({ text }) => text)).toEqual(['kept']);
});

test('it stays within its size and says where it ends', async () => {
  const transcript = open({ maxBytes: 1000 });
  for (let count = 0; count < 100; count += 1) transcript.append({ type: 'output', text: 'x'.repeat(80) });
  await transcript.close();
  const { records } = readTranscript(transcript.file);
  expect(records.at(-1)).toMatchObject({ type: 'note', text: 'The transcript ends here: it reached 1000 bytes.' });
  expect(records.length).toBeLessThan(9);
  const one = open({ key: 'huge' });
  one.append({ type: 'text', text: 'y'.repeat(1_000_000) });
  await one.close();
  expect(statSync(one.file).size).toBeLessThan(70_000);
});

test('any key makes one plain file name, and different keys different ones', async () => {
  expect(transcriptName('T3/develop#2')).toMatch(/^transcripts\/T3-develop-2\.[0-9a-f]{12}\.jsonl$/);
  expect(transcriptName('a/b')).not.toBe(transcriptName('a-b'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (key) => {
      expect(transcriptName(key)).toMatch(/^transcripts\/[A-Za-z0-9_-]{0,100}\.[0-9a-f]{12}\.jsonl$/);
    }),
  );
  await open({ key: '../../../etc/passwd' }).close();
  expect(readdirSync(join(directory, 'transcripts'))).toHaveLength(1);
});
