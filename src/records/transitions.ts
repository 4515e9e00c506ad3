/**
 * Which state may follow which, per kind of record. Staying in a state is always allowed and changes nothing. A state
 * with nothing after it is final; only a person who forces it gets out of it. Pure data and one question about it.
 */
import { type FiledEntity, isFiledEntity } from './entity.ts';
import type { bugStates, featureStates, sprintStates, taskStates } from './schemas.ts';

type Table = Readonly<Record<string, readonly string[]>>;

/** From everywhere before the end a task can stop; where code exists, a review can send plan or code back. */
const stops = ['blocked', 'escalated', 'abandoned'];
const sendsBack = ['plan-revision-required', 'code-revision-required', ...stops];

const transitions: Readonly<Record<FiledEntity, Table>> = {
  task: {
    draft: ['planned', ...stops],
    planned: ['plan-approved', 'plan-revision-required', ...stops],
    'plan-approved': ['implementing', 'plan-revision-required', ...stops],
    implementing: ['implemented', ...sendsBack],
    implemented: ['review-approved', ...sendsBack],
    'review-approved': ['approved', ...sendsBack],
    approved: ['committed', ...sendsBack],
    'plan-revision-required': ['planned', ...stops],
    'code-revision-required': ['implementing', ...stops],
    committed: [],
    blocked: [],
    escalated: [],
    abandoned: [],
  } satisfies Record<(typeof taskStates)[number], readonly string[]>,
  sprint: {
    planning: ['active', 'blocked', 'abandoned'],
    active: ['completed', 'partially-completed', 'blocked', 'abandoned'],
    completed: ['retrospective-done'],
    'partially-completed': ['retrospective-done'],
    blocked: ['active', 'abandoned'],
    'retrospective-done': [],
    abandoned: [],
  } satisfies Record<(typeof sprintStates)[number], readonly string[]>,
  bug: {
    reported: ['triaged', 'abandoned'],
    triaged: ['in-progress', 'abandoned'],
    'in-progress': ['fixed', 'abandoned'],
    fixed: [],
    abandoned: [],
  } satisfies Record<(typeof bugStates)[number], readonly string[]>,
  feature: {
    draft: ['active', 'retired'],
    active: ['shipped', 'retired'],
    shipped: [],
    retired: [],
  } satisfies Record<(typeof featureStates)[number], readonly string[]>,
};

/** A kind without rules may do anything; a state that no rule names cannot be left. */
export function isLegalTransition(entity: string, from: string, to: string): boolean {
  if (from === to || !isFiledEntity(entity)) return true;
  return nextStates(entity, from).includes(to);
}

export function nextStates(entity: FiledEntity, from: string): readonly string[] {
  const table = transitions[entity];
  return Object.hasOwn(table, from) ? (table[from] ?? []) : [];
}

export function statesOf(entity: FiledEntity): readonly string[] {
  return Object.keys(transitions[entity]);
}
