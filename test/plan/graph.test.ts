import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles } from '../../src/plan/cycles.ts';
import {
  criticalPath,
  dependencyClosure,
  expectedMinutes,
  longestRemaining,
  planningRounds,
  planStages,
} from '../../src/plan/graph.ts';
import { graphNodes } from './graph-nodes.ts';

const diamond = [
  { id: 'T10', depends: ['T2', 'T1'] },
  { id: 'T2', depends: ['T0'] },
  { id: 'T1', depends: ['T0'] },
  { id: 'T0', depends: [] },
];

describe('stages', () => {
  it('orders ids within a stage as people count', () => {
    const flat = ['T10', 'T9', 'T1', 'T01'].map((id) => ({ id, depends: [] }));
    expect(planStages(flat)).toEqual([['T01', 'T1', 'T9', 'T10']]);
    expect(planStages(diamond)).toEqual([['T0'], ['T1', 'T2'], ['T10']]);
  });

  it('ignores dependencies outside the list', () => {
    expect(planStages([{ id: 'a', depends: ['gone'] }])).toEqual([['a']]);
  });

  it('has every task once, after all it depends on', () => {
    fc.assert(
      fc.property(graphNodes, (tasks) => {
        const result = planStages(tasks);
        expect(result.flat().sort()).toEqual(tasks.map((task) => task.id).sort());
        const stageOf = new Map(result.flatMap((ids, place) => ids.map((id) => [id, place])));
        for (const task of tasks) {
          const earliest = Math.max(-1, ...task.depends.map((id) => stageOf.get(id) ?? 0)) + 1;
          expect(stageOf.get(task.id)).toBe(earliest);
        }
      }),
    );
  });

  it('does not depend on the order of the list', () => {
    fc.assert(
      fc.property(graphNodes, (tasks) => {
        expect(planStages(tasks.toReversed())).toEqual(planStages(tasks));
      }),
    );
  });
});

describe('planningRounds', () => {
  it('has no empty round', () => {
    expect(planningRounds([{ id: 'a', depends: [] }])).toEqual([['a']]);
    expect(planningRounds([])).toEqual([]);
  });
});

describe('closure', () => {
  it('has all ancestors once, each after its own', () => {
    fc.assert(
      fc.property(graphNodes, (tasks) => {
        const id = tasks.at(-1)?.id ?? '';
        const result = dependencyClosure(tasks, id);
        expect([...result].sort()).toEqual([...ancestors(tasks, id)].sort());
        for (const [place, need] of result.entries()) {
          const before = new Set(result.slice(0, place));
          expect(tasks.find((task) => task.id === need)?.depends.every((each) => before.has(each))).toBe(true);
        }
      }),
    );
  });

  it('of an unknown task is empty', () => expect(dependencyClosure(diamond, 'nope')).toEqual([]));
});

describe('findCycles', () => {
  it('names the members of each circle, not those that wait for one', () => {
    const tasks = [
      { id: 'free', depends: [] },
      { id: 'c', depends: ['a'] },
      { id: 'a', depends: ['b'] },
      { id: 'b', depends: ['c', 'free'] },
      { id: 'waits', depends: ['a'] },
      { id: 'self', depends: ['self'] },
    ];
    expect(findCycles(tasks)).toEqual([['a', 'b', 'c'], ['self']]);
    expect(() => planStages(tasks)).toThrow('Dependency cycle among: a, b, c, self');
  });

  it('agrees with reachability', () => {
    const anyGraph = fc.array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anyGraph, (edges) => {
        const tasks = edges.map((needs, place) => ({ id: `N${place}`, depends: needs.map((need) => `N${need}`) }));
        const inCircle = tasks.filter((task) => ancestors(tasks, task.id).has(task.id)).map((task) => task.id);
        expect(findCycles(tasks).flat().sort()).toEqual(inCircle.sort());
      }),
    );
  });
});

describe('longest paths', () => {
  it('counts minutes by complexity unless the plan says more', () => {
    expect(expectedMinutes({ complexity: 'S' })).toBe(5);
    expect(expectedMinutes({ complexity: 'M' })).toBe(10);
    expect(expectedMinutes({ complexity: 'L' })).toBe(20);
    expect(expectedMinutes({ complexity: 'L', expectedMinutes: 3 })).toBe(3);
  });

  it('follows the heavier side, the lower id where both weigh the same', () => {
    const minutes = (task: { id: string }) => (task.id === 'T2' ? 7 : 5);
    expect(Object.fromEntries(longestRemaining(diamond, minutes))).toEqual({ T10: 5, T2: 12, T1: 10, T0: 17 });
    expect(criticalPath(diamond, minutes)).toEqual({ ids: ['T0', 'T2', 'T10'], minutes: 17 });
    expect(criticalPath(diamond, () => 1)).toEqual({ ids: ['T0', 'T1', 'T10'], minutes: 3 });
    expect(criticalPath([], () => 1)).toEqual({ ids: [], minutes: 0 });
  });

  it('is the longest of all paths', () => {
    fc.assert(
      fc.property(graphNodes, (tasks) => {
        const minutes = (task: { id: string }) => (task.id.charCodeAt(1) % 5) + 1;
        const remaining = longestRemaining(tasks, minutes);
        const longest = (id: string): number => {
          const after = tasks.filter((task) => task.depends.includes(id)).map((task) => longest(task.id));
          return minutes({ id }) + Math.max(0, ...after);
        };
        for (const task of tasks) expect(remaining.get(task.id)).toBe(longest(task.id));
        const path = criticalPath(tasks, minutes);
        expect(path.minutes).toBe(Math.max(0, ...remaining.values()));
        expect(path.ids.reduce((sum, id) => sum + minutes({ id }), 0)).toBe(path.minutes);
      }),
    );
  });
});

it('walks a chain of a hundred thousand tasks', () => {
  const size = 100_000;
  const chain = Array.from({ length: size }, (_, i) => ({ id: `T${i}`, depends: i === 0 ? [] : [`T${i - 1}`] }));
  expect(planStages(chain)).toHaveLength(size);
  expect(dependencyClosure(chain, `T${size - 1}`)).toHaveLength(size - 1);
  expect(findCycles(chain)).toEqual([]);
  expect(criticalPath(chain, () => 1).minutes).toBe(size);
  const ring = chain.with(0, { id: 'T0', depends: [`T${size - 1}`] });
  expect(findCycles(ring)[0]).toHaveLength(size);
});

function ancestors(tasks: readonly { id: string; depends: readonly string[] }[], id: string): Set<string> {
  const found = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const need of tasks.find((task) => task.id === next)?.depends ?? []) {
      if (!found.has(need) && tasks.some((task) => task.id === need)) {
        found.add(need);
        open.push(need);
      }
    }
  }
  return found;
}
