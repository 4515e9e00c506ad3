/**
 * Removes what a run keeps: its workspaces, its refs, its documents and its directory. The published branch is the
 * user's and stays, and so does a document that a person or another run has written over.
 * Nothing goes that exists nowhere else, unless the user says so; so work that was captured and not merged is refused.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import type { RunListing, RunReader } from '../engine/engine.ts';
import { refMoveSchema } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { readConfined, removeConfined } from '../files/confined.ts';
import { dropRunRefs, droppableRefs, heldByWorkspace, isHeldByUser, removeWorkspace } from '../git/cleanup.ts';
import type { Repository, Workspace } from '../git/git.ts';
import { refComponent } from '../git/ref-name.ts';
import { findWorkspace } from '../git/workspace.ts';
import { emptyPool } from '../git/workspace-pool.ts';
import { isFinished, isHeld } from './choose-run.ts';
import { findRun } from './find-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { settleInterrupted } from './settle-operations.ts';
import { toolPlace } from '../toolbox/stored-state.ts';

const input = z.strictObject({ run: runName, force: z.boolean().default(false) });

const output = z.strictObject({
  run: z.string(),
  workspaces: z.array(z.string()),
  refs: z.array(z.string()),
  /** Paths relative to the root. */
  documents: z.array(z.string()),
  /** Where it was kept. */
  place: z.string(),
});
export type CleanedUp = JsonOf<typeof output>;

export const cleanupRun: Operation<typeof input, typeof output> = {
  name: 'cleanup-run',
  kind: 'command',
  description:
    'Removes what a finished run keeps: workspaces, refs, documents and journal. The published branch stays.',
  input,
  output,
  async run(context, { run, force }) {
    const forge = await context.forge();
    const { repo, engine } = forge;
    await settleInterrupted(forge);
    const listing = await findRun(context, { run, what: 'that is over', fits: isFinished });
    if (isHeld(listing))
      throw cleanupError(`The run ${listing.run} is still running`, `End it first: forge cancel ${listing.run}`);
    if (listing.status === 'unreadable' && !force) {
      throw cleanupError(
        `The journal of ${listing.run} cannot be read (${listing.problem}), so nobody knows what it keeps`,
        `Nothing of it was removed. To remove all of it, also work that exists nowhere else: forge cleanup ${listing.run} --force`,
      );
    }
    if (!isFinished(listing) && !force) {
      throw cleanupError(
        `The run ${listing.run} is not over (${listing.status}) and could be resumed`,
        `Nothing of it was removed. Continue it with forge resume ${listing.run}, end it with forge cancel ${listing.run}, or use --force.`,
      );
    }
    // Everything that could refuse is asked before anything goes.
    const found = await findWorkspaces(forge, listing);
    if (!force) await requireCaptured(repo, listing, found);
    const receipts = listing.state?.receipts.map((receipt) => receipt.source) ?? [];
    const merged = [...receipts, ...(await squashedCommits(repo, listing))];
    const refs = await droppableRefs(repo, listing.run, { force, merged });
    const workspaces = await removeWorkspaces(repo, listing, found);
    await emptyPool(repo);
    await dropRunRefs(repo, listing.run, refs);
    const documents = await removeDocuments(forge, listing.run);
    const place = engine.describePlace(listing.run);
    await engine.remove(listing.run);
    await rm(toolPlace(repo.stateFolder, 'iterations', 'runs', listing.run), { recursive: true, force: true });
    return { run: listing.run, workspaces, refs: refs.map(({ ref }) => ref), documents, place };
  },
};

/** What was merged is kept by a branch that holds it as one commit, while there is one. */
async function squashedCommits(repo: Repository, { state }: RunListing): Promise<readonly string[]> {
  const published = refMoveSchema.safeParse(state?.effects.get('publish')?.result?.output);
  if (!published.success || state?.integration === undefined) return [];
  const { after } = published.data;
  if (after === undefined || after === state.integration) return [];
  return (await isHeldByUser(repo, after)) ? [state.integration] : [];
}

interface FoundWorkspace {
  readonly name: string;
  readonly workspace: Workspace;
  /** An agent could write in it. */
  readonly holdsWork: boolean;
}

async function findWorkspaces({ repo, engine }: Forge, listing: RunListing): Promise<readonly FoundWorkspace[]> {
  const names = await readdir(areaOf(repo, listing)).catch(() => []);
  const written = listing.state === undefined ? undefined : await writtenWorkspaces(engine, listing.run);
  const found: FoundWorkspace[] = [];
  for (const name of names.filter((one) => !one.startsWith('.'))) {
    const workspace = await findWorkspace(repo, { run: listing.run, name });
    const holdsWork = written === undefined || written.has(name.replace(/@try\d+$/, ''));
    if (workspace !== undefined) found.push({ name, workspace, holdsWork });
  }
  return found;
}

async function requireCaptured(repo: Repository, { run }: RunListing, found: readonly FoundWorkspace[]): Promise<void> {
  for (const { name, workspace } of found.filter(({ holdsWork }) => holdsWork)) {
    const reason = await heldByWorkspace(repo, workspace);
    if (reason === undefined) continue;
    throw cleanupError(
      `The workspace ${name} of ${run} holds work that exists nowhere else: ${reason}`,
      `Nothing of it was removed. Look at ${workspace.tree}, or remove it with --force.`,
    );
  }
}

async function removeWorkspaces(
  repo: Repository,
  listing: RunListing,
  found: readonly FoundWorkspace[],
): Promise<readonly string[]> {
  for (const { workspace } of found) await removeWorkspace(repo, workspace, { force: true });
  // What is left are half-made ones and those that were being removed when a process died.
  await rm(areaOf(repo, listing), { recursive: true, force: true });
  return found.map(({ name }) => name);
}

function areaOf(repo: Repository, { run }: RunListing): string {
  return join(repo.dataDir, 'workspaces', repo.id, refComponent(run));
}

/** Only agents that could write leave work behind; all others are copies of commits. Of every try, so from the facts themselves. */
async function writtenWorkspaces(engine: RunReader, run: string): Promise<ReadonlySet<string>> {
  const jobs = (await engine.facts(run)).flatMap((fact) =>
    fact.type === 'effect.started' && fact.data.kind === 'agent.run' ? [fact.data.input] : [],
  ) as { workspace?: string; access?: string }[];
  return new Set(jobs.filter(({ access }) => access !== 'read').map(({ workspace = '' }) => workspace));
}

/** Those that are still as this run wrote them. Runs of one slug share the names: another's last word stays. */
async function removeDocuments({ repo: { root }, engine }: Forge, run: string): Promise<readonly string[]> {
  const own = engine.artifacts(run);
  const removed: string[] = [];
  for (const { name } of await own.list('documents')) {
    const text = readPlain(root, `.forge/${name}`);
    if (text === undefined || (await own.read(`documents/${name}`))?.equals(text) !== true) continue;
    if (await isOfAnother(engine, { run, name, text })) continue;
    removeConfined(root, `.forge/${name}`);
    removed.push(`.forge/${name}`);
  }
  return removed;
}

async function isOfAnother(
  engine: RunReader,
  { run, name, text }: { readonly run: string; readonly name: string; readonly text: Buffer },
): Promise<boolean> {
  for (const other of await engine.list()) {
    if (other.run === run) continue;
    if ((await engine.artifacts(other.run).read(`documents/${name}`))?.equals(text) === true) return true;
  }
  return false;
}

/** Of a file, not of what a link leads to. */
function readPlain(root: string, path: string): Buffer | undefined {
  const found = readConfined(root, path);
  return found.status === 'read' ? found.bytes : undefined;
}

function cleanupError(message: string, hint: string): ForgeError {
  return new ForgeError('cleanup-refused', message, { hint });
}
