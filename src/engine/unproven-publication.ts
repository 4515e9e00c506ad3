/**
 * The last word on a result, whatever the workflow says: a run is done only if the commit that it published is the one
 * that holds everything it merged, and the project's own checks confirmed exactly that commit. Pure, over the run's own
 * facts.
 */
import { findUnconfirmed } from './merge-proof.ts';
import type { RunState } from './run-state.ts';

/** Why the run cannot be called done; undefined where nothing speaks against it. */
export function unprovenPublication(state: Readonly<RunState>): string | undefined {
  const { effects, integration, created } = state;
  const all = [...effects.values()].filter(({ result }) => result !== undefined);
  const published = all.findLast(({ kind }) => kind === 'branch.publish')?.input as { commit?: unknown } | undefined;
  const head = integration ?? created?.base;
  if (published !== undefined && published.commit !== head)
    return `the branch does not hold what was merged (${named(head)})`;
  if (integration === undefined) return undefined;
  const unconfirmed = findUnconfirmed(state, integration);
  return unconfirmed === undefined ? undefined : `the result is ${named(head)}, but ${unconfirmed}`;
}

function named(commit = ''): string {
  return commit.slice(0, 12);
}
