import { expect, it } from 'vitest';
import { type BatchTask, nextBatch } from '../../src/plan/batch.ts';

function task(id: string, rest: Partial<BatchTask> = {}): BatchTask {
  return { id, depends: [], writes: [id], done: false, ...rest };
}

it('starts at least one task whatever the limit', () => {
  expect(nextBatch([task('a'), task('b')], 0)).toEqual({
    mode: 'single',
    batch: ['a'],
    ready: 2,
    skipped: [{ id: 'b', reason: 'limit' }],
  });
});

it('goes on past a task that overlaps', () => {
  expect(nextBatch([task('a'), task('b', { writes: ['a/x'] }), task('c')])).toEqual({
    mode: 'parallel',
    batch: ['a', 'c'],
    ready: 3,
    skipped: [{ id: 'b', reason: 'overlap', with: 'a' }],
  });
});

it('honours the dependencies a legacy plan does declare', () => {
  const tasks = [task('a', { depends: ['b'] }), task('b', { writes: undefined })];
  expect(nextBatch(tasks)).toEqual({ mode: 'legacy', batch: ['b'] });
});

it('says what a circle waits for', () => {
  expect(nextBatch([task('a', { depends: ['b'] }), task('b', { depends: ['a'] })])).toEqual({
    mode: 'blocked',
    batch: [],
    pending: [
      { id: 'a', depends: ['b'], unmet: ['b'] },
      { id: 'b', depends: ['a'], unmet: ['a'] },
    ],
  });
});

it('tells an empty plan from a finished one', () => {
  expect(nextBatch([])).toEqual({ mode: 'none', batch: [], why: 'no-tasks' });
  expect(nextBatch([task('a', { done: true })])).toEqual({ mode: 'none', batch: [], why: 'all-done' });
});
