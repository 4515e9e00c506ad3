/**
 * Runs one command once, in the jail, in a checkout. The environment is written from nothing: no variable of Forge's
 * own reaches the code under test. Readers see megabytes of the output, a report keeps kilobytes, the log has it all.
 * Nothing of the command is left when this returns. Aborting throws the signal's reason: that is not a result.
 */
import { existsSync } from 'node:fs';
import { lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { RunnerName } from '../evidence/runner-command.ts';
import { isInside } from '../git/data-dir.ts';
import type { Workspace } from '../git/git.ts';
import type { VerifyCommand } from '../plan/command-line.ts';
import type { JailPolicy } from '../process/jail.ts';
import { type Captured, describeExcess, type ProcessResult } from '../process/process.ts';
import { startProcess } from '../process/spawn.ts';
import type { CheckDeps, CommandRun } from './check.ts';
import { computeInWorker } from './compute-in-worker.ts';
import { keptOutput } from './kept-output.ts';
import { missingProgram } from './missing-program.ts';
import { readResultFiles } from './result-files.ts';

export interface RunPlace {
  readonly checkout: Workspace;
  readonly logFile: string;
  /** The test runner behind the command, where it is known. */
  readonly runner?: RunnerName | undefined;
}

export async function runCommand(
  deps: CheckDeps,
  place: RunPlace,
  command: VerifyCommand,
  signal: AbortSignal,
): Promise<CommandRun> {
  signal.throwIfAborted();
  const { checkout, logFile } = place;
  await mkdir(join(logFile, '..'), { recursive: true });
  await rm(logFile, { force: true });
  const cwd = await findDirectory(checkout.tree, command.cwd);
  if (cwd === undefined) return notStarted(`the directory ${command.cwd} does not exist in the commit`, undefined);
  const since = Date.now();
  const result = await runJailed(deps, { ...place, command, cwd }, signal);
  // Aborted by the signal, or ended by itself at that very moment: either way nobody wants the result any more.
  signal.throwIfAborted();
  if (typeof result === 'string') return unexecutable(command, result);
  const obstacle = execFailure(result);
  if (obstacle !== undefined) return unexecutable(command, obstacle);
  const files = await readResultFiles({ tree: checkout.tree, cwd: command.cwd, argv: command.argv, since });
  const printed = { stdout: result.stdout.text, stderr: result.stderr.text, files, root: checkout.tree };
  const read = await computeInWorker('readResults', { argv: command.argv, runner: place.runner, ...printed });
  const results = read.status === 'done' ? read.value : undefined;
  return {
    ...(read.status === 'done' ? describeEnd(result, command) : unreadable(read.reason)),
    missing: missingIn(result),
    durationMs: Math.round(result.durationMs),
    counts: results?.counts,
    reader: results?.reader,
    output: await keptOutput(logFile),
    printed,
  };
}

/** Output that cannot be read within limits shows nothing, whatever the exit code says. */
function unreadable(why: string): Pick<CommandRun, 'end' | 'exit' | 'reason'> {
  return { end: 'output-limit', exit: null, reason: `its results could not be read: ${why}` };
}

/** What the code under test finds in its environment, but for HOME and TMPDIR, which the jail sets. */
export function checkEnvironment(deps: CheckDeps): Readonly<Record<string, string>> {
  const own = (process.env['PATH'] ?? '').split(delimiter);
  const path = [...(deps.path ?? []), ...own].filter((directory) => isAbsolute(directory));
  return {
    // A relative directory would let the commit choose the programs that judge it.
    PATH: path.length === 0 ? '/usr/local/bin:/usr/bin:/bin' : path.join(delimiter),
    LANG: 'C.UTF-8',
    CI: '1',
    // Several runners colour their output as soon as they see CI.
    NO_COLOR: '1',
    GIT_TERMINAL_PROMPT: '0',
    npm_config_update_notifier: 'false',
    // Without a network npm would try for minutes.
    ...(deps.network === 'on' ? {} : { npm_config_offline: 'true' }),
    ...deps.env,
  };
}

const defaultOutputBytes = 64 * 1024 * 1024;

/** For the readers: beginning and end of each stream. */
const readerLimits = { headBytes: 1024 * 1024, tailBytes: 4 * 1024 * 1024 };

type Obstacle = 'not installed' | 'not executable';

interface Job extends RunPlace {
  readonly command: VerifyCommand;
  readonly cwd: string;
}

async function runJailed(deps: CheckDeps, job: Job, signal: AbortSignal): Promise<ProcessResult | Obstacle> {
  const { checkout, command } = job;
  const [program, ...args] = command.argv;
  const policy: JailPolicy = {
    writable: [checkout.tree],
    // Settings name caches of tools that may never have run here.
    readable: [...checkout.readable, ...(deps.readable ?? []).filter((path) => existsSync(path))],
    home: checkout.home,
    tmp: checkout.tmp,
    network: deps.network ?? 'loopback',
  };
  const wrapped = deps.jail.wrap(
    {
      program,
      args,
      cwd: job.cwd,
      env: { ...checkEnvironment(deps), GIT_CEILING_DIRECTORIES: checkout.root, ...command.env },
      limits: { timeMs: command.timeoutMs, outputBytes: deps.outputBytes ?? defaultOutputBytes, ...readerLimits },
      logFile: job.logFile,
      ...(deps.redactor === undefined ? {} : { redactor: deps.redactor }),
    },
    policy,
  );
  try {
    const running = await startProcess(wrapped, { signal });
    try {
      await deps.started?.(running.identity);
    } catch (error) {
      await running.kill(0);
      throw error;
    }
    return await running.result;
  } catch (error) {
    // In a jail it is the jail that could not be started.
    if (deps.jail.name !== 'none' || !(error instanceof ForgeError) || error.code !== 'program-missing') throw error;
    return error.message.includes('not executable') ? 'not executable' : 'not installed';
  }
}

/** The working directory, unless it is none or a symlink of the commit leads it out of the tree. */
async function findDirectory(tree: string, cwd: string): Promise<string | undefined> {
  const path = join(tree, cwd);
  const [found, real, root] = await Promise.all([
    lstat(path).catch(() => undefined),
    realpath(path).catch(() => undefined),
    realpath(tree),
  ]);
  return found?.isDirectory() === true && real !== undefined && isInside(real, root) ? path : undefined;
}

function notStarted(reason: string, missing: string | undefined): CommandRun {
  const text = `${reason}\n`;
  return {
    end: 'not-started',
    exit: 127,
    reason,
    missing,
    durationMs: 0,
    counts: undefined,
    reader: undefined,
    output: text,
    printed: { stdout: '', stderr: text },
  };
}

/** A program of the repository may come with a later commit; one of the system has to be there. */
function unexecutable({ argv: [program] }: VerifyCommand, why: Obstacle): CommandRun {
  return program.includes('/')
    ? notStarted(`${program} is ${why === 'not installed' ? 'not in the commit' : why}`, undefined)
    : notStarted(`${program} is ${why}`, program);
}

/** Inside the jail the program is looked up by the last that becomes it, which then has this one thing to say. */
const startFailure =
  /^(?:bwrap: execvp .+|(?:setpriv|prlimit): failed to execute .+|env: .+): (No such file or directory|Permission denied)\n?$/;

function execFailure({ end, stdout, stderr }: ProcessResult): Obstacle | undefined {
  if (end.status !== 'exited' || ![1, 126, 127].includes(end.code) || stdout.totalBytes > 0) return undefined;
  const [, why] = startFailure.exec(only(stderr)) ?? [];
  if (why === undefined) return undefined;
  return why === 'Permission denied' ? 'not executable' : 'not installed';
}

function missingIn({ end, stdout, stderr }: ProcessResult): string | undefined {
  if (end.status !== 'exited' || end.code === 0) return undefined;
  return missingProgram({ exit: end.code, stdout: stdout.text, stderr: stderr.text });
}

function only(stream: Captured): string {
  return stream.totalBytes > 4096 ? '' : stream.text;
}

function describeEnd({ end }: ProcessResult, command: VerifyCommand): Pick<CommandRun, 'end' | 'exit' | 'reason'> {
  switch (end.status) {
    case 'exited':
      return { end: 'exited', exit: end.code, reason: undefined };
    case 'signalled':
      return { end: 'signalled', exit: null, reason: `ended by ${end.signal}` };
    case 'timed-out':
      return { end: 'timed-out', exit: 124, reason: `timed out after ${command.timeoutMs / 1000} s` };
    case 'output-limit':
      return { end: 'output-limit', exit: null, reason: `stopped after ${end.outputBytes} bytes of output` };
    case 'resource-limit':
      return { end: 'output-limit', exit: null, reason: `stopped: ${describeExcess(end)}` };
    case 'not-started':
    case 'aborted':
      break;
  }
  throw new Error(`a started command ended as ${end.status}`);
}
