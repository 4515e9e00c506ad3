import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseScript, type Script } from '../../src/agents/script.ts';
import { claimEntry } from '../../src/agents/script-claims.ts';
import type { MatchedJob } from '../../src/agents/script-match.ts';
import { ForgeError } from '../../src/errors.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'forge-claims-'));
  file = join(directory, 'claims.jsonl');
});
afterEach(() => rmSync(directory, { recursive: true }));

const job = (key: string, detail: Partial<MatchedJob> = {}): MatchedJob => ({
  run: 'r1',
  key,
  role: 'developer',
  task: 'T1',
  attempt: 1,
  ...detail,
});
const take = (script: Script, face: MatchedJob) => {
  const claim = claimEntry(script, file, face);
  return 'entry' in claim ? claim.entry.number : claim.exhausted;
};

test('each job takes the first unused entry that matches', () => {
  const script = parseScript(
    `- { when: { role: reviewer }, do: [] }
- { when: { role: developer, task: T2 }, do: [] }
- { when: { role: dev*, task: "T[12]" }, do: [] }
- { when: { key: "T1/*#2", attempt: "{2,3}" }, do: [] }
- { do: [] }`,
    'a.yaml',
  );
  expect([
    take(script, job('T1/develop#1')),
    take(script, job('T1/develop#2', { attempt: 2 })),
    take(script, job('T2/develop#1', { task: 'T2' })),
    take(script, job('plan#1', { role: 'planner', task: undefined })),
    take(script, job('T1/review#1', { role: 'reviewer' })),
  ]).toEqual([3, 4, 2, 5, 1]);
});

test('a key with glob characters can be written exactly, and a job without task matches no task', () => {
  const script = parseScript('[{when: {task: "*"}, do: []}, {when: {key: "a(b/[c]#1"}, do: []}]', 'a');
  expect(take(script, job('a(b/[c]#1', { task: undefined }))).toBe(2);
});

test('the same key and attempt gets the same entry again, another attempt the next', () => {
  const script = parseScript('[{do: []}, {do: [say: a]}, {do: [say: b]}]', 'a');
  expect(take(script, job('k'))).toBe(1);
  const written = readFileSync(file, 'utf8');
  expect(take(script, job('k'))).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(written);
  expect(take(script, job('k', { attempt: 2 }))).toBe(2);
  expect(take(script, job('other'))).toBe(3);
});

test('says what was asked for and which entries came near', () => {
  const script = parseScript(
    `- { when: { role: developer, task: T1 }, do: [] }
- { when: { role: developer, attempt: 2 }, do: [] }
- { when: { role: reviewer, task: T9 }, do: [] }`,
    'a.yaml',
  );
  take(script, job('T1/develop#1'));
  expect(take(script, job('T1/develop#3', { attempt: 3 }))).toBe(
    'a.yaml has no unused entry for role developer, task T1, attempt 3 (key T1/develop#3). ' +
      'Near: entry 1 was used by T1/develop#1; entry 2 wants attempt 2. ' +
      'Add an entry for it, or let one serve again with repeat: true.',
  );
  expect(take(parseScript('[]', 'b.yaml'), job('k', { task: undefined }))).toBe(
    'b.yaml has no unused entry for role developer, no task, attempt 1 (key k). ' +
      'Add an entry for it, or let one serve again with repeat: true.',
  );
});

test('a torn last line was never acknowledged: it is dropped and its entry is free', () => {
  const script = parseScript('[{do: []}, {do: [say: a]}]', 'a');
  take(script, job('first'));
  const whole = readFileSync(file, 'utf8');
  appendFileSync(file, '{"key":"second","attempt":1,"ent');
  expect(take(script, job('third'))).toBe(2);
  expect(readFileSync(file, 'utf8').slice(whole.length)).toMatch(/^\{"key":"third",.*\}\n$/);
});

test('any other broken line is reported with its number', () => {
  writeFileSync(file, '{"key":"k"}\n');
  const act = () => take(parseScript('[{do: []}]', 'a'), job('k'));
  expect(act).toThrow(ForgeError);
  expect(act).toThrow(`${file}: line 1 does not name an entry of a script`);
});

test('claims follow their entries when the script is edited between two resumes', () => {
  const before = parseScript('[{do: [say: a]}, {do: [say: b]}]', 'a');
  take(before, job('one'));
  take(before, job('two'));
  const after = parseScript('[{do: [say: new]}, {do: [say: b]}, {do: [say: a]}, {do: [say: b]}]', 'a');
  expect([
    take(after, job('one')),
    take(after, job('two')),
    take(after, job('three')),
    take(after, job('four')),
  ]).toEqual([3, 2, 1, 4]);
});

test('no two jobs ever share an entry, whatever order they ask in and however often', () => {
  const script = parseScript(JSON.stringify(Array.from({ length: 6 }, () => ({ do: [] }))), 'a');
  fc.assert(
    fc.property(fc.array(fc.nat(8), { maxLength: 30 }), (asked) => {
      rmSync(file, { force: true });
      const answers = new Map<number, Set<number | string>>();
      for (const key of asked) answers.set(key, (answers.get(key) ?? new Set()).add(take(script, job(`k${key}`))));
      const given = [...answers.values()].flatMap((set) => [...set]).filter((answer) => typeof answer === 'number');
      expect(new Set(given).size).toBe(given.length);
      expect(given.length).toBe(Math.min(6, answers.size));
    }),
    { numRuns: 30 },
  );
});
