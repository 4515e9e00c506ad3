/** How much work the comparison of paths is, counted and not timed: it grows with what is there, not with its square. */
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/engine/facts.ts';
import { overlappingPairs } from '../../src/plan/overlapping-pairs.ts';
import { patternWork } from '../../src/plan/path-pattern.ts';
import { type Task, taskSchema } from '../../src/plan/plan.ts';
import { scopeSettingsSchema } from '../../src/policy/receipt.ts';
import { judgeScope } from '../../src/policy/scope.ts';
import { advanceChronicle, emptyChronicle } from '../../src/views/chronicle.ts';
import { factLine } from '../../src/views/fact-line.ts';
import { runView } from '../../src/views/run-view.ts';
import { runSchedule } from '../../src/engine/schedule.ts';
import { coverageOf } from '../../src/plan/coverage.ts';

function counted(work: () => void): { compiled: number; compared: number } {
  const before = { ...patternWork };
  work();
  return { compiled: patternWork.compiled - before.compiled, compared: patternWork.compared - before.compared };
}

/** A chain in which every task also changes one common file. */
const chain = (size: number): Task[] =>
  Array.from({ length: size }, (_, at) =>
    taskSchema.parse({
      id: `T${at + 1}`,
      title: `Task ${at + 1}`,
      depends: at === 0 ? [] : [`T${at}`],
      writes: [`src/f${at}.ts`, 'CHANGELOG.md'],
    }),
  );

const settings = scopeSettingsSchema.parse({});

/** The lines and the tree of a run of modules in which every task starts and ends. */
function follow(tasks: Task[]): void {
  const chronicle = emptyChronicle();
  let seq = 0;
  const tell = (type: string, key: string, data: unknown): void => {
    seq += 1;
    const fact = { v: 1, seq, at: new Date(seq * 1000).toISOString(), type, key, data, hash: '' } as unknown as Fact;
    advanceChronicle(chronicle, fact);
    factLine(fact, chronicle);
    runView(chronicle, { now: new Date(seq * 1000) });
  };
  const created = { run: 'r', title: 't', workflow: 'modules', workflowVersion: 2, base: '0'.repeat(40), root: '/r' };
  tell('run.created', '', { ...created, input: { parallel: 3 }, settings: {}, forge: '0' });
  tell('plan.accepted', 'plan', { plan: { objective: 'o', tasks, techStack: {}, decisions: [], risks: [] } });
  for (const { id } of tasks) {
    tell('task.started', id, { task: id });
    tell('task.ended', id, { task: id, status: 'done', reason: '' });
  }
}

describe('the work on paths', () => {
  it('of following a run does not grow with its tasks', () => {
    const small = counted(() => follow(chain(20)));
    const large = counted(() => follow(chain(80)));
    // No fact makes anybody look at the files of all tasks again.
    expect(large.compiled).toBeLessThanOrEqual(Math.max(1, small.compiled) * 4);
    expect(large.compiled).toBeLessThanOrEqual(80 * 2);
  });

  it('of a plan’s overlaps is linear, and done once per plan', () => {
    const tasks = chain(400);
    const first = counted(() => overlappingPairs(tasks));
    expect(first.compiled).toBe(800);
    expect(first.compared).toBeLessThan(400 * 4);
    expect(counted(() => overlappingPairs(tasks))).toEqual({ compiled: 0, compared: 0 });
    // What follows from the order is not repeated: each task and the one before it.
    expect(overlappingPairs(tasks)).toMatchObject({ complete: true, pairs: { length: 399 } });
    expect(overlappingPairs(tasks).pairs[0]).toEqual({
      first: 'T1',
      second: 'T2',
      paths: ['CHANGELOG.md'],
      isOrdered: true,
    });
  });

  it('of a plan where everything meets everything ends, and says that there is more', () => {
    const tasks = Array.from({ length: 300 }, (_, at) =>
      taskSchema.parse({ id: `T${at}`, title: 't', writes: [`a${at}/**`, '**/*.ts'] }),
    );
    expect(overlappingPairs(tasks).complete).toBe(false);
  });

  it('of judging a commit is linear in what it declares and what it changes', () => {
    const paths = (size: number): string[] => Array.from({ length: size }, (_, at) => `src/d${at % 50}/f${at}.ts`);
    const judge = (size: number): ReturnType<typeof counted> =>
      counted(() => {
        const others = [{ id: 'T2', writes: paths(size).map((path) => `other/${path}`) }];
        const changes = paths(size).map((path) => ({ path, status: 'modified' as const }));
        const question = { task: 'T1', writes: paths(size), forbids: [], others, changes, settings };
        expect(judgeScope(question)).toEqual([]);
      });
    const [small, large] = [judge(500), judge(5000)];
    expect(large.compared).toBeLessThanOrEqual(small.compared * 10);
    expect(large.compiled).toBeLessThanOrEqual(5000 * 2 + settings.protectedPaths.length);
  });

  it('of scheduling compares a task only with what could meet it', async () => {
    const tasks = Array.from({ length: 40 }, (_, at) =>
      taskSchema.parse({ id: `T${at}`, title: 't', writes: Array.from({ length: 100 }, (__, n) => `d${at}/f${n}.ts`) }),
    );
    const before = { ...patternWork };
    const hooks = {
      recorded: () => undefined,
      started: () => {},
      ended: () => {},
      added: [],
      add: () => true,
      wait: () => undefined,
    };
    await runSchedule(tasks, { limit: 8 }, hooks, async ({ id }) => ({ task: id, status: 'done', reason: '' }));
    expect(patternWork.compiled - before.compiled).toBe(4000);
    expect(patternWork.compared - before.compared).toBe(0);
  });

  it('of looking up a path gives the earliest entry that covers it', () => {
    const coverage = coverageOf(['**/*.md', 'docs', ' ', 'docs/a.md', 'docs/**']);
    expect(coverage.first('docs/a.md')).toMatchObject({ place: 0 });
    expect(coverage.first('docs/x.txt')).toMatchObject({ place: 1 });
    expect(coverage.all('docs/a.md').toSorted((a, b) => a - b)).toEqual([0, 1, 3, 4]);
    expect(coverage.first('src/x')).toBeUndefined();
  });
});
