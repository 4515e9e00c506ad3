/**
 * What a person means when they name a task: the key of a scheduled task, its id, the id of a planned task that is done
 * in it, or the key of a step or effect. One way for logs, diff, show and retry.
 */
import { namesOf, ownerOf } from '../engine/reopen.ts';
import type { RunState } from '../engine/run-state.ts';
import { nearestWord } from '../plan/task-id.ts';
import { ForgeError } from '../errors.ts';

/** The scheduled task that a planned one is done in, by its id; undefined where it is a task of its own. */
export function holderOf({ scheduled, tasks }: RunState, name: string): string | undefined {
  if (tasks.has(name)) return undefined;
  return [...scheduled.values()].find(({ parts }) => parts.includes(name))?.task;
}

/** Whether a key belongs to what a name means. */
export function belongsTo(state: RunState, name: string): (key: string) => boolean {
  const names = namesOf(holderOf(state, name) ?? name, state.tasks);
  return (key) => ownerOf(key, names) !== undefined;
}

/** The key of the task that a name means; undefined when it means no task that has begun. */
export function taskKey(state: RunState, name: string): string | undefined {
  const names = namesOf(holderOf(state, name) ?? name, state.tasks);
  return [...state.tasks.keys()].find((key) => names.has(key));
}

/** Every name a person may use for a task. */
export function knownNames({ scheduled, tasks, plan }: RunState): readonly string[] {
  const held = [...scheduled].flatMap(([key, { task, parts }]) => [task, key, ...parts]);
  return [...new Set([...held, ...tasks.keys(), ...(plan?.tasks ?? []).map(({ id }) => id)])];
}

export function unknownTask(state: RunState, name: string, run: string): ForgeError {
  const known = knownNames(state);
  const meant = nearestWord(name, known);
  return new ForgeError('bad-input', `There is no task ${JSON.stringify(name)} in the run ${run}`, {
    hint: meant === undefined ? `Tasks: ${known.join(', ') || '(none yet)'}.` : `Did you mean ${meant}?`,
  });
}
