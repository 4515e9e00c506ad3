import { expect, it } from 'vitest';
import { type Phase, revisionTarget } from '../../src/pipelines/revision.ts';

const roles = ['plan', 'review-plan', 'implement', 'review', 'validate'];
const phases: Phase[] = roles.map((role) => ({ role, command: `/${role}` }));
const withTarget = (onRevision: string) => phases.with(4, { role: 'validate', command: '/validate', onRevision });

it('goes back to the nearest phase that produces something', () => {
  expect(revisionTarget(phases, 1)).toBe(0);
  expect(revisionTarget(phases, 3)).toBe(2);
  expect(revisionTarget(phases, 4)).toBe(2);
});

it('goes where the review says, if that is an earlier phase', () => {
  expect(revisionTarget(withTarget('/plan'), 4)).toBe(0);
  expect(revisionTarget(withTarget('/nowhere'), 4)).toBe(2);
  expect(revisionTarget(withTarget('/validate'), 4)).toBe(2);
});
