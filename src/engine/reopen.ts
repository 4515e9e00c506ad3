/**
 * What trying a task again takes back. Pure. Everything keyed below the task goes, and below what was skipped, for
 * a skipped task only says that something else was not done; what was scheduled later with a key prefix of its own, such as a
 * review of the whole; and whatever else began after the task did, unless it
 * is another task's: before that it cannot have known what would come of it. What is taken back is listed in the
 * fact, so that later versions of this rule do not change what an old journal means.
 */
import { ForgeError } from '../errors.ts';
import { nearestWord } from '../plan/task-id.ts';
import type { FactData } from './facts.ts';
import type { RunState, StepRecord, TaskRecord } from './run-state.ts';

export interface Reopening {
  /** The task's key: its id, after the key prefix it was scheduled with. */
  readonly key: string;
  readonly data: FactData<'task.reopened'>;
}

export function planReopening(state: Readonly<RunState>, wanted: string): Reopening {
  const { tasks } = state;
  const [key, record] = findTask(state, wanted);
  refuse(state, record);
  const skipped = [...tasks].filter(([other, { outcome }]) => other !== key && outcome?.status === 'skipped');
  // What a workflow scheduled later, with a key prefix of its own, judged a whole of which this task was not part.
  const later = [...tasks].filter(
    ([other, { task, startedSeq }]) =>
      other !== task &&
      startedSeq >= record.startedSeq &&
      keyPrefixOf(other, task) !== keyPrefixOf(key, record.task) &&
      !isInAnother(key, other, tasks),
  );
  const reopened = new Set([key, ...[...skipped, ...later].map(([other]) => other)]);
  // What was added by what is tried again was never added. What waited for it and was not done waits again: what it did
  // before that stands.
  const unscheduled = addedBy(state, reopened);
  for (const other of unscheduled) reopened.add(other);
  const waiters = new Set([...waitersOf(state, reopened), ...tasksAround(key, tasks)]);
  const inner = [...tasks.keys()].filter((other) => !reopened.has(other) && ownerOf(other, reopened) !== undefined);
  const kept = new Set(
    [...tasks.keys()].filter((other) => !reopened.has(other) && !inner.includes(other) && !waiters.has(other)),
  );
  const goes = ([name, begun]: readonly [string, number]): boolean =>
    ownerOf(name, reopened) !== undefined || (begun >= record.startedSeq && ownerOf(name, kept) === undefined);
  return {
    key,
    data: {
      task: record.task,
      generation: (state.generations.get(key) ?? 1) + 1,
      tasks: [...reopened, ...inner, ...waiters],
      forgotten: [
        ...new Set(
          begunKeys(state)
            .filter(goes)
            .map(([name]) => name),
        ),
      ],
      steps: [...state.steps].filter(isStepAround(record)).map(([name]) => name),
      unscheduled: [...unscheduled],
    },
  };
}

/** Keys of everything that these tasks added to their schedule, and what that added in turn. */
function addedBy({ added }: Readonly<RunState>, tasks: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  for (const [key, { by }] of added) if (tasks.has(by) || found.has(by)) found.add(key);
  return [...found];
}

/** Tasks that the task is part of: they go on with it, and what they did before it stands. */
function tasksAround(key: string, tasks: ReadonlyMap<string, TaskRecord>): readonly string[] {
  return [...tasks.keys()].filter((other) => other !== key && isBelow(key, other));
}

/** A part of a task that the wanted one is no part of: it knew nothing of it. */
function isInAnother(key: string, other: string, tasks: ReadonlyMap<string, TaskRecord>): boolean {
  return tasksAround(other, tasks).some((owner) => owner !== key && !isBelow(key, owner));
}

function isBelow(key: string, owner: string): boolean {
  return ownerOf(key, { has: (name) => name === owner }) !== undefined;
}

/** Tasks that waited for these, or for one that did, and did not end well. */
function waitersOf({ tasks, waitedFor }: Readonly<RunState>, awaited: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const isWaiter = (key: string): boolean =>
    !found.has(key) &&
    !awaited.has(key) &&
    tasks.get(key)?.outcome?.status !== 'done' &&
    (waitedFor.get(key) ?? []).some((wait) => wait.for.some((one) => awaited.has(one) || found.has(one)));
  for (let more = true; more; ) {
    const next = [...waitedFor.keys()].filter(isWaiter);
    for (const key of next) found.add(key);
    more = next.length > 0;
  }
  return found;
}

/** A step that was under way when the task started and ended after it: it judged the task, so it is open again. */
export function isStepAround({
  startedSeq,
}: Pick<TaskRecord, 'startedSeq'>): (entry: readonly [string, StepRecord]) => boolean {
  return ([, step]) => step.startedSeq < startedSeq && step.end !== undefined && step.end.seq > startedSeq;
}

/** What trying everything again means: tasks that failed or were blocked, each of which takes along what it caused. */
export function tasksToRetry(state: Readonly<RunState>): readonly string[] {
  const { status, tasks } = state;
  if (status === 'cancelled') return [];
  const of = (...wanted: string[]): readonly string[] =>
    [...tasks].filter(([, { outcome }]) => wanted.includes(outcome?.status ?? '')).map(([key]) => key);
  const failed = of('failed', 'blocked');
  const open = new Set(failed.length > 0 ? failed : of('skipped'));
  // One that waited for another is tried with it.
  for (const key of open) {
    const awaited = (state.waitedFor.get(key) ?? []).flatMap((wait) => wait.for);
    if (awaited.some((other) => failed.includes(other))) open.delete(key);
  }
  // Of a task and a part of it only the part is tried again: what the other parts did stands.
  return [...open].filter((key) => ![...open].some((other) => other !== key && isBelow(other, key)));
}

/** It ended, and not well. What was opened again is not known any more. */
export function isNotDone({ tasks }: Readonly<RunState>, wanted: string): boolean {
  const found = tasks.get(wanted) ?? [...tasks.values()].find(({ task }) => task === wanted);
  return found?.outcome !== undefined && found.outcome.status !== 'done';
}

/** What was put before a task's id when it was scheduled. */
function keyPrefixOf(key: string, task: string): string {
  return key.slice(0, key.length - task.length);
}

/** The task a key belongs to: `W1/develop#1`, `W1@2/base` and `W1#2` are of `W1`, `W10/base` is not. */
export function ownerOf(key: string, tasks: { has(task: string): boolean }): string | undefined {
  for (let end = key.length; end > 0; end -= 1) {
    if (end < key.length && !'/@#'.includes(key.charAt(end))) continue;
    const name = key.slice(0, end);
    if (tasks.has(name)) return name;
  }
  return undefined;
}

/** The keys of what a person calls a task: by its key, or by its id after the key prefix it was scheduled with. */
export function namesOf(wanted: string, tasks: ReadonlyMap<string, TaskRecord>): ReadonlySet<string> {
  const prefixed = tasks.has(wanted) ? [] : [...tasks].filter(([, { task }]) => task === wanted).map(([key]) => key);
  return new Set([wanted, ...prefixed]);
}

/** Which try at its task a key is of; what is not a task's counts the tries of the run. */
export function tryNumberOf({ generation, generations, tasks }: Readonly<RunState>, key: string): number {
  if (generation === 1) return 1;
  const task = ownerOf(key, { has: (name) => tasks.has(name) || generations.has(name) });
  return task === undefined ? generation : (generations.get(task) ?? 1);
}

function findTask({ tasks }: Readonly<RunState>, wanted: string): readonly [string, TaskRecord] {
  const exact = tasks.get(wanted);
  if (exact !== undefined) return [wanted, exact];
  const [named, ...more] = [...tasks].filter(([, { task }]) => task === wanted);
  if (named !== undefined && more.length === 0) return named;
  const known = [...tasks.keys()];
  const meant = nearestWord(wanted, known);
  throw new ForgeError('bad-input', `There is no task ${JSON.stringify(wanted)} in this run`, {
    hint: meant === undefined ? `Known: ${known.join(', ') || '(none yet)'}.` : `Did you mean ${meant}?`,
  });
}

function refuse({ status, tasks }: Readonly<RunState>, { task, outcome }: TaskRecord): void {
  if (status === 'cancelled') {
    throw new ForgeError('bad-input', 'The run was cancelled, for good', { hint: 'Start another one.' });
  }
  if (outcome === undefined) {
    throw new ForgeError('bad-input', `${task} is not over`, { hint: 'Resume the run; it continues with this task.' });
  }
  if (outcome.status === 'done') {
    throw new ForgeError('bad-input', `${task} is done`, {
      hint: 'Only a task that failed, was blocked or was skipped can be tried again.',
    });
  }
  const causes = [...tasks.values()].filter(({ outcome: other }) =>
    ['failed', 'blocked'].includes(other?.status ?? ''),
  );
  if (outcome.status === 'skipped' && causes.length > 0) {
    throw new ForgeError('bad-input', `${task} was skipped: ${outcome.reason}`, {
      hint: `Try ${causes.map((cause) => cause.task).join(' or ')} again: what was skipped is tried with it.`,
    });
  }
}

/** Every key that answers from the journal, with the fact it began with. */
export function begunKeys({ effects, questions, recorded, steps }: Readonly<RunState>): (readonly [string, number])[] {
  return [
    ...[...steps].map(([key, { startedSeq }]) => [key, startedSeq] as const),
    ...[...effects].map(([key, { startedSeq }]) => [key, startedSeq] as const),
    ...[...questions].map(([key, { askedSeq }]) => [key, askedSeq] as const),
    ...recorded,
  ];
}
