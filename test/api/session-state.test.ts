/** What of a run counts as its modules, for those who go on with it. */
import { expect, it } from 'vitest';
import { moduleStatuses } from '../../src/api/session-state.ts';
import { chronicleOf } from '../../src/views/chronicle.ts';
import { factsUntil, recordedRun } from '../views/recorded-run.ts';

it('are those of the plan and those that fix it, not who reviews the whole', () => {
  expect(moduleStatuses(recordedRun('modules'))).toEqual({ m1: 'done', m2: 'done', m3: 'done', 'F1-1': 'done' });
  const approved = factsUntil('modules', ({ type }) => type === 'plan.accepted');
  expect(moduleStatuses(chronicleOf(approved))).toEqual({ m1: 'pending', m2: 'pending', m3: 'pending' });
});

it('are done with the wave they were done in', () => {
  expect(moduleStatuses(recordedRun('waves'))).toEqual({ T1: 'done', T2: 'done', T3: 'done', T4: 'done' });
});
