import { describe, expect, it } from 'vitest';
import { type Task, taskSchema } from '../../../src/plan/plan.ts';
import { bugSchema } from '../../../src/workflows/waves/role-results.ts';
import { groupBugs, judgeWaves, waveIssues, waveTasks } from '../../../src/workflows/waves/wave-rules.ts';

const task = (id: string, more: object = {}): Task => taskSchema.parse({ id, title: id, ...more });
const bug = (more: object) => bugSchema.parse({ title: 'b', category: 'unit', ...more });

describe('waves', () => {
  it('must hold every task once, after what it depends on', () => {
    const tasks = [task('A'), task('B', { depends: ['A'] }), task('C')];
    expect(waveIssues(tasks, [['A', 'B'], ['C']])).toEqual([]);
    expect(waveIssues(tasks, [['B'], ['A', 'A', 'X']]).map((issue) => `${issue.where}: ${issue.problem}`)).toEqual([
      'waves[1][1]: "A" is in a wave already.',
      'waves[1][2]: There is no task "X".',
      'waves[0]: "B" depends on "A", which is in a later wave.',
      'waves: "C" is in no wave.',
    ]);
  });

  it('become tasks that wait for the waves they need', () => {
    const tasks = [
      task('A', { writes: ['a'], verify: ['npm test'] }),
      task('B', { writes: ['b'], verify: ['npm test'] }),
      task('C', { depends: ['A'], writes: ['c'] }),
    ];
    const [first, second] = waveTasks(tasks, [['A', 'B'], ['C']]);
    expect(first).toMatchObject({ id: 'W1', depends: [], writes: ['a', 'b'], verify: ['npm test'] });
    expect(second).toMatchObject({ id: 'W2', depends: ['W1'], writes: ['c'] });
  });

  it('need what the most demanding of their tasks needs, and nothing that nobody knows', () => {
    const tasks = [
      task('A', { risk: 'high', tier: 'light' }),
      task('B', { risk: 'low', tier: 'heavy', effort: 'enormous' }),
      task('C'),
    ];
    const [first, second] = waveTasks(tasks, [['A', 'B'], ['C']]);
    const needs = ({ risk, tier, effort }: Partial<Task> = {}) => ({ risk, tier, effort });
    expect([needs(first), needs(second)]).toEqual([{ risk: 'high', tier: 'heavy' }, {}]);
  });

  it('give a bug across waves to the earliest one it touches', () => {
    const waves = waveTasks([task('A', { writes: ['src/a.js'] }), task('B', { writes: ['src/b/**'] })], [['A'], ['B']]);
    const bugs = [
      bug({ wave: 2 }),
      bug({ files: ['src/b/x.js', 'src/a.js'] }),
      bug({ files: ['src/b/x.js'] }),
      bug({ files: ['other'] }),
      bug({ wave: 9 }),
    ];
    expect([...groupBugs(bugs, waves)].map(([wave, group]) => [wave, group.length])).toEqual([
      ['W1', 3],
      ['W2', 2],
    ]);
    // A wave that was not merged mends nothing.
    expect([...groupBugs(bugs, waves.slice(1))].map(([wave, group]) => [wave, group.length])).toEqual([['W2', 5]]);
  });

  it('are re-planned without asking when there are more than three', () => {
    const tasks = Array.from({ length: 8 }, (_, n) => task(`T${n}`, { complexity: 'L' }));
    expect(
      judgeWaves(tasks, [
        ['T0', 'T1'],
        ['T2', 'T3'],
        ['T4', 'T5'],
        ['T6', 'T7'],
      ]).action,
    ).toBe('replan');
  });
});
