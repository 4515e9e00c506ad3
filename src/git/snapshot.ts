/**
 * Captures what a workspace holds as a commit in the user's repository, committed by the agent or not. Only the
 * engine's git directory and index are used; the agent's `.git` is never opened by the engine. Order: objects, ref,
 * index, record, so that a kill anywhere leaves either a ref or work that the next snapshot finds again. Nothing
 * changed gives the parent back, and still says what was left behind.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { LeftBehind } from '../policy/receipt.ts';
import type { Jail } from '../process/jail.ts';
import { saveAgentCommits } from './agent-commits.ts';
import { writeRecord } from './capture-record.ts';
import { listChanges, treeOf } from './changes.ts';
import { type Author, writeCommit } from './commit.ts';
import { copyIndex } from './copy-index.ts';
import { treeCall } from './engine-dir.ts';
import type { Repository, Snapshot, Workspace } from './git.ts';
import { decodePath, joinRaw, type RawPath } from './raw-path.ts';
import { capturePrefix, lastNumber } from './ref-name.ts';
import { listRefs, moveRef, type Ref } from './refs.ts';
import { readObjects } from './object-reader.ts';
import { git, type GitCall, gitLine } from './run-git.ts';
import { type CaptureLimits, defaultLimits, readIndex, type Scan, scanTree } from './scan-tree.ts';

export interface SnapshotRequest {
  /** Where the agent ran: its own commits are exported by a git inside. */
  readonly jail: Jail;
  readonly message: string;
  /** Default: the commit the workspace was made from. */
  readonly parent?: string;
  readonly task?: string | undefined;
  readonly authors?: readonly Author[];
  readonly date: Date;
  readonly limits?: Partial<CaptureLimits>;
  /** The commit whose ignore files count. Default: the one the workspace was made from. */
  readonly rulesFrom?: string;
}

export async function takeSnapshot(
  repo: Repository,
  workspace: Workspace,
  request: SnapshotRequest,
): Promise<Snapshot> {
  const parent = request.parent ?? workspace.base;
  const limits = { ...defaultLimits, ...request.limits };
  const rulesFrom = request.rulesFrom ?? workspace.base;
  const indexFile = await scratchIndex(workspace);

  const scan = await scanTree(repo, workspace, { limits, rulesFrom, indexFile });
  const refused = await updateIndex({ ...treeCall(repo, workspace), indexFile }, scan, repo);
  const tree = await gitLine(['write-tree'], { ...treeCall(repo, workspace), indexFile });
  const refs = await listRefs(repo, capturePrefix(workspace.run, workspace.name));
  const exported = { jail: request.jail, packBytes: limits.totalBytes, refs };
  const agent = await saveAgentCommits(repo, workspace, exported);

  const commit = await capture(repo, workspace, {
    ...request,
    parent,
    tree,
    authors: [...(request.authors ?? []), ...agent.authors],
    refs,
  });
  const leftBehind = [...scan.leftBehind, ...refused];
  await rename(indexFile, join(workspace.engineDir, 'index'));
  await writeRecord(workspace, {
    version: 1,
    commit,
    rulesFrom,
    limits,
    leftBehind,
    unsavedCommits: agent.unsaved,
  });
  return {
    commit,
    tree,
    parent,
    changes: await listChanges(repo, parent, commit),
    leftBehind,
    agentCommits: agent.tips,
    notes: [...scan.notes, ...agent.notes],
  };
}

/** A kill in the middle leaves the old index, and neither a lock nor a git of a killed Forge matters. */
async function scratchIndex(workspace: Workspace): Promise<string> {
  const indexFile = join(workspace.engineDir, `snapshot-${randomUUID()}.index`);
  try {
    const names = (await readdir(workspace.engineDir)).filter((name) => name.startsWith('snapshot-'));
    await Promise.all(names.map((name) => rm(join(workspace.engineDir, name), { force: true })));
    await copyIndex(join(workspace.engineDir, 'index'), indexFile);
    return indexFile;
  } catch (error) {
    throw new ForgeError('workspace-failed', `the workspace ${workspace.name} is not at ${workspace.root} any more`, {
      cause: error,
    });
  }
}

/** Brings the index in line with the tree; answers what git would not take (a link named `.gitmodules`). */
export async function updateIndex(call: GitCall, scan: Scan, repo: Repository): Promise<readonly LeftBehind[]> {
  if (scan.remove.length > 0) {
    const zero = '0'.repeat(repo.objectFormat === 'sha256' ? 64 : 40);
    const lines = scan.remove.map((path) => `0 ${zero}\t${path}` as RawPath);
    await git(['update-index', '-z', '--index-info'], { ...call, stdin: joinRaw(lines) });
  }
  if (scan.add.length === 0) return [];
  const args = ['update-index', '-z', '--add', '--replace', '--stdin'];
  const { stderr } = await git(args, { ...call, stdin: joinRaw(scan.add) });
  // Git names each path that it refuses, and does not fail.
  if (stderr === '') return [];
  const index = await readIndex(call);
  return scan.add
    .filter((path) => !index.has(path))
    .map((path) => ({ path: decodePath(path), reason: 'special-file' }));
}

interface Capture extends SnapshotRequest {
  readonly parent: string;
  readonly tree: string;
  readonly authors: readonly Author[];
  /** Of the workspace, as they were a moment ago. */
  readonly refs: readonly Ref[];
}

async function capture(repo: Repository, workspace: Workspace, request: Capture): Promise<string> {
  const { tree, parent } = request;
  if (tree === (await treeOf(repo, parent))) return parent;
  const prefix = capturePrefix(workspace.run, workspace.name);
  for (let { refs } = request; ; refs = await listRefs(repo, prefix)) {
    const number = lastNumber(
      refs.map(({ ref }) => ref),
      prefix,
    );
    // Taken already by a snapshot that was killed before its commit was written down.
    const last = refs.find(({ ref }) => ref === `${prefix}${number}`)?.commit;
    if (last !== undefined && (await isSame(repo, last, request))) return last;
    const commit = await writeCommit(repo, {
      tree,
      parent,
      message: request.message,
      run: workspace.run,
      task: request.task,
      authors: request.authors,
      date: request.date,
    });
    const outcome = await moveRef(repo, `${prefix}${number + 1}`, { from: undefined, to: commit });
    if (outcome.status === 'moved') return commit;
    if (outcome.status !== 'stale') throw new ForgeError('git-failed', `${outcome.ref} could not be made`);
  }
}

async function isSame(repo: Repository, commit: string, wanted: { tree: string; parent: string }): Promise<boolean> {
  const text = (await readObjects(repo, [commit])).get(commit)?.toString('latin1') ?? '';
  return text.startsWith(`tree ${wanted.tree}\nparent ${wanted.parent}\nauthor `);
}
