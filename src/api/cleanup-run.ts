/**
 * Removes what a run keeps: its workspaces, its refs, its documents and its directory. The published branch is the
 * user's and stays, and so does a document that a person or another run has written over.
 * Nothing goes that exists nowhere else, unless the user says so; so work that was captured and not merged is refused.
 */
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunListing } from '../engine/engine.ts';
import { readFacts } from '../engine/journal.ts';
import { refMoveSchema } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { dropRunRefs, isHeldByUser, removeWorkspace } from '../git/cleanup.ts';
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
  /** Paths relative to the root. */
  readonly documents: readonly string[];
  readonly directory: string;
}

export const cleanupRun: Operation<typeof input, CleanedUp> = {
  name: 'cleanup-run',
  summary: 'remove what a run keeps',
  input,
  async run(context, { run, force }) {
    const { repo, engine } = await context.forge();
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
    const receipts = listing.state?.receipts.map((receipt) => receipt.source) ?? [];
    const merged = [...receipts, ...(await squashedCommits(repo, listing))];
    const refs = await dropRunRefs(repo, listing.run, { force, merged });
    const documents = await removeDocuments(repo.root, listing, await engine.list());
    await rm(listing.directory, { recursive: true, force: true });
    return { run: listing.run, workspaces, refs: refs.map(({ ref }) => ref), documents, directory: listing.directory };
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

async function removeWorkspaces(repo: Repository, listing: RunListing, force: boolean): Promise<readonly string[]> {
  const area = join(repo.dataDir, 'workspaces', repo.id, refComponent(listing.run));
  const names = await readdir(area).catch(() => []);
  const written = writtenWorkspaces(listing);
  const removed: string[] = [];
  for (const name of names.filter((one) => !one.startsWith('.'))) {
    const workspace = await findWorkspace(repo, { run: listing.run, name });
    if (workspace === undefined) continue;
    const holdsWork = written === undefined || written.has(name.replace(/@try\d+$/, ''));
    const removal = await removeWorkspace(repo, workspace, { force: force || !holdsWork });
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

/**
 * Only agents that could write leave work behind; all others are copies of commits. Of every try, so from the facts
 * themselves; undefined when they can not be read.
 */
function writtenWorkspaces({ directory, state }: RunListing): ReadonlySet<string> | undefined {
  if (state === undefined) return undefined;
  const facts = readFacts(directory);
  const jobs = facts.flatMap((fact) =>
    fact.type === 'effect.started' && fact.data.kind === 'agent.run' ? [fact.data.input] : [],
  ) as { workspace?: string; access?: string }[];
  return new Set(jobs.filter(({ access }) => access !== 'read').map(({ workspace = '' }) => workspace));
}

/** Those that are still as this run wrote them. Runs of one slug share the names: another's last word stays. */
async function removeDocuments(
  root: string,
  { run, directory }: RunListing,
  runs: readonly RunListing[],
): Promise<readonly string[]> {
  const names = await readdir(join(directory, 'documents')).catch(() => []);
  const others = runs.filter((other) => other.run !== run).map((other) => other.directory);
  const removed: string[] = [];
  for (const name of names) {
    const shown = join(root, '.forge', name);
    const text = await readPlain(shown);
    if (text === undefined || !(await readPlain(join(directory, 'documents', name)))?.equals(text)) continue;
    const theirs = await Promise.all(others.map((other) => readPlain(join(other, 'documents', name))));
    if (theirs.some((copy) => copy?.equals(text))) continue;
    await rm(shown);
    removed.push(`.forge/${name}`);
  }
  return removed;
}

/** Of a file, not of what a link leads to. */
async function readPlain(file: string): Promise<Buffer | undefined> {
  const found = await lstat(file).catch(() => undefined);
  return found?.isFile() === true ? readFile(file) : undefined;
}

function refused(message: string, hint: string): ForgeError {
  return new ForgeError('cleanup-refused', message, { hint });
}
