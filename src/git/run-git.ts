/**
 * The only caller of git. Arguments are arrays, the environment is written from nothing, no hook, no
 * monitor, no signature, no prompt, no system or global configuration: the same call gives the same answer on
 * every machine. `config: 'user'` lets the user's own global settings in, and only for reading or moving the
 * user's own checkout. Output is bytes and complete; git that fails is a ForgeError.
 */
import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError, machineFailureIn } from '../errors.ts';
import { isIdle } from '../process/process-table.ts';
import type { Command, ProcessResult, RunningProcess } from '../process/process.ts';
import { startProcess } from '../process/spawn.ts';
import { findPlantedPipe, type GitPlaces } from './planted-pipe.ts';

export interface GitCall {
  readonly cwd: string;
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** Reads and writes objects there instead of in the git directory. */
  readonly objectsDir?: string;
  /** `open` is for the one who starts a git to talk to. */
  // oxlint-disable-next-line typescript/no-redundant-type-constituents -- the word is part of the contract
  readonly stdin?: string | Uint8Array | 'open';
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers. Default: 0 only. */
  readonly answers?: readonly number[];
  readonly config?: 'none' | 'user';
  /** For the one command that cannot take paths literally. */
  readonly pathspecs?: boolean;
  /** For commands whose time somebody else's input decides. */
  readonly timeMs?: number;
  readonly signal?: AbortSignal;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export async function git(args: readonly string[], call: GitCall): Promise<GitOutput> {
  const chunks: Buffer[] = [];
  const running = await startGit(args, call);
  running.onStdout((chunk) => chunks.push(chunk));
  const { result, pipe } = await endOrPipe(running, call);
  if (pipe !== undefined) {
    throw new ForgeError('git-failed', `git ${commandName(args)} waits for ${pipe}, which is a pipe and not a file`, {
      hint: 'Remove it, or put a plain file there.',
    });
  }
  const stderr = result.stderr.text.trim();
  if (result.end.status !== 'exited') {
    throw new ForgeError('git-failed', `git ${commandName(args)} did not end by itself (${result.end.status})`);
  }
  if (!(call.answers ?? [0]).includes(result.end.code)) {
    const name = commandName(args);
    throw (
      machineFailureIn(stderr, `git ${name}`) ??
      new ForgeError('git-failed', `git ${name} failed (exit ${result.end.code}): ${lastLines(stderr)}`)
    );
  }
  return { code: result.end.code, stdout: Buffer.concat(chunks), stderr };
}

/** For answers that are one line: ids, names, paths. Only the final newline is removed. */
export async function gitLine(args: readonly string[], call: GitCall): Promise<string> {
  const { stdout } = await git(args, call);
  return stdout.toString('utf8').replace(/\n$/, '');
}

/** How many were started in this process, by sub-command. Tests and benchmarks read it; nothing is decided by it. */
export const gitStarted = new Map<string, number>();

/** For a git that is talked to while it runs; whoever starts it ends it. */
export async function startGit(args: readonly string[], call: GitCall): Promise<RunningProcess> {
  const command: Command = {
    program: 'git',
    args: [...fixedArguments(call), ...args],
    cwd: call.cwd,
    env: environment(call),
    ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
    // Only what reads a checkout or finds its own git directory can meet something that it waits for.
    ...(readsCheckout(call) ? { diesWithParent: true } : {}),
    // The bytes are collected by the caller; what the process room keeps is for the message of a failure.
    limits: { timeMs: call.timeMs ?? gitTimeMs, headBytes: 0, tailBytes: 4096 },
  };
  const name = commandName(args);
  gitStarted.set(name, (gitStarted.get(name) ?? 0) + 1);
  try {
    return await startProcess(command, call.signal === undefined ? {} : { signal: call.signal });
  } catch (error) {
    if (!(error instanceof ForgeError) || !existsSync(call.cwd)) throw error;
    throw new ForgeError('git-missing', error.message, { hint: 'Install git 2.38 or newer and put it on PATH.' });
  }
}

function readsCheckout({ config, workTree }: GitCall): boolean {
  return config === 'user' || workTree !== undefined;
}

/** Whether it ends, or waits for a pipe in the repository: then it is ended. */
async function endOrPipe(
  running: RunningProcess,
  call: GitCall,
): Promise<{ readonly result: ProcessResult; readonly pipe?: string }> {
  for (;;) {
    const stopped = new AbortController();
    const slow = sleep(slowMs, 'slow' as const, { signal: stopped.signal, ref: false }).catch(() => 'slow' as const);
    const first = await Promise.race([running.result, slow]);
    stopped.abort();
    if (first !== 'slow') return { result: first };
    const pipe = isIdle(running.identity.pid) ? await findPlantedPipe(placesOf(call)) : undefined;
    if (pipe === undefined) continue;
    await running.kill(0);
    return { result: await running.result, pipe };
  }
}

/** How long a git may take before somebody looks whether it waits for a pipe. */
const slowMs = 1000;

function placesOf(call: GitCall): GitPlaces {
  if (call.gitDir !== undefined) return { root: call.workTree, gitDir: call.gitDir };
  for (let at = call.cwd; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return { root: at, gitDir: join(at, '.git') };
    if (at === dirname(at)) return { root: undefined, gitDir: undefined };
  }
}

/** No git command of ours comes near this; it only keeps a run from hanging forever. */
const gitTimeMs = 30 * 60_000;

const overrides = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.pager=cat',
  'core.editor=false',
  'core.askPass=true',
  'core.splitIndex=false',
  // Facts are flushed before they count; the objects and refs they name must not be younger than they are.
  'core.fsync=committed,loose-object,reference',
  'core.fsyncMethod=batch',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'advice.detachedHead=false',
];

/** What would make the engine's answers depend on a person's taste. */
const neutral = [
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.autocrlf=false',
  'core.safecrlf=false',
];

function fixedArguments(call: GitCall): string[] {
  const settings = call.config === 'user' ? overrides : [...overrides, ...neutral];
  return [
    '--no-pager',
    ...(call.pathspecs === true ? [] : ['--literal-pathspecs']),
    ...settings.flatMap((setting) => ['-c', setting]),
    ...(call.gitDir === undefined ? [] : [`--git-dir=${call.gitDir}`]),
    ...(call.workTree === undefined ? [] : [`--work-tree=${call.workTree}`]),
  ];
}

function environment(call: GitCall): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
  };
  if (call.config === 'user') {
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'USER', 'LOGNAME']) {
      const value = process.env[name];
      if (value !== undefined) env[name] = value;
    }
  } else {
    env['GIT_CONFIG_NOSYSTEM'] = '1';
    env['GIT_CONFIG_GLOBAL'] = '/dev/null';
    env['GIT_ATTR_NOSYSTEM'] = '1';
  }
  if (call.indexFile !== undefined) env['GIT_INDEX_FILE'] = call.indexFile;
  if (call.objectsDir !== undefined) env['GIT_OBJECT_DIRECTORY'] = call.objectsDir;
  return { ...env, ...call.env };
}

/** The sub-command alone: arguments may hold anything. */
function commandName(args: readonly string[]): string {
  return args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? args[0] ?? '';
}

/** The end of what git said, in whole lines: a reason that is cut in the middle of a word helps nobody. */
export function lastLines(text: string, most = 1000): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const kept: string[] = [];
  let length = 0;
  for (const line of lines.toReversed()) {
    length += line.length + 1;
    if (kept.length > 0 && length > most) break;
    kept.unshift(line.length > most ? `${line.slice(0, most)}…` : line);
  }
  return kept.length === 0 ? 'it said nothing' : kept.join('\n');
}
