/**
 * Which commits a difference is between: of a run, from its base to its result; of a task, what each of its merges
 * changed, or what was captured of it; of one piece of an agent's work, what that session changed.
 */
import type { EffectInput, EffectOutput } from '../engine/effect-map.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import type { Repository } from '../git/git.ts';
import { type CommitRange, forkPoint } from '../git/show-diff.ts';
import { wholeResult } from '../views/landing.ts';
import { belongsTo, holderOf, knownNames, taskKey, unknownTask } from '../views/task-names.ts';

export interface FoundRanges {
  /** The task's own name, where a task was asked for. */
  readonly task: string | undefined;
  /** It is in the result; else it was only captured. */
  readonly merged: boolean;
  readonly ranges: readonly CommitRange[];
}

export interface RangeWish {
  readonly run: string;
  readonly status: string;
  readonly task: string | undefined;
  /** The key of an agent's session. */
  readonly work?: string | undefined;
}

export async function findRanges(repo: Repository, state: Readonly<RunState>, wish: RangeWish): Promise<FoundRanges> {
  if (wish.work !== undefined) return { task: undefined, ...ofWork(state, wish.run, wish.work) };
  if (wish.task === undefined) return { task: undefined, ...ofRun(wish, state) };
  const task = holderOf(state, wish.task) ?? wish.task;
  return { task, ...(await ofTask(repo, wish.run, { state, task })) };
}

type Found = Omit<FoundRanges, 'task'>;

function ofWork(state: Readonly<RunState>, run: string, work: string): Found {
  const effect = state.effects.get(work);
  const from = (effect?.input as Partial<EffectInput<'agent.run'>> | undefined)?.commit;
  const to = (effect?.result?.output as EffectOutput<'agent.run'> | undefined)?.commit;
  if (effect?.kind === 'agent.run' && from !== undefined && to !== undefined) {
    return { merged: false, ranges: from === to ? [] : [{ from, to }] };
  }
  throw new ForgeError('bad-input', `The run ${run} has no finished agent session ${JSON.stringify(work)}`, {
    hint: `See its sessions: forge logs ${run}`,
  });
}

function ofRun({ run, status }: RangeWish, state: Readonly<RunState>): Found {
  const to = wholeResult(state);
  if (state.created !== undefined && to !== undefined) {
    return { merged: true, ranges: [{ from: state.created.base, to }] };
  }
  const tasks = [...state.tasks.keys()];
  throw new ForgeError('bad-input', `The run ${run} has merged nothing (${status})`, {
    hint:
      tasks.length === 0
        ? `See where it stands: forge status ${run}`
        : `See what was captured of a task: ${tasks.map((task) => `forge diff ${run} ${task}`).join(', ')}`,
  });
}

async function ofTask(
  repo: Repository,
  run: string,
  { state, task }: { readonly state: Readonly<RunState>; readonly task: string },
): Promise<Found> {
  const merges = state.receipts.filter((receipt) => receipt.task === task);
  if (merges.length > 0) {
    return { merged: true, ranges: merges.map(({ before, after }) => ({ from: before, to: after })) };
  }
  const to = capturedOf(state, task);
  if (to !== undefined) {
    const base = state.integration ?? state.created?.base ?? to;
    return { merged: false, ranges: [{ from: (await forkPoint(repo, base, to)) ?? base, to }] };
  }
  const known = knownNames(state);
  if (!known.includes(task)) throw unknownTask(state, task, run);
  throw new ForgeError('bad-input', `${task} has changed nothing yet in the run ${run}`, {
    hint: `Tasks: ${known.join(', ')}.`,
  });
}

/** The last commit of a task's work, whether or not it was good enough. */
function capturedOf(state: Readonly<RunState>, task: string): string | undefined {
  const isMeant = belongsTo(state, task);
  const outcome = state.tasks.get(taskKey(state, task) ?? '')?.outcome;
  if (outcome?.commit !== undefined) return outcome.commit;
  const works = [...state.effects].flatMap(([key, { kind, result }]) =>
    kind === 'agent.run' && result !== undefined && isMeant(key) ? [result.output as EffectOutput<'agent.run'>] : [],
  );
  return works.at(-1)?.commit;
}
