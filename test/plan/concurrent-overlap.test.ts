import fc from 'fast-check';
import { expect, it } from 'vitest';
import { concurrentOverlaps } from '../../src/plan/concurrent-overlap.ts';
import { dependencyClosure, planStages } from '../../src/plan/graph.ts';
import { writesOverlap } from './writes-overlap.ts';
import { type Task, taskSchema } from '../../src/plan/plan.ts';
import { graphNodes } from './graph-nodes.ts';

function task(id: string, depends: readonly string[], writes: readonly string[]): Task {
  return taskSchema.parse({ id, title: id, depends, writes });
}

it('names the later task, its write and the ones it meets', () => {
  const tasks = [task('b', ['a'], ['x']), task('a', [], ['x']), task('c', ['a'], ['y', 'x/z']), task('d', [], ['**'])];
  expect(concurrentOverlaps(tasks)).toEqual({
    complete: true,
    overlaps: [
      { task: 3, write: 0, others: [{ task: 1, pattern: 'x' }] },
      { task: 0, write: 0, others: [{ task: 3, pattern: '**' }] },
      {
        task: 2,
        write: 0,
        others: [
          { task: 3, pattern: '**' },
          { task: 0, pattern: 'x' },
        ],
      },
    ],
  });
});

it('reports every task that clashes with an earlier one, and only real clashes', () => {
  const paths = ['a', 'a/b', 'a/*.ts', 'a/x.ts', '**/x.ts', 'c', 'c/**', 'd'];
  const lists = fc.array(fc.array(fc.constantFrom(...paths), { maxLength: 2 }), { minLength: 9, maxLength: 9 });
  fc.assert(
    fc.property(graphNodes, lists, (nodes, written) => {
      const tasks = nodes.map((node, place) => task(node.id, node.depends, written[place] ?? []));
      const before = new Map(tasks.map((each) => [each.id, new Set(dependencyClosure(tasks, each.id))]));
      const clash = (a: Task, b: Task) =>
        !before.get(a.id)?.has(b.id) && !before.get(b.id)?.has(a.id) && writesOverlap(a.writes, b.writes);
      const order = planStages(tasks).flatMap((ids) => ids.map((id) => tasks.findIndex((each) => each.id === id)));
      const isReported = (place: number) =>
        order.slice(0, order.indexOf(place)).some((other) => clash(tasks[other] as Task, tasks[place] as Task));

      const { overlaps, complete } = concurrentOverlaps(tasks);
      expect(complete).toBe(true);
      expect(overlaps.map((overlap) => overlap.task)).toEqual(order.filter(isReported));
      for (const { task: place, others } of overlaps) {
        for (const other of others) expect(clash(tasks[other.task] as Task, tasks[place] as Task)).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

it('keeps a wide claim although a later task claims a part of it', () => {
  const tasks = [
    task('wide', [], ['a']),
    task('part', ['wide'], ['a/x.ts']),
    task('s0', [], []),
    task('s1', ['s0'], []),
    task('late', ['s1'], ['a/b']),
  ];
  expect(concurrentOverlaps(tasks).overlaps).toEqual([{ task: 4, write: 0, others: [{ task: 0, pattern: 'a' }] }]);
});

it('takes ten thousand tasks that all write one file, in order or not', () => {
  const size = 10_000;
  const chain = Array.from({ length: size }, (_, i) =>
    task(`T${i}`, i === 0 ? [] : [`T${i - 1}`], ['log.md', `src/${i}.ts`]),
  );
  expect(concurrentOverlaps(chain)).toEqual({ complete: true, overlaps: [] });
  const loose = chain.map((each) => ({ ...each, depends: [] }));
  expect(concurrentOverlaps(loose).overlaps).toHaveLength(size - 1);
});

it('gives up on a plan made to be slow, and says so', () => {
  const hostile = Array.from({ length: 15_000 }, (_, i) => task(`T${i}`, [], [`**/f${i}.ts`]));
  expect(concurrentOverlaps(hostile).complete).toBe(false);
});
