/**
 * What to take back when commits that a run's facts name are gone from the repository. Pure. Every effect that made or
 * used one of them goes, and of the same task whatever began after it; so the run goes on from the last place where
 * everything is there. What rests on other commits stays.
 */
import { ForgeError } from '../errors.ts';
import { commitsIn } from './named-commits.ts';
import { begunKeys, isStepAround, ownerOf, type Reopening } from './reopen.ts';
import type { EffectRecord, RunState } from './run-state.ts';

/** Every commit the run's facts name and may need again. */
export function commitsOf({ created, integration, judge, effects }: Readonly<RunState>): readonly string[] {
  return commitsIn([created?.base, integration, judge, [...effects.values()].map(namedBy)]);
}

export function commitGoneError(state: Readonly<RunState>, gone: readonly string[], cause?: unknown): ForgeError {
  const run = state.created?.run ?? '';
  const [first = ''] = gone;
  const maker = [...state.effects].find(([, { result }]) => commitsIn(result?.output).includes(first))?.[0];
  const more = gone.length === 1 ? '' : ` (and ${gone.length - 1} more)`;
  const what = `The commit ${first.slice(0, 12)}${maker === undefined ? '' : ` of ${maker}`}${more}`;
  const isBase = state.created !== undefined && gone.includes(state.created.base);
  const hint = isBase
    ? `The run began from it. Fetch it again with git fetch, then: forge resume ${run}`
    : `Go back to the last place where everything is there, and continue from it: forge retry ${run}`;
  return new ForgeError('commit-gone', `${what} is not in the repository any more`, { hint, cause });
}

export function planRepair(state: Readonly<RunState>, gone: readonly string[]): Reopening {
  const { tasks, created } = state;
  if (gone.length === 0) {
    throw new ForgeError('bad-input', 'No commit of this run is missing', {
      hint: 'Name the task to try again: forge retry <run> <task>',
    });
  }
  if (created !== undefined && gone.includes(created.base)) throw commitGoneError(state, gone);
  const lost = new Set(gone);
  /** Where the loss begins, by task; what is not a task's counts as one. */
  const from = new Map<string, number>();
  for (const [key, record] of state.effects) {
    if (!namedBy(record).some((id) => lost.has(id))) continue;
    const owner = ownerOf(key, tasks) ?? '';
    from.set(owner, Math.min(from.get(owner) ?? record.startedSeq, record.startedSeq));
  }
  const startedSeq = Math.min(...from.values());
  const goes = ([key, begun]: readonly [string, number]): boolean => {
    const owner = ownerOf(key, tasks);
    return begun >= (owner === undefined ? startedSeq : (from.get(owner) ?? Number.POSITIVE_INFINITY));
  };
  const reopened = [...from.keys()].filter((task) => task !== '');
  const key = reopened[0] ?? '';
  return {
    key,
    data: {
      task: tasks.get(key)?.task ?? key,
      generation: (state.generations.get(key) ?? 1) + 1,
      tasks: reopened,
      forgotten: [
        ...new Set(
          begunKeys(state)
            .filter(goes)
            .map(([name]) => name),
        ),
      ],
      steps: [...state.steps].filter(isStepAround({ startedSeq })).map(([name]) => name),
      unscheduled: [],
      gone: [...gone],
    },
  };
}

/** What an effect was asked about and what came of it. */
function namedBy({ input, result }: EffectRecord): readonly string[] {
  const fields = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return commitsIn([result?.output, fields.filter((field) => typeof field === 'string')]);
}
