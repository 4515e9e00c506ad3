/**
 * Workspaces: isolated checkouts of a commit that share the user's objects and nothing else. Each has two git
 * directories for one tree: `tree/.git`, which the agent may do anything to, and `engine/`, which no jail exposes and
 * from which alone the engine reads the tree. The path stays the same for its task. A marker is written last: without
 * it, a workspace was interrupted while it was made and is made anew.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import type { Jail, JailPolicy, NetworkPolicy } from '../process/jail.ts';
import { rememberAgentGit } from './agent-git.ts';
import { treeOf } from './changes.ts';
import { type Author, agentIdentity } from './commit.ts';
import { removeTree } from './confined.ts';
import { copyFiles } from './copy-files.ts';
import { copyIndex } from './copy-index.ts';
import { pathsBelow, type WorkspacePaths, workspacePaths } from './data-dir.ts';
import { identityText, treeCall, writeAgentGit, writeEngineDir } from './engine-dir.ts';
import type { Repository, Workspace } from './git.ts';
import { agentExcludeText, excludeText } from './ignore-rules.ts';
import { isGitMetadata, parentsOf, type RawPath } from './raw-path.ts';
import { git } from './run-git.ts';
import { installSetup, type Setup } from './setup-cache.ts';
import { listTree } from './tree-objects.ts';
import { breakSeal, sealTree } from './tree-seal.ts';
import { findUncaptured } from './uncaptured.ts';
import { takeTree } from './workspace-pool.ts';

export interface WorkspaceRequest {
  readonly run: string;
  /** Stable for its task. */
  readonly name: string;
  readonly commit: string;
  readonly task?: string | undefined;
  /**
   * What to do with one that exists: `reuse` it as found, make it `fresh` (refused while it holds work that was not
   * captured), or `discard` what is there, whatever it is. Default: reuse.
   */
  readonly existing?: 'reuse' | 'fresh' | 'discard';
  /** Ignored files of the user's checkout to copy in. */
  readonly copy?: readonly string[];
  /** Where programs will run in it. With one, its tree can come from those that are kept, and can be given back. */
  readonly jail?: Jail | undefined;
  readonly setup?: { readonly setup: Setup; readonly jail: Jail; readonly share?: boolean } | undefined;
  /** Who the agent's own commits are by. */
  readonly identity?: Author;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function prepareWorkspace(repo: Repository, request: WorkspaceRequest): Promise<Workspace> {
  const paths = workspacePaths(repo, request.run, request.name);
  const marker = await readMarker(paths);
  if (marker !== undefined && (request.existing ?? 'reuse') === 'reuse') {
    if (marker.base === request.commit) return describe(repo, request, marker.provided);
    throw new ForgeError(
      'workspace-failed',
      `the workspace ${request.name} was made from ${marker.base.slice(0, 12)}, not from ${request.commit.slice(0, 12)}`,
      { hint: 'Capture it and ask for a fresh one.' },
    );
  }
  if (marker !== undefined && request.existing === 'fresh') await refuseUncaptured(repo, request, marker.provided);
  const provided = await create(repo, request, paths);
  return describe(repo, request, provided);
}

/** What a program may see that works in a workspace. */
export function workspacePolicy(workspace: Workspace, network: NetworkPolicy): JailPolicy {
  return {
    writable: [workspace.tree],
    readable: workspace.readable,
    home: workspace.home,
    tmp: workspace.tmp,
    network,
  };
}

/** The workspace of a name as it is on disk; undefined when there is none, or only a half-made one. */
export async function findWorkspace(
  repo: Repository,
  request: Pick<WorkspaceRequest, 'run' | 'name' | 'task' | 'env'>,
): Promise<Workspace | undefined> {
  const marker = await readMarker(workspacePaths(repo, request.run, request.name));
  return marker === undefined ? undefined : describe(repo, { ...request, commit: marker.base }, marker.provided);
}

/** Built beside its place and renamed into it: a git that outlives a killed Forge goes on where nobody looks. */
async function create(repo: Repository, request: WorkspaceRequest, final: WorkspacePaths): Promise<readonly string[]> {
  await mkdir(dirname(final.root), { recursive: true, mode: 0o700 });
  await clear(final.root);
  const paths = pathsBelow(besides(final.root));
  const provided = await fill(repo, request, paths);
  await rename(paths.root, final.root);
  return provided;
}

async function fill(repo: Repository, request: WorkspaceRequest, paths: WorkspacePaths): Promise<readonly string[]> {
  const directories = (await fillTree(repo, request, paths)).filter((path) => !isGitMetadata(path));
  await Promise.all([paths.home, paths.tmp].map((path) => mkdir(path)));
  const copied = await copyFiles(repo.root, paths.tree, request.copy ?? []);
  const provided = [...copied, ...(await runSetup(repo, request, paths))];
  const content = {
    objectFormat: repo.objectFormat,
    bare: false,
    exclude: excludeText(repo.ignoreRules, provided),
  };
  await writeEngineDir(paths.engineDir, content);
  const identity = request.identity ?? agentIdentity;
  await writeFile(join(paths.home, '.gitconfig'), identityText(identity));
  await writeAgentGit(join(paths.tree, '.git'), {
    ...content,
    exclude: agentExcludeText(directories, content.exclude),
    commit: request.commit,
    objectsDir: repo.objectsDir,
    identity,
    shallow: await readFile(join(repo.gitDir, 'shallow')).catch(() => undefined),
  });
  await copyIndex(join(paths.engineDir, 'index'), join(paths.tree, '.git', 'index'));
  await rememberAgentGit(paths);
  await writeMarker(paths, { version: 1, base: request.commit, provided });
  return provided;
}

/** Answers the directories of the commit. */
async function fillTree(
  repo: Repository,
  { commit, jail }: WorkspaceRequest,
  paths: WorkspacePaths,
): Promise<readonly RawPath[]> {
  const taken = jail === undefined ? undefined : await takeTree(repo, paths, { commit, jail });
  if (taken === undefined) {
    await mkdir(paths.root, { mode: 0o700 });
    await mkdir(paths.tree);
    await writeEngineDir(paths.engineDir, { objectFormat: repo.objectFormat, bare: false, exclude: '' });
    await git(['read-tree', '--reset', '-u', commit], treeCall(repo, paths));
  }
  if (jail === undefined || jail.name === 'none') {
    await breakSeal(paths);
    return taken ?? trackedDirectories(repo, commit);
  }
  return taken ?? sealTree(repo, paths, commit, jail);
}

async function runSetup(
  repo: Repository,
  request: WorkspaceRequest,
  paths: WorkspacePaths,
): Promise<readonly string[]> {
  if (request.setup === undefined) return [];
  const { setup, jail, share } = request.setup;
  return installSetup(repo, {
    setup,
    jail,
    commit: request.commit,
    share: share ?? true,
    tree: paths.tree,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    // In a checkout of its own, so that what it writes beside its outputs is not taken for an agent's work.
    prepare: (name) =>
      prepareWorkspace(repo, {
        run: request.run,
        name,
        commit: request.commit,
        existing: 'discard',
        ...(request.copy === undefined ? {} : { copy: request.copy }),
      }),
  });
}

async function trackedDirectories(repo: Repository, commit: string): Promise<readonly RawPath[]> {
  const leaves = await listTree(repo, await treeOf(repo, commit));
  return [...new Set(leaves.flatMap(({ raw }) => parentsOf(raw)))];
}

async function refuseUncaptured(
  repo: Repository,
  request: WorkspaceRequest,
  provided: readonly string[],
): Promise<void> {
  const reason = await findUncaptured(repo, describe(repo, request, provided));
  if (reason === undefined) return;
  throw new ForgeError('workspace-failed', `the workspace ${request.name} cannot be replaced: ${reason}`, {
    hint: 'Take a snapshot of it first.',
  });
}

/** Renamed first: from then on the name is free, however long the removal takes or whether it is interrupted. */
async function clear(root: string): Promise<void> {
  await rename(root, besides(root)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const names = await readdir(dirname(root));
  const trash = names.filter((name) => name.startsWith(`.${basename(root)}~`));
  // A git that outlived a killed Forge may still write there; then it goes the next time.
  await Promise.all(trash.map((name) => removeTree(join(dirname(root), name)).catch(() => undefined)));
}

/** A name for what is not, or no longer, the workspace of this name. */
function besides(root: string): string {
  return join(dirname(root), `.${basename(root)}~${randomUUID()}`);
}

function describe(repo: Repository, request: WorkspaceRequest, provided: readonly string[]): Workspace {
  const paths = workspacePaths(repo, request.run, request.name);
  return {
    ...paths,
    run: request.run,
    name: request.name,
    base: request.commit,
    readable: [repo.objectsDir, ...repo.alternates],
    provided,
    env: {
      PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      LANG: process.env['LANG'] ?? 'C.UTF-8',
      // Without it a deleted `.git` would let git find a repository further up.
      GIT_CEILING_DIRECTORIES: paths.root,
      GIT_TERMINAL_PROMPT: '0',
      ...request.env,
      FORGE_RUN: request.run,
      FORGE_WORKSPACE: paths.tree,
      ...(request.task === undefined ? {} : { FORGE_TASK: request.task }),
    },
  };
}

const markerSchema = z.strictObject({ version: z.literal(1), base: z.string(), provided: z.array(z.string()) });

async function readMarker(paths: WorkspacePaths): Promise<z.infer<typeof markerSchema> | undefined> {
  const text = await readFile(join(paths.engineDir, 'ready.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return markerSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ForgeError('workspace-failed', `${paths.root} was made by another version of Forge`, {
      hint: 'Look at what it holds, then remove the directory.',
      cause: error,
    });
  }
}

async function writeMarker(paths: WorkspacePaths, marker: z.infer<typeof markerSchema>): Promise<void> {
  const file = join(paths.engineDir, 'ready.json');
  await writeFile(`${file}.part`, JSON.stringify(marker));
  await rename(`${file}.part`, file);
}
