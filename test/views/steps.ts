/** Facts as tests write them down, appended through the real journal: one fact takes one second. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact, FactInput, FactType } from '../../src/engine/facts.ts';
import { Journal } from '../../src/engine/files/journal.ts';
import { readJournal } from '../../src/engine/files/read-journal.ts';
import { countingClock } from '../support/clock.ts';
import { tempDir } from '../support/temp.ts';

export type Step = { [T in FactType]: readonly [T, string, FactInput<T>] }[FactType];

export function factsFrom(steps: readonly Step[]): readonly Fact[] {
  const file = join(tempDir('forge-views'), 'j.jsonl');
  const journal = Journal.create({ file, clock: countingClock('2026-04-28T09:59:59.000Z'), unsafeNoSync: true });
  for (const [type, key, data] of steps) journal.append(type, key, data);
  journal.close();
  return readJournal(readFileSync(file), { file }).facts;
}

const created: Step = [
  'run.created',
  '',
  {
    run: 'search-notes-x1y2',
    title: 'Search the notes by words.',
    workflow: 'own',
    workflowVersion: 1,
    base: '0'.repeat(40),
    branch: 'main',
    root: '/repo',
    input: { requirement: 'Search the notes by words.\nBest match first.', slug: 'search-notes' },
    settings: { agents: { worker: { driver: 'scripted', script: 'script.json' } }, checks: { run: ['npm test'] } },
    forge: '0.1.0',
  },
];

/** A process begins to work on the run. */
export const opened: Step = [
  'run.opened',
  '',
  {
    holder: { pid: 1, startTime: '1', bootId: 'b', host: 'h' },
    epoch: 1,
    forge: '0.1.0',
    workflowVersion: 1,
    jail: 'bubblewrap',
  },
];

/** A run of any workflow, at work. */
export const opening: readonly Step[] = [created, opened];

export const commitOf = (digit: string): string => digit.repeat(40);
const usage = { inputTokens: 12_000, outputTokens: 800, costUsd: 0.06, turns: 3 };

export function effect(kind: string, key: string, input: unknown, output: unknown): Step[] {
  return [started(kind, key, input), finished(key, output)];
}

export function started(kind: string, key: string, input: unknown = {}): Step {
  return ['effect.started', key, { kind, attempt: 1, input: input as null }];
}

export function finished(key: string, output: unknown): Step {
  return ['effect.finished', key, { attempt: 1, output: output as null }];
}

export interface Session {
  readonly role: string;
  readonly reply: unknown;
  readonly attempt?: number;
  readonly commit?: string;
  readonly changes?: readonly { path: string; status: string }[];
}

export function agent(
  key: string,
  { role, reply, attempt = 1, commit = commitOf('a'), changes = [] }: Session,
): Step[] {
  const outcome =
    reply === undefined
      ? { status: 'silent', exit: 0, usage, durationMs: 900, session: `s-${role}` }
      : { status: 'replied', reply, usage, durationMs: 900, session: `s-${role}` };
  return effect('agent.run', key, { role, attempt }, { outcome, commit, changes, leftBehind: [], agentCommits: [] });
}

export function check(
  key: string,
  status: 'passed' | 'failed' | 'unverified',
  tests: { passed: number; failing?: string[] },
): Step[] {
  const failing = tests.failing ?? [];
  const reason =
    failing.length === 0
      ? `exit 0, ${tests.passed} tests pass`
      : `exit 1, ${failing.length} of ${tests.passed + failing.length} tests fail`;
  const counts = { passed: tests.passed, failed: failing.length, skipped: 0, failing };
  const command = {
    argv: ['npm', 'test'],
    label: 'npm test',
    cwd: '.',
    exit: failing.length === 0 ? 0 : 1,
    status,
    reason,
    durationMs: 700,
    counts,
    newFailures: failing,
    output: '',
    cached: false,
  };
  return effect(
    'check.run',
    key,
    {},
    {
      commit: commitOf('a'),
      tree: commitOf('b'),
      judge: commitOf('0'),
      source: 'settings',
      status,
      commands: [command],
      checkChanged: [],
    },
  );
}

export function evidence(key: string, redGreen: readonly unknown[] = [], findings: readonly unknown[] = []): Step[] {
  return effect('evidence.measure', key, {}, { redGreen, findings });
}

export function merge(
  task: string,
  landed: string,
  more: { changed: readonly string[]; flags?: readonly unknown[] },
): Step[] {
  const key = `${task}/integrate#1`;
  const changed = more.changed.map((path) => ({ path, status: 'added' }));
  const receipt = {
    task,
    declared: [],
    changed,
    flags: more.flags ?? [],
    leftBehind: [],
    before: commitOf('0'),
    after: landed,
    source: commitOf('a'),
    base: commitOf('0'),
    checks: [{ label: 'npm test', status: 'passed' }],
  };
  return [
    ...effect(
      'merge.prepare',
      `${key}/prepare`,
      {},
      { status: 'ready', commit: landed, before: commitOf('0'), changes: changed },
    ),
    ...check(`${key}/check`, 'passed', { passed: 14 }),
    ...effect('merge.land', `${key}/land`, {}, { status: 'merged', receipt }),
  ];
}

/** A moment after the last fact. */
export function after(facts: readonly Fact[], seconds: number): Date {
  return new Date(Date.parse(facts.at(-1)?.at ?? '') + seconds * 1000);
}
