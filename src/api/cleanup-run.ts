/**
 * Removes what a run keeps: its workspaces, its refs and its directory. The published branch is the user's and stays.
 * Nothing goes that exists nowhere else, unless the user says so; so work that was captured and not merged is refused.
 */
import { rm } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunListing } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { dropRunRefs, removeWorkspace } from '../git/cleanup.ts';
import type { Repository } from '../git/git.ts';
import { refComponent } from '../git/ref-name.ts';
import { findWorkspace } from '../git/workspace.ts';
import { isFinished, isHeld } from './choose-run.ts';
import { findRun } from './find-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional(), force: z.boolean().default(false) });

export interface CleanedUp {
  readonly run: string;
  readonly workspaces: readonly string[];
  readonly refs: readonly string[];
  readonly directory: string;
}

export const cleanupRun: Operation<typeof input, CleanedUp> = {
  name: 'cleanup-run',
  summary: 'remove what a run keeps',
  input,
  async run(context, { run, force }) {
    const { repo } = await context.forge();
    const listing = await findRun(context, { run, what: 'that is over', fits: isFinished });
    if (isHeld(listing))
      throw refused(`The run ${listing.run} is still going on`, `End it first: forge cancel ${listing.run}`);
    if (!isFinished(listing) && !force) {
      throw refused(
        `The run ${listing.run} is not over (${listing.status}) and could be resumed`,
        `Go on with forge resume ${listing.run}, end it with forge cancel ${listing.run}, or use --force.`,
      );
    }
    // Workspaces first: whether their content is captured is asked of the refs.
    const workspaces = await removeWorkspaces(repo, listing, force);
    const merged = listing.state?.receipts.map((receipt) => receipt.source) ?? [];
    const refs = await dropRunRefs(repo, listing.run, { force, merged });
    await rm(listing.directory, { recursive: true, force: true });
    return { run: listing.run, workspaces, refs: refs.map(({ ref }) => ref), directory: listing.directory };
  },
};

async function removeWorkspaces(repo: Repository, listing: RunListing, force: boolean): Promise<readonly string[]> {
  const area = join(repo.dataDir, 'workspaces', repo.id, refComponent(listing.run));
  const names = await readdir(area).catch(() => []);
  const removed: string[] = [];
  for (const name of names.filter((one) => !one.startsWith('.'))) {
    const workspace = await findWorkspace(repo, { run: listing.run, name });
    if (workspace === undefined) continue;
    const removal = await removeWorkspace(repo, workspace, { force: force || !holdsWork(listing, name) });
    if (removal.status === 'kept') {
      throw refused(
        `The workspace ${name} of ${listing.run} stays: ${removal.reason}`,
        `Look at ${workspace.tree}, or use --force.`,
      );
    }
    removed.push(name);
  }
  // What is left are half-made ones and those that were being removed when a process died.
  await rm(area, { recursive: true, force: true });
  return removed;
}

/** Only agents that could write leave work behind; all others are copies of commits. */
function holdsWork({ state }: RunListing, workspace: string): boolean {
  return [...(state?.effects.values() ?? [])].some(({ kind, input: asked }) => {
    const { workspace: place, access } = asked as { workspace?: unknown; access?: unknown };
    return kind === 'agent.run' && place === workspace && access !== 'read';
  });
}

function refused(message: string, hint: string): ForgeError {
  return new ForgeError('cleanup-refused', message, { hint });
}
