import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPathCovered } from '../../src/plan/coverage.ts';
import { type HistoryCommit, planHistory } from '../../src/plan/history-plan.ts';
import { validatePlan } from '../../src/plan/validate-plan.ts';

const commit = (number: number, ...paths: readonly string[]): HistoryCommit => ({
  id: String(number).repeat(40).slice(0, 40),
  subject: `Commit ${number}`,
  body: '',
  paths,
});

const needs = (...commits: readonly HistoryCommit[]): readonly (readonly string[])[] =>
  planHistory(commits).map(({ depends }) => depends.map((id) => id.slice(0, id.indexOf('-'))));

describe('a plan of a history', () => {
  it('has a task for each commit, with what it changed and nothing to be checked', () => {
    expect(planHistory([{ ...commit(1, 'a.txt'), body: 'Because.\n' }, commit(2, 'b', 'a.txt')])).toMatchObject([
      {
        id: 'c1-1111111',
        title: 'Commit 1',
        objective: 'Because.',
        kind: 'chore',
        depends: [],
        writes: ['a.txt'],
        verify: ['true'],
      },
      { id: 'c2-2222222', depends: ['c1-1111111'], writes: ['b', 'a.txt'] },
    ]);
    expect(planHistory([{ ...commit(3, 'a'), subject: ' ' }])[0]?.title).toBe('Commit 333333333333');
  });

  it('orders what touched the same path, and nothing else', () => {
    expect(needs(commit(1, 'a'), commit(2, 'b'), commit(3, 'a', 'c'), commit(4, 'a'), commit(5, 'b'))).toEqual([
      [],
      [],
      ['c1'],
      ['c3'],
      ['c2'],
    ]);
  });

  it('orders a directory that becomes a file, and the other way round', () => {
    expect(needs(commit(1, 'd/a'), commit(2, 'd/b'), commit(3, 'd', 'd/a'), commit(4, 'd/x/y'))).toEqual([
      [],
      [],
      ['c1', 'c2'],
      ['c3'],
    ]);
  });

  it('leaves out what follows from the rest', () => {
    expect(needs(commit(1, 'a', 'b'), commit(2, 'a'), commit(3, 'a', 'b'))).toEqual([[], ['c1'], ['c2']]);
  });

  it('is valid and covers every path, however it is spelled', () => {
    const strange = fc.constantFrom(
      'a b',
      ' a',
      'a ',
      '[id]',
      '{a,b}',
      'a*b',
      '**',
      'x**y',
      '!a',
      '~',
      'C:x',
      'a\\b',
      'é',
      '\u0001',
      '-n',
      'a?',
    );
    const name = fc.oneof(fc.constantFrom('src', 'lib', 'a.ts', 'b'), strange);
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(paths, { minLength: 1, maxLength: 12 }), (history) => {
        const commits = history.map((changed, place) => ({
          ...commit(place, ...changed),
          id: `${place}`.padStart(40, 'f'),
        }));
        const tasks = planHistory(commits);
        expect(validatePlan({ objective: 'x', tasks })).toMatchObject({ status: 'valid' });
        tasks.forEach((task, place) => {
          for (const changed of history[place] ?? []) expect(isPathCovered(task.writes, changed)).toBe(true);
        });
        const reach = (place: number): ReadonlySet<number> => {
          const direct = (tasks[place]?.depends ?? []).map((id) => tasks.findIndex((task) => task.id === id));
          return new Set(direct.flatMap((one) => [one, ...reach(one)]));
        };
        const clash = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
        history.forEach((later, place) => {
          history.slice(0, place).forEach((earlier, before) => {
            if (later.some((one) => earlier.some((other) => clash(one, other)))) expect(reach(place)).toContain(before);
          });
        });
      }),
    );
  });
});
