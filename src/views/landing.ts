/** Which branch of the user's the result of a run goes to: the one that was asked for, and whether it is there. Pure. */
import type { RefMove } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import { landingKey } from '../engine/run-summary.ts';
import { repositoriesOf } from '../policy/run-repositories.ts';
import { quoteCommand } from '../plan/quote-command.ts';

export interface Landing {
  readonly into: string;
  /** Whoever works on the run lands it when it is done; else it is only where the user stood. */
  readonly asked: boolean;
  readonly landed: boolean;
  /** Where the branch went then. */
  readonly commit?: string | undefined;
}

export function landingOf(state: RunState): Landing | undefined {
  const asked: unknown = Object(state.created?.input)['into'];
  const wanted = state.into ?? (typeof asked === 'string' ? asked : undefined);
  const into = wanted ?? state.created?.branch;
  if (into === undefined) return undefined;
  const commit = landedCommit(state, into);
  const at = commit === undefined ? {} : { commit };
  return { into, asked: wanted !== undefined, landed: commit !== undefined, ...at };
}

/** The commit that the result became on a branch: itself, or one on top of a branch that had moved. */
export function landedCommit(state: RunState, branch: string): string | undefined {
  // A move that was taken back is followed by one that says so.
  const after = state.refs.findLast(({ ref }) => ref === `refs/heads/${branch}`)?.after;
  const result = resultOf(state);
  if (after === undefined || result === undefined) return undefined;
  return after === result || state.landed.get(after) === result ? after : undefined;
}

/** What was published, which may be the same tree as one commit; else what was merged. */
export function resultOf(state: RunState): string | undefined {
  return publicationOf(state)?.after ?? state.integration;
}

/** The result with what belongs to other repositories, where the run works on several: what there is to look at. */
export function wholeResult(state: RunState): string | undefined {
  return repositoriesOf(state.created?.input) === undefined ? resultOf(state) : state.integration;
}

/** What the run was started from on this very branch of its own repository. */
export function landsSince({ created }: RunState, branch: string): string | undefined {
  if (created?.branch !== branch) return undefined;
  return repositoriesOf(created.input)?.home ?? created.base;
}

/** The branch a run left its result on. */
export function publishedRef(state: RunState): string | undefined {
  return publicationOf(state)?.ref;
}

function publicationOf({ effects }: RunState): RefMove | undefined {
  const published = [...effects.values()].findLast(
    ({ kind, result }) => kind === 'branch.publish' && result !== undefined,
  );
  return published?.result?.output as RefMove | undefined;
}

/** Whether a question is asked by the landing that is under way. */
export function isOfLanding({ landing }: Pick<RunState, 'landing'>, key: string): boolean {
  return landing !== undefined && key.startsWith(`${landingKey(landing.number)}/`);
}

/** For a shell, so every word is quoted if need be. */
export function landCommand(run: string, branch: string): string {
  return quoteCommand(['forge', 'land', run, '--into', branch]);
}
