/**
 * Moves a branch of the user's to the result of a run, because they asked for it: forward only, and only over a clean
 * checkout. A branch that has moved is met on top: the run is opened for that, with its checks, agents and questions. What a run merged before it failed needs the person's word a second time. What is meant is on disk before
 * anything moves, so that a landing that is cut off is finished or taken back by the next command.
 */
import { z } from 'zod';
import { refMoveSchema } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import type { Repository } from '../git/git.ts';
import { hasBranchMoved, landOn, requireBranch } from '../git/land.ts';
import { isAncestor } from '../git/refs.ts';
import { repositoriesOf } from '../policy/run-repositories.ts';
import { requireTrust } from '../trust/consent.ts';
import { landsSince, resultOf } from '../views/landing.ts';
import type { LandOutcome } from '../workflows/moves/land-result.ts';
import { isHeld } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findRun } from './find-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { settleInterrupted } from './settle-operations.ts';
import { workOnRun } from './work-on-run.ts';

const input = z.strictObject({
  run: runName,
  into: z.string().min(1),
  /** Also what a run merged that is not done. */
  force: z.boolean().default(false),
});

const output = z.strictObject({
  run: z.string(),
  branch: z.string(),
  commit: z.string(),
  /** Empty when the branch was there already. */
  moves: z.array(refMoveSchema),
  /** The branch has moved: the run is open again to put its result on top, and `moves` is empty yet. */
  isOpen: z.boolean(),
  /** Of the process of its own that does that. */
  pid: z.number().int().optional(),
  log: z.string().optional(),
});
export type Landed = JsonOf<typeof output>;

export const landRun: Operation<typeof input, typeof output> = {
  name: 'land-run',
  kind: 'command',
  description:
    'Moves a branch of yours to the result of a run. If the branch has moved, the run puts its result on top of it first.',
  input,
  output,
  async run(context, { run, into: branch, force }) {
    const forge = await context.forge();
    const { repo, engine } = forge;
    await settleInterrupted(forge);
    const listing = await findRun(context, { run, what: 'that is done', fits: ({ status }) => status === 'done' });
    const { state } = listing;
    if (isHeld(listing)) throw landError(`The run ${listing.run} is still running`, `forge attach ${listing.run}`);
    if (listing.status !== 'done' && !force) {
      throw landError(
        `The run ${listing.run} is not done (${listing.status}${state?.reason ? `: ${state.reason}` : ''})`,
        'With --force, what it merged lands all the same.',
      );
    }
    const commit = state === undefined ? undefined : resultOf(state);
    if (commit === undefined) throw landError(`The run ${listing.run} merged nothing`, `forge show ${listing.run}`);
    await requireStanding(repo, { branch, moves: state?.refs ?? [] });
    const since = state === undefined ? undefined : landsSince(state, branch);
    const there = await standsAs(repo, { branch, commit, state });
    if (there !== undefined) return { run: listing.run, branch, commit: there, moves: [], isOpen: false };
    if (await hasBranchMoved(repo, { branch, commit, since })) {
      if (repositoriesOf(state?.created?.input) !== undefined) {
        const hint = `Merge its branch in each repository yourself: forge show ${listing.run}`;
        throw landError(`${branch} has moved, and the run ${listing.run} worked on several repositories`, hint);
      }
      requireTrust(forge, context.env);
      const work = await workOnRun(context, {
        run: listing.run,
        open: (options) => engine.land(listing.run, { branch, commit }, options),
        request: { operation: 'land-run', input: { run: listing.run, into: branch, force }, yes: false },
      });
      return { ...work, branch, commit, moves: [], isOpen: true };
    }
    const known = state?.refs.length ?? 0;
    const moves = await landOn(repo, {
      run: listing.run,
      branch,
      commit,
      known,
      record: (made) => engine.recordRefs(listing.run, made, known),
    });
    return { run: listing.run, branch, commit, moves: [...moves], isOpen: false };
  },
};

/** Where a commit took the result back, landing it again would do nothing. */
async function requireStanding(
  repo: Repository,
  { branch, moves }: { readonly branch: string; readonly moves: RunState['refs'] },
): Promise<void> {
  const last = moves.findLast(({ ref }) => ref === `refs/heads/${branch}`);
  if (last?.reverts !== true || last.after === undefined) return;
  if (!(await isAncestor(repo, last.after, await requireBranch(repo, branch)))) return;
  const revert = last.after.slice(0, 12);
  throw landError(
    `${branch} held the result, and ${revert} took it back`,
    `To have it again, revert that commit, on ${branch}: git revert ${revert}`,
  );
}

/** The commit that the result became on this branch, while the branch holds it. */
async function standsAs(
  repo: Repository,
  { branch, commit, state }: { readonly branch: string; readonly commit: string; readonly state: RunState | undefined },
): Promise<string | undefined> {
  const last = state?.refs.findLast(({ ref }) => ref === `refs/heads/${branch}`)?.after;
  if (last === undefined || state?.landed.get(last) !== commit) return undefined;
  return (await isAncestor(repo, last, await requireBranch(repo, branch))) ? last : undefined;
}

function landError(message: string, hint: string): ForgeError {
  return new ForgeError('land-refused', message, { hint });
}

/** What came of a landing that had to open the run. */
export async function landedBy(context: ApiContext, run: string): Promise<LandOutcome | undefined> {
  return (await context.forge()).landings.get(run);
}
