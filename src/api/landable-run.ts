/**
 * Which run `land` means, and which branch: without a name the newest result that is not landed yet; without a branch the
 * one the run was started for, or the one that was checked out when it began.
 */
import type { RunListing } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { landedCommit, landingOf, resultOf } from '../views/landing.ts';
import type { ApiContext } from './context.ts';
import { findRun, runsThat } from './find-run.ts';

export interface LandableRun {
  readonly run: string;
  readonly into: string;
}

export async function landableRun(
  context: ApiContext,
  wanted: { readonly run: string | undefined; readonly into: string | undefined },
): Promise<LandableRun> {
  const listing =
    wanted.run === undefined
      ? await newestResult(context, wanted.into)
      : await findRun(context, { run: wanted.run, what: '', fits: () => true });
  const into = wanted.into ?? (listing.state === undefined ? undefined : landingOf(listing.state)?.into);
  if (into !== undefined) return { run: listing.run, into };
  throw new ForgeError('bad-input', `No branch was checked out when ${listing.run} began`, {
    hint: `Name the branch to move: forge land ${listing.run} --into main`,
  });
}

async function newestResult(context: ApiContext, into: string | undefined): Promise<RunListing> {
  const { engine } = await context.runs();
  let newest: RunListing | undefined;
  for (const { run } of await runsThat(context, ({ status }) => status === 'done')) {
    const listing = await engine.read(run);
    if (listing.state === undefined || resultOf(listing.state) === undefined) continue;
    if (!isLanded(listing.state, into)) return listing;
    newest ??= listing;
  }
  if (newest !== undefined) return newest;
  throw new ForgeError('unknown-run', 'There is no run with a result to land', {
    hint: 'forge list shows the runs. To land what an unfinished or failed run has merged: forge land <run> --force',
  });
}

function isLanded(state: RunListing['state'], into: string | undefined): boolean {
  if (state === undefined) return false;
  const branch = into ?? landingOf(state)?.into;
  return branch !== undefined && landedCommit(state, branch) !== undefined;
}
