/**
 * A setup command (`npm ci`) runs once per content of its declared inputs; its declared outputs are then copied into
 * every workspace, by reflink where the file system can, never by hard link. It runs in the jail, in a checkout of
 * its own. Entries appear by one rename and are never written again; no jail exposes them. An entry made from a commit
 * nobody has accepted yet is not shared with other commits, because its code may have made more than its inputs say.
 */
import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import picomatch from 'picomatch';
import { ForgeError } from '../errors.ts';
import { longWork, whileLocked } from '../files/directory-lock.ts';
import type { Jail, NetworkPolicy } from '../process/jail.ts';
import { runProcess } from '../process/spawn.ts';
import { listFiles, treeOf } from './changes.ts';
import { hasRealParents, makeParents, relativePath, removeTree } from './confined.ts';
import type { Repository, Workspace } from './git.ts';

export interface Setup {
  readonly run: readonly string[];
  /** Globs of tracked files that decide the outputs. None: the whole commit decides. */
  readonly inputs: readonly string[];
  /** Paths the command makes. */
  readonly outputs: readonly string[];
  /** Default: on. */
  readonly network?: NetworkPolicy;
  readonly timeMs?: number;
}

export interface SetupRequest {
  readonly setup: Setup;
  readonly jail: Jail;
  readonly commit: string;
  /** May other commits with the same inputs use the outputs? */
  readonly share: boolean;
  /** Where the outputs go. */
  readonly tree: string;
  /** A throw-away checkout of the commit under a name. */
  readonly prepare: (name: string) => Promise<Workspace>;
  readonly signal?: AbortSignal;
}

/** Puts the outputs in place, and names those that there are. */
export async function installSetup(repo: Repository, request: SetupRequest): Promise<readonly string[]> {
  const outputs = request.setup.outputs.map((path) => relativePath(path, 'the setup output'));
  if (request.setup.run.length === 0) throw new ForgeError('bad-config', 'the setup command is empty');
  const entry = await findOrMake(repo, request, outputs);
  const made: string[] = [];
  for (const [index, path] of outputs.entries()) {
    const source = join(entry, String(index));
    if (!(await exists(source))) continue;
    if ((await exists(join(request.tree, path))) || !(await makeParents(request.tree, path))) {
      throw new ForgeError('bad-config', `the setup output "${path}" is tracked in the repository`, {
        hint: 'Declare as outputs only what the command makes itself.',
      });
    }
    await copyTree(source, join(request.tree, path));
    made.push(path);
  }
  return made;
}

/** Names the outputs by everything that decides them. Same key, same outputs. */
export async function setupKey(repo: Repository, setup: Setup, commit: string): Promise<string> {
  const hash = createHash('sha256');
  const add = (value: unknown): void => void hash.update(`${JSON.stringify(value)}\n`);
  add([setup.run, setup.outputs, setup.network ?? 'on', process.platform, process.arch, process.version]);
  if (setup.inputs.length === 0) {
    add(await treeOf(repo, commit));
  } else {
    const isInput = picomatch([...setup.inputs], { dot: true });
    for (const file of await listFiles(repo, commit)) if (isInput(file.path)) add([file.path, file.mode, file.id]);
  }
  return hash.digest('hex').slice(0, 32);
}

async function findOrMake(repo: Repository, request: SetupRequest, outputs: readonly string[]): Promise<string> {
  const cache = join(repo.dataDir, 'setup', repo.id);
  const key = await setupKey(repo, request.setup, request.commit);
  const shared = join(cache, key);
  if (await exists(join(shared, complete))) return shared;
  const tree = await treeOf(repo, request.commit);
  const entry = request.share ? shared : join(cache, `${key}-${tree.slice(0, 16)}`);
  if (await exists(join(entry, complete))) return entry;
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const makeOnce = async (): Promise<void> => {
    // Somebody else may have made it while we waited.
    if (!(await exists(join(entry, complete)))) await make(request, outputs, entry);
  };
  await whileLocked(cache, makeOnce, { ...longWork, name: `${basename(entry)}.lock` });
  return entry;
}

const complete = 'complete';

async function make(request: SetupRequest, outputs: readonly string[], entry: string): Promise<void> {
  const workspace = await request.prepare(`setup-${entry.slice(entry.lastIndexOf('/') + 1)}`);
  const part = `${entry}.part-${randomUUID()}`;
  try {
    await runSetup(request, workspace);
    await mkdir(part, { mode: 0o700 });
    for (const [index, path] of outputs.entries()) {
      if (!(await hasRealParents(workspace.tree, path)) || !(await exists(join(workspace.tree, path)))) continue;
      await copyTree(join(workspace.tree, path), join(part, String(index)));
    }
    await writeFile(join(part, complete), JSON.stringify({ outputs, commit: request.commit }));
    // On a shared disk another machine may have been faster: one of two equal results stays.
    await rename(part, entry).catch(async (error: unknown) => {
      if (!(await exists(join(entry, complete)))) throw error;
    });
  } finally {
    await removeTree(part);
    await removeTree(workspace.root);
  }
}

async function runSetup(request: SetupRequest, workspace: Workspace): Promise<void> {
  const { setup, jail } = request;
  const [program = '', ...args] = setup.run;
  const command = jail.wrap(
    {
      program,
      args,
      cwd: workspace.tree,
      env: workspace.env,
      limits: { timeMs: setup.timeMs ?? defaultTimeMs, outputBytes: 256 * 1024 * 1024 },
    },
    {
      writable: [workspace.tree],
      readable: workspace.readable,
      home: workspace.home,
      tmp: workspace.tmp,
      network: setup.network ?? 'on',
    },
  );
  const result = await runProcess(command, request.signal === undefined ? {} : { signal: request.signal });
  if (result.end.status === 'exited' && result.end.code === 0) return;
  const how = result.end.status === 'exited' ? `exit ${result.end.code}` : result.end.status;
  const output = headAndTail(`${result.stdout.text}${result.stderr.text}`.trim());
  throw new ForgeError('setup-failed', `the setup command ${setup.run.join(' ')} failed (${how}): ${output}`, {
    hint: 'Run it in a fresh clone of the repository to see what is missing.',
  });
}

const defaultTimeMs = 15 * 60_000;
const mostShown = 2000;

/** Some programs say what is wrong first, before a page of help, and some say it last. */
function headAndTail(output: string): string {
  if (output.length <= mostShown) return output;
  return `${output.slice(0, mostShown / 2)}\n[…]\n${output.slice(-mostShown / 2)}`;
}

/** Links stay links and are not followed. The system's `cp` is many times faster than node's. */
async function copyTree(source: string, target: string): Promise<void> {
  const flags = process.platform === 'darwin' ? ['-cRp'] : ['-a', '--reflink=auto'];
  const result = await runProcess({
    program: 'cp',
    args: [...flags, '--', source, target],
    cwd: dirname(source),
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
  });
  if (result.end.status === 'exited' && result.end.code === 0) return;
  throw new ForgeError('workspace-failed', `${source} could not be copied: ${result.stderr.text.trim().slice(-500)}`);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
