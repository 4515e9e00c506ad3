import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskOutcome } from '../../src/engine/facts.ts';
import { runSchedule, type ScheduleHooks } from '../../src/engine/schedule.ts';
import { writesOverlap } from '../plan/writes-overlap.ts';
import type { Task } from '../../src/plan/plan.ts';
import { task } from './support.ts';

const noHooks: ScheduleHooks = {
  recorded: () => undefined,
  started: () => {},
  ended: () => {},
  added: [],
  add: () => true,
  wait: (_task, wait) => wait,
};
const ok = (id: string): TaskOutcome => ({ task: id, status: 'done', reason: '' });

/** Runs tasks in simulated time: each takes its expected minutes; returns the log and the makespan. */
async function simulate(tasks: readonly Task[], limit: number, barriers = false) {
  const running: { task: Task; until: number; finish: () => void }[] = [];
  const log: string[] = [];
  let now = 0;
  let most = 0;
  const work = (one: Task): Promise<TaskOutcome> =>
    new Promise((resolve) => {
      for (const { task: other } of running) expect(writesOverlap(other.writes, one.writes)).toBe(false);
      running.push({ task: one, until: now + (one.expectedMinutes ?? 1), finish: () => resolve(ok(one.id)) });
      most = Math.max(most, running.length);
      log.push(`+${one.id}`);
    });
  const all = runSchedule(tasks, { limit, barriers }, noHooks, work);
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  await tick();
  while (running.length > 0) {
    running.sort((a, b) => a.until - b.until);
    const next = running.shift()!;
    now = next.until;
    log.push(`-${next.task.id}`);
    next.finish();
    await tick();
  }
  return { outcomes: await all, log, makespan: now, most };
}

const graphs = fc.array(
  fc.record({ deps: fc.array(fc.nat(), { maxLength: 3 }), minutes: fc.integer({ min: 1, max: 9 }), file: fc.nat(6) }),
  {
    maxLength: 14,
  },
);
const toTasks = (nodes: { deps: number[]; minutes: number; file: number }[]): Task[] =>
  nodes.map((node, index) =>
    task(`T${index}`, {
      depends: index === 0 ? [] : node.deps.map((dep) => `T${dep % index}`),
      expectedMinutes: node.minutes,
      writes: [`src/f${node.file}.ts`],
    }),
  );

describe('schedule', () => {
  it('says every outcome once, those of an earlier process before anything starts', async () => {
    const log: string[] = [];
    const tasks = [task('T1'), task('T2', { depends: ['T1'] }), task('T3', { depends: ['T2'] })];
    const before = { outcome: ok('T1'), begun: 1 };
    const hooks = { ...noHooks, recorded: ({ id }: Task) => (id === 'T1' ? before : undefined) };
    const heard = ({ task: id, status }: TaskOutcome): void => void log.push(`${id} ${status}`);
    await runSchedule(tasks, { limit: 2, heard }, hooks, async ({ id }) => {
      log.push(`work on ${id}`);
      return { ...ok(id), status: 'failed' };
    });
    expect(log).toEqual(['T1 done', 'work on T2', 'T2 failed', 'T3 skipped']);
  });

  it('keeps dependencies, the limit and disjoint writes on any graph, and runs every task once', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (nodes, limit, barriers) => {
        const tasks = toTasks(nodes);
        const { outcomes, log, most } = await simulate(tasks, limit, barriers);
        expect(outcomes).toEqual(tasks.map((one) => ok(one.id)));
        expect(most).toBeLessThanOrEqual(limit);
        for (const one of tasks) {
          expect(log.filter((line) => line === `+${one.id}`)).toHaveLength(1);
          for (const need of one.depends) expect(log.indexOf(`-${need}`)).toBeLessThan(log.indexOf(`+${one.id}`));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('starts the longest remaining path first', async () => {
    const tasks = [
      task('short', { expectedMinutes: 3 }),
      task('head', { expectedMinutes: 1 }),
      task('tail', { expectedMinutes: 9, depends: ['head'] }),
    ];
    const { log, makespan } = await simulate(tasks, 1);
    expect(log[0]).toBe('+head');
    expect(makespan).toBe(13);
    expect((await simulate(tasks, 2)).makespan).toBe(10);
  });

  it('skips what depends on a failure, with the reason, and nothing else', async () => {
    const tasks = [task('a'), task('b', { depends: ['a'] }), task('c', { depends: ['b'] }), task('d')];
    const ended: TaskOutcome[] = [];
    const outcomes = await runSchedule(
      tasks,
      { limit: 2 },
      { ...noHooks, ended: (outcome) => ended.push(outcome) },
      async ({ id }) => (id === 'a' ? { task: 'a', status: 'failed', reason: 'red' } : ok(id)),
    );
    expect(outcomes).toEqual([
      { task: 'a', status: 'failed', reason: 'red' },
      { task: 'b', status: 'skipped', reason: 'depends on a, which is failed' },
      { task: 'c', status: 'skipped', reason: 'depends on b, which is skipped' },
      ok('d'),
    ]);
    expect(ended).toHaveLength(4);
  });

  it('continues what was begun before anything new, and does not repeat what is over', async () => {
    const tasks = [
      task('a', { expectedMinutes: 9 }),
      task('b', { expectedMinutes: 1 }),
      task('c'),
      task('d', { depends: ['c'] }),
    ];
    const order: string[] = [];
    await runSchedule(
      tasks,
      { limit: 1 },
      {
        ...noHooks,
        recorded: ({ id }) =>
          id === 'c' ? { outcome: ok('c'), begun: 3 } : id === 'b' ? { outcome: undefined, begun: 5 } : undefined,
      },
      async ({ id }) => {
        order.push(id);
        return ok(id);
      },
    );
    expect(order).toEqual(['b', 'd', 'a'].sort((x, y) => order.indexOf(x) - order.indexOf(y)));
    expect(order[0]).toBe('b');
    expect(order).not.toContain('c');
  });

  it('has a task alone that does not say what it writes, unless all of them only read', async () => {
    const apart = (id: string): Task => task(id, { writes: [`${id}.ts`], expectedMinutes: 2 });
    const silent = task('silent', { expectedMinutes: 2, writes: ['', ' '] });
    const mixed = await simulate([apart('a'), silent, apart('b'), apart('c')], 3);
    const at = mixed.log.indexOf('+silent');
    expect(mixed.log[at + 1]).toBe('-silent');
    expect(mixed.log.slice(0, at).filter((line) => line.startsWith('+'))).toHaveLength(
      mixed.log.slice(0, at).filter((line) => line.startsWith('-')).length,
    );
    const quiet = ['a', 'b', 'c'].map((id) => task(id, { writes: [] }));
    expect((await simulate(quiet, 3)).most).toBe(1);
    const readers: string[] = [];
    await runSchedule(quiet.slice(0, 2), { limit: 2, readOnly: true }, noHooks, async ({ id }) => {
      readers.push(`+${id}`);
      await new Promise((resolve) => setImmediate(resolve));
      readers.push(`-${id}`);
      return ok(id);
    });
    expect(readers.slice(0, 2)).toEqual(['+a', '+b']);
  });

  it('takes what is equally long in the order people count', async () => {
    const ids = ['T10', 'T2', 'T1', 'T21', 'T3'];
    const { log } = await simulate(
      ids.map((id) => task(id)),
      1,
    );
    expect(log.filter((line) => line.startsWith('+'))).toEqual(['+T1', '+T2', '+T3', '+T10', '+T21']);
  });

  it('ends at once for no tasks and passes on an error of the work', async () => {
    expect(await runSchedule([], { limit: 3 }, noHooks, async () => ok(''))).toEqual([]);
    await expect(
      runSchedule([task('a')], { limit: 3 }, noHooks, () => Promise.reject(new Error('bug'))),
    ).rejects.toThrow('bug');
  });

  it('waits for a whole stage, skipped tasks included, before the next one', async () => {
    const tasks = [
      task('a'),
      task('b'),
      task('a1', { depends: ['a'] }),
      task('b1', { depends: ['b'] }),
      task('a2', { depends: ['a1'] }),
      task('b2', { depends: ['b1'] }),
    ];
    const log: string[] = [];
    const outcomes = await runSchedule(tasks, { limit: 2, barriers: true }, noHooks, async ({ id }) => {
      log.push(id);
      return id === 'a' ? { task: id, status: 'failed', reason: 'red' } : ok(id);
    });
    expect(log).toEqual(['a', 'b', 'b1', 'b2']);
    expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'done', 'skipped', 'done', 'skipped', 'done']);
  });

  it('starts nothing more once the work itself has failed', async () => {
    const begun: string[] = [];
    const finish: (() => void)[] = [];
    const all = runSchedule([task('a'), task('b'), task('c')], { limit: 2 }, noHooks, async ({ id }) => {
      begun.push(id);
      if (id === 'a') throw new Error('bug');
      await new Promise<void>((resolve) => finish.push(resolve));
      return ok(id);
    });
    await expect(all).rejects.toThrow('bug');
    for (const one of finish) one();
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['a', 'b']);
  });

  it('refuses ids that come twice and an outcome for another task, instead of waiting forever', async () => {
    await expect(runSchedule([task('a'), task('a')], { limit: 2 }, noHooks, async () => ok('a'))).rejects.toThrow(
      /a is scheduled twice/,
    );
    await expect(runSchedule([task('a')], { limit: 2 }, noHooks, async () => ok('b'))).rejects.toThrow(
      /the work on a answered for b/,
    );
  });
});
