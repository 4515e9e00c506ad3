/** Tasks that a task at work adds to its schedule: a task splits, an owner is pulled forward and waited for. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bench, ScheduleLane, WorkflowResult } from '../../src/engine/bench.ts';
import type { Fact, TaskOutcome } from '../../src/engine/facts.ts';
import { readJournalFile } from '../../src/engine/files/journal-file.ts';
import { tasksToRetry } from '../../src/engine/reopen.ts';
import { foldRun } from '../../src/engine/run-state.ts';
import { runSchedule, type ScheduleHooks } from '../../src/engine/schedule.ts';
import type { Task } from '../../src/plan/plan.ts';
import { tempDir } from '../support/temp.ts';
import { base, fakeHost, identity, makeEngine, other, request, task } from './support.ts';

const hooks: ScheduleHooks = {
  recorded: () => undefined,
  started: () => {},
  ended: () => {},
  added: [],
  add: () => true,
  wait: (_task, wait) => wait,
};
const ok = (id: string): TaskOutcome => ({ task: id, status: 'done', reason: '' });
const failed = (id: string): TaskOutcome => ({ task: id, status: 'failed', reason: 'red' });

async function log(
  tasks: readonly Task[],
  limit: number,
  work: (task: Task, lane: ScheduleLane, log: string[]) => Promise<TaskOutcome>,
  barriers = false,
) {
  const lines: string[] = [];
  const outcomes = await runSchedule(tasks, { limit, barriers }, hooks, async (one, lane) => {
    lines.push(`+${one.id}`);
    const outcome = await work(one, lane, lines);
    lines.push(`-${one.id}`);
    return outcome;
  });
  return { lines, outcomes };
}

describe('a schedule that grows', () => {
  it('lets a task split: it gives its place to its parts, and what depends on it waits for all of them', async () => {
    const tasks = [task('T3', { writes: ['src'] }), task('T4', { depends: ['T3'] })];
    const { lines, outcomes } = await log(tasks, 1, async ({ id }, lane) => {
      if (id !== 'T3') return ok(id);
      const parts = [task('T3.1', { writes: ['src'] }), task('T3.2', { writes: ['src'], depends: ['T3.1'] })];
      await lane.add(parts);
      const ended = await lane.waitFor(['T3.1', 'T3.2']);
      return ended.every(({ status }) => status === 'done') ? ok('T3') : failed('T3');
    });
    expect(lines).toEqual(['+T3', '+T3.1', '-T3.1', '+T3.2', '-T3.2', '-T3', '+T4', '-T4']);
    expect(outcomes.map(({ task: id, status }) => `${id} ${status}`)).toEqual([
      'T3 done',
      'T4 done',
      'T3.1 done',
      'T3.2 done',
    ]);
  });

  it('pulls a later task and what it needs forward, before others and past a barrier', async () => {
    const tasks = [
      task('A', { expectedMinutes: 1 }),
      task('B', { expectedMinutes: 50 }),
      task('N', { depends: ['A0'], expectedMinutes: 1 }),
      task('A0', { expectedMinutes: 1 }),
      task('C', { depends: ['B'] }),
    ];
    const { lines } = await log(
      tasks,
      1,
      async ({ id }, lane) => {
        if (id === 'B') expect(await lane.waitFor(['N'])).toEqual([ok('N')]);
        return ok(id);
      },
      true,
    );
    expect(lines.slice(0, 6)).toEqual(['+B', '+A0', '-A0', '+N', '-N', '-B']);
  });

  it('answers blocked where the other one waits for this one, by plan or by waiting itself', async () => {
    const { outcomes } = await log([task('A'), task('B', { depends: ['A'] })], 2, async ({ id }, lane) => {
      if (id === 'B') return ok('B');
      const [waited] = await lane.waitFor(['B']);
      expect(waited).toEqual({ task: 'B', status: 'blocked', reason: 'B waits for A itself' });
      return ok('A');
    });
    expect(outcomes).toEqual([ok('A'), ok('B')]);
    const crossed = await log([task('A'), task('B')], 2, async ({ id }, lane) => {
      const [waited] = await lane.waitFor([id === 'A' ? 'B' : 'A']);
      return { ...ok(id), reason: waited?.status ?? '' };
    });
    expect(crossed.outcomes.map(({ reason }) => reason).sort()).toEqual(['blocked', 'done']);
  });

  it('refuses a task that is there already, and one that nobody scheduled', async () => {
    const add = log([task('A'), task('B')], 1, async ({ id }, lane) => {
      await lane.add([task('B')]);
      return ok(id);
    });
    await expect(add).rejects.toThrow('The task B is scheduled twice');
    const wait = log([task('A')], 1, async ({ id }, lane) => {
      await lane.waitFor(['Z']);
      return ok(id);
    });
    await expect(wait).rejects.toThrow('A waits for Z, which is not in its schedule');
  });

  it('skips an added task whose dependency was not done', async () => {
    const { outcomes } = await log([task('A')], 2, async ({ id }, lane) => {
      if (id !== 'A') return failed(id);
      await lane.add([task('A.1'), task('A.2', { depends: ['A.1'] })]);
      const ended = await lane.waitFor(['A.2']);
      return { ...failed('A'), reason: ended[0]?.status ?? '' };
    });
    expect(outcomes.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
      'failed skipped',
      'failed red',
      'skipped depends on A.1, which is failed',
    ]);
  });
});

/** T1 reads, splits into T1.1 and T1.2, waits for both, and reads once more. */
async function splitting(bench: Bench): Promise<WorkflowResult> {
  const outcomes = await bench.schedule(
    [task('T1'), task('T2', { depends: ['T1'] })],
    { limit: 1 },
    async (one, lane) => {
      const { id } = one;
      const { commit } = await bench.perform('integration.read', `${id}/base`, { task: id });
      if (commit === other) return failed(id);
      if (id !== 'T1') return ok(id);
      await lane.add([task('T1.1'), task('T1.2')]);
      const parts = await lane.waitFor(['T1.1', 'T1.2']);
      if (parts.some(({ status }) => status !== 'done')) return failed('T1');
      await bench.perform('integration.read', 'T1/after', { task: id });
      return ok('T1');
    },
  );
  const isDone = outcomes.every(({ status }) => status === 'done');
  return { status: isDone ? 'done' : 'failed', output: outcomes.map(({ task: id, status }) => `${id} ${status}`) };
}

const factsOf = (runs: string): readonly Fact[] => readJournalFile(join(runs, 'r1', 'journal.jsonl')).facts;

function engineFor(runs: string, broken: () => string | undefined, performed: string[] = []) {
  const read = {
    perform: async (_request: unknown, { key }: { key: string }) => {
      performed.push(key);
      return { commit: key === broken() ? other : base, judge: base };
    },
  };
  return makeEngine({ runs, work: splitting, read, host: fakeHost(identity(2), new Set([2])) });
}

const all = ['T1 done', 'T2 done', 'T1.1 done', 'T1.2 done'];

describe('a schedule that grew', () => {
  it('comes to the same end from every fact it was killed after', async () => {
    const runs = join(tempDir(), 'runs');
    const end = await (await engineFor(runs, () => undefined).start(request())).ended;
    expect(end).toMatchObject({ status: 'done', output: all });
    const lines = readFileSync(join(runs, 'r1', 'journal.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeGreaterThan(15);
    for (let kept = 2; kept < lines.length; kept += 1) {
      const again = join(tempDir(), 'runs');
      cpSync(runs, again, { recursive: true });
      writeFileSync(join(again, 'r1', 'journal.jsonl'), `${lines.slice(0, kept).join('\n')}\n`);
      const resumed = await (await engineFor(again, () => undefined).resume('r1')).ended;
      expect(resumed, `killed after line ${kept}`).toMatchObject({ status: 'done', output: all });
      const added = factsOf(again).filter((fact) => fact.type === 'tasks.scheduled' && fact.data.added !== undefined);
      expect(added).toHaveLength(1);
    }
  });

  it('tries only the part again that failed, and goes on where the whole waited', async () => {
    const runs = join(tempDir(), 'runs');
    let broken: string | undefined = 'T1.2/base';
    const performed: string[] = [];
    const engine = engineFor(runs, () => broken, performed);
    const end = await (await engine.start(request())).ended;
    expect(end).toMatchObject({ status: 'failed', output: ['T1 failed', 'T2 skipped', 'T1.1 done', 'T1.2 failed'] });
    expect(tasksToRetry(foldRun(factsOf(runs)))).toEqual(['T1.2']);
    broken = undefined;
    performed.length = 0;
    const retried = await (await engine.retry('r1', ['T1.2'])).ended;
    expect(retried).toMatchObject({ status: 'done', output: all });
    expect(performed).toEqual(['T1.2/base', 'T1/after', 'T2/base']);
  });

  it('adds anew what a task had added that is tried again itself', async () => {
    const runs = join(tempDir(), 'runs');
    let broken: string | undefined = 'T1.2/base';
    const performed: string[] = [];
    const engine = engineFor(runs, () => broken, performed);
    await (await engine.start(request())).ended;
    broken = undefined;
    performed.length = 0;
    expect(await (await engine.retry('r1', ['T1'])).ended).toMatchObject({ status: 'done', output: all });
    expect(performed).toEqual(['T1/base', 'T1.1/base', 'T1.2/base', 'T1/after', 'T2/base']);
  });
});
