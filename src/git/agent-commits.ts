/**
 * Brings the commits and stashes an agent made itself out of its own `.git`. A git inside the jail names and packs
 * them; the pack comes through a pipe, so no file of the agent's is opened here. The engine checks every object in
 * a quarantine before the pack enters the user's repository, and then makes refs of the tips. A broken `.git` yields
 * nothing but a note: the files themselves are captured by the snapshot.
 *
 * A pack rather than a bundle, because commits that only a reflog remembers have no name a bundle could carry.
 */
import { Buffer } from 'node:buffer';
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { Jail } from '../process/jail.ts';
import type { Command } from '../process/process.ts';
import { startProcess } from '../process/spawn.ts';
import { isAgentGitUntouched } from './agent-git.ts';
import type { Author } from './commit.ts';
import { alternateLine, objectCall } from './engine-dir.ts';
import type { Repository, Workspace } from './git.ts';
import { agentPrefix, lastNumber } from './ref-name.ts';
import { listRefs, moveRefs, type Ref } from './refs.ts';
import { git } from './run-git.ts';

export interface AgentCommits {
  /** Tips that became refs now. */
  readonly tips: readonly string[];
  readonly authors: readonly Author[];
  readonly notes: readonly string[];
  /** There is a `.git`, and what is in it could not be brought out. */
  readonly unsaved: boolean;
}

export interface ExportOptions {
  readonly jail: Jail;
  /** Bytes of the pack. */
  readonly packBytes: number;
  readonly timeMs?: number;
  /** Refs of the workspace, captured commits and the agent's own. */
  readonly refs: readonly Ref[];
}

const nothing: AgentCommits = { tips: [], authors: [], notes: [], unsaved: false };

export async function saveAgentCommits(
  repo: Repository,
  workspace: Workspace,
  options: ExportOptions,
): Promise<AgentCommits> {
  const problem = (note: string, unsaved: boolean): AgentCommits => ({
    ...nothing,
    notes: [`The agent's own commits were not saved: ${note}.`],
    unsaved,
  });
  const found = await lstat(join(workspace.tree, '.git')).catch(() => undefined);
  if (found?.isDirectory() !== true) return problem('its .git is gone or is not a directory', false);
  if (await isAgentGitUntouched(workspace)) return nothing;
  try {
    const prefix = agentPrefix(workspace.run, workspace.name);
    const saved = options.refs.filter(({ ref }) => ref.startsWith(prefix));
    const known = [workspace.base, ...saved.map(({ commit }) => commit)];
    const named = await namedCommits(repo, workspace, options);
    if (named.every((tip) => known.includes(tip))) return nothing;
    const pack = await packCommits(workspace, options, { named, known });
    if (countObjects(pack) > 0) await importPack(repo, workspace, pack);
    return await saveTips(repo, workspace, { named, known });
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    return problem(error.message, true);
  }
}

interface Range {
  readonly named: readonly string[];
  readonly known: readonly string[];
}

/** Every commit that a ref, a reflog, a stash or HEAD of the agent's repository names. */
async function namedCommits(
  repo: Repository,
  workspace: Workspace,
  options: ExportOptions,
): Promise<readonly string[]> {
  const args = ['rev-list', '--no-walk=unsorted', '--all', '--reflog'];
  const output = await runInside(workspace, { ...options, packBytes: 4 * 1024 * 1024 }, args);
  const id = repo.objectFormat === 'sha256' ? /^[0-9a-f]{64}$/ : /^[0-9a-f]{40}$/;
  const lines = output.toString('latin1').split('\n');
  return [...new Set(lines.filter((line) => id.test(line)))].slice(0, mostNamed);
}

const mostNamed = 10_000;

async function packCommits(workspace: Workspace, options: ExportOptions, range: Range): Promise<Buffer> {
  return runInside(workspace, options, ['pack-objects', '--revs', '--thin', '--stdout', '-q'], revisions(range));
}

function revisions({ named, known }: Range): string {
  return [...named, ...known.map((commit) => `^${commit}`), ''].join('\n');
}

async function runInside(
  workspace: Workspace,
  options: ExportOptions,
  args: readonly string[],
  stdin?: string,
): Promise<Buffer> {
  const gitDir = join(workspace.tree, '.git');
  const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'pack.threads=1'];
  const command: Command = {
    program: 'git',
    args: ['--no-pager', ...settings.flatMap((setting) => ['-c', setting]), `--git-dir=${gitDir}`, ...args],
    cwd: workspace.tree,
    env: {
      ...workspace.env,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_NO_LAZY_FETCH: '1',
    },
    limits: { timeMs: options.timeMs ?? 60_000, outputBytes: options.packBytes, headBytes: 0, tailBytes: 2000 },
    ...(stdin === undefined ? {} : { stdin }),
  };
  const { writable, readable, home, tmp } = { ...workspace, writable: [workspace.tree] };
  const running = await startProcess(
    options.jail.wrap(command, { writable, readable, home, tmp, network: 'loopback' }),
  );
  const chunks: Buffer[] = [];
  running.onStdout((chunk) => chunks.push(chunk));
  const { end, stderr } = await running.result;
  if (end.status === 'exited' && end.code === 0) return Buffer.concat(chunks);
  const why =
    end.status === 'output-limit' ? `they are larger than ${end.outputBytes} bytes` : stderr.text.trim() || end.status;
  throw new ForgeError('git-failed', why.slice(-300));
}

/** `PACK`, version, number of objects. */
function countObjects(pack: Buffer): number {
  return pack.length >= 12 && pack.toString('latin1', 0, 4) === 'PACK' ? pack.readUInt32BE(8) : 0;
}

async function importPack(repo: Repository, workspace: Workspace, pack: Buffer): Promise<void> {
  const quarantine = join(workspace.engineDir, 'quarantine');
  const args = ['index-pack', '--strict', '--fix-thin', '--stdin'];
  const call = { ...objectCall(repo), stdin: pack, timeMs: 120_000 };
  try {
    await mkdir(join(quarantine, 'pack'), { recursive: true });
    await mkdir(join(quarantine, 'info'), { recursive: true });
    await writeFile(join(quarantine, 'info', 'alternates'), alternateLine(repo.objectsDir));
    await git(args, { ...call, objectsDir: quarantine });
  } finally {
    await rm(quarantine, { recursive: true, force: true });
  }
  await git(args, call);
}

async function saveTips(repo: Repository, workspace: Workspace, range: Range): Promise<AgentCommits> {
  const call = { ...objectCall(repo), stdin: revisions(range) };
  const list = await git(['rev-list', '--parents', '--topo-order', '--stdin'], call);
  const parents = new Set<string>();
  const commits: string[] = [];
  for (const line of list.stdout.toString('latin1').split('\n').filter(Boolean)) {
    const [commit = '', ...above] = line.split(' ');
    commits.push(commit);
    for (const parent of above) parents.add(parent);
  }
  const tips = commits.filter((commit) => !parents.has(commit));
  if (tips.length === 0) return nothing;
  const prefix = agentPrefix(workspace.run, workspace.name);
  const first =
    lastNumber(
      (await listRefs(repo, prefix)).map((ref) => ref.ref),
      prefix,
    ) + 1;
  const moves = tips.map((after, at) => ({ ref: `${prefix}${first + at}`, before: undefined, after }));
  const refused = await moveRefs(repo, moves, { reason: 'forge: saved from an agent' });
  if (refused !== undefined) throw new ForgeError('git-failed', `${refused.ref} was made by somebody else`);
  return { tips, authors: await authorsOf(repo, range), notes: [], unsaved: false };
}

async function authorsOf(repo: Repository, range: Range): Promise<readonly Author[]> {
  const args = ['log', '-z', '--no-mailmap', '--max-count=1000', '--format=%an%x00%ae', '--stdin'];
  const { stdout } = await git(args, { ...objectCall(repo), stdin: revisions(range) });
  const fields = stdout.toString('utf8').split('\0');
  const authors: Author[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    authors.push({ name: fields[at] ?? '', email: fields[at + 1] ?? '' });
  return authors;
}
