/**
 * The only place that starts programs. Each child leads its own session and process group, gets exactly the
 * environment and the descriptors of its command, and takes everything it started with it when it ends: a result is only given when the
 * group is gone. Limits on time and output and an abort signal end the tree; the first cause is the one reported.
 * Having no terminal, children cannot push input into one (TIOCSTI).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '../errors.ts';
import { Capture } from './capture.ts';
import { type ControlGroup, makeControlGroup } from './control-group.ts';
import { withDeathSignal } from './death-signal.ts';
import { identifyProcess } from './identity.ts';
import { type StdioEntry, withoutInherited } from './inherited.ts';
import { Output, type StreamName } from './output.ts';
import type {
  Command,
  ProcessEnd,
  ProcessIdentity,
  ProcessResult,
  ResourceLimits,
  ResourceName,
  RunningProcess,
} from './process.ts';
import { watchResources } from './resource-watch.ts';
import { defaultGraceMs, killGroup, killTree } from './tree.ts';

export interface StartOptions {
  /** Ends the tree when aborted. A command started with an aborted signal is killed at once. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a program. What it prints before the first `onStdout` or `onStderr` listener is kept for that listener, up
 * to 1 MiB (a first listener after more than that is a bug and throws). Later listeners see what comes later.
 */
export async function startProcess(command: Command, options: StartOptions = {}): Promise<RunningProcess> {
  const started = await launch(command, options);
  if (started.status === 'not-started') {
    throw new ForgeError('program-missing', started.reason, {
      hint: `Install ${command.program} or correct its name and the PATH it is looked up in.`,
    });
  }
  return started.running;
}

/** Runs a program to its end. A program that cannot be started is a value too. */
export async function runProcess(command: Command, options: StartOptions = {}): Promise<ProcessResult> {
  if (options.signal?.aborted === true) return unstarted({ status: 'aborted' });
  const started = await launch(command, options);
  if (started.status === 'not-started') return unstarted(started);
  started.output.forgetEarly();
  return started.running.result;
}

type Launched =
  | { readonly status: 'started'; readonly running: RunningProcess; readonly output: Output }
  | { readonly status: 'not-started'; readonly reason: string };

async function launch(command: Command, options: StartOptions): Promise<Launched> {
  const startedAt = performance.now();
  const failed = await prepare(command);
  if (failed !== undefined) return { status: 'not-started', reason: failed };
  const output = new Output(command);
  const chosen = command.diesWithParent === true ? withDeathSignal(command) : command;
  const group = command.limits?.group === undefined ? undefined : makeControlGroup(command.limits.group, chosen);
  const launched = group?.command ?? chosen;
  let child: ChildProcess;
  try {
    child = withInputs(command, (stdio) =>
      spawn(launched.program, [...launched.args], {
        cwd: command.cwd,
        env: { ...command.env },
        stdio,
        detached: true,
        shell: false,
        windowsHide: true,
      }),
    );
  } catch (error) {
    // Arguments that no system can pass: a NUL byte, or more than fits.
    output.finish();
    await group?.remove();
    return { status: 'not-started', reason: notStartedReason(command, error) };
  }
  if (child.pid === undefined) {
    const [error] = await once(child, 'error');
    output.finish();
    await group?.remove();
    return { status: 'not-started', reason: notStartedReason(command, error) };
  }
  // Nothing was awaited yet, so the child is at least an uncollected zombie and has an identity.
  const identity = identifyProcess(child.pid);
  if (identity === undefined) {
    child.kill('SIGKILL');
    throw new Error(`process ${child.pid} is not in the process table: is /proc mounted?`);
  }
  const running = supervise({ child, identity, output, command, options, startedAt, group });
  return { status: 'started', running, output };
}

/** Runs what has to be done first. Why it failed, or undefined. */
async function prepare({ program, before = [] }: Command): Promise<string | undefined> {
  for (const step of before) {
    const { end, stderr } = await runProcess({ ...step, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
    if (end.status === 'exited' && end.code === 0) continue;
    return `cannot start ${program}: ${step.program} failed: ${stderr.text.trim().slice(-500) || end.status}`;
  }
  return undefined;
}

/** The standard streams, then the command's own inputs, each a file that has no name any more. */
function withInputs<T>({ stdin, inputs = [] }: Command, use: (stdio: StdioEntry[]) => T): T {
  const files = inputs.map(unnamedFile);
  try {
    return withoutInherited([stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...files], use);
  } finally {
    for (const file of files) closeSync(file);
  }
}

function unnamedFile(bytes: Uint8Array): number {
  const directory = mkdtempSync(join(tmpdir(), 'forge-input-'));
  try {
    const path = join(directory, 'input');
    writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' });
    return openSync(path, 'r');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Supervised {
  readonly child: ChildProcess;
  readonly identity: ProcessIdentity;
  readonly output: Output;
  readonly command: Command;
  readonly options: StartOptions;
  readonly startedAt: number;
  readonly group: ControlGroup | undefined;
}

function supervise(job: Supervised): RunningProcess {
  const { child, identity, output, command, options, group } = job;
  let cause: ProcessEnd | undefined;
  let ending: Promise<void> | undefined;
  let exited = false;

  const stop = (why: ProcessEnd, graceMs: number): void => {
    // What it wrote before it ended may be read only now: too much is too much, also of an ended program.
    if (cause !== undefined || (exited && why.status !== 'output-limit')) return;
    cause = why;
    if (exited) return;
    ending = killTree(identity, graceMs);
    // Its failure is reported by the result, which waits for it.
    ending.catch(() => undefined);
  };
  const read = (stream: StreamName): void => {
    child[stream]?.on('data', (chunk: Buffer) => {
      if (output.take(stream, chunk)) return;
      child.stdout?.destroy();
      child.stderr?.destroy();
      stop({ status: 'output-limit', outputBytes: command.limits?.outputBytes ?? 0 }, 0);
    });
    child[stream]?.on('error', () => undefined);
  };
  read('stdout');
  read('stderr');
  feed(child, command.stdin);

  const resources = command.limits?.resources;
  const watch =
    resources === undefined
      ? undefined
      : watchResources({
          pid: identity.pid,
          limits: resources,
          excess: group === undefined ? undefined : () => group.excess(),
          measure: diskUse,
          onExcess: (resource) => stop(excessEnd(resources, resource), 0),
        });

  const timeMs = command.limits?.timeMs;
  const timer =
    timeMs === undefined
      ? undefined
      : setTimeout(() => stop({ status: 'timed-out', timeMs }, defaultGraceMs), Math.min(timeMs, longestTimer));
  const abort = (): void => stop({ status: 'aborted' }, defaultGraceMs);
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted === true) stop({ status: 'aborted' }, 0);

  const finish = async (): Promise<ProcessResult> => {
    const closed = new Promise((settle) => child.once('close', settle));
    const ended = await exitOf(child);
    exited = true;
    watch?.stop();
    // Of what the kernel ended nobody may have heard yet.
    const excess = group?.excess();
    if (excess !== undefined && resources !== undefined) cause ??= excessEnd(resources, excess);
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
    await ending;
    await killGroup(identity);
    await group?.remove();
    await drained(closed);
    child.stdout?.destroy();
    child.stderr?.destroy();
    const kept = output.finish();
    return { end: cause ?? ended, ...kept, durationMs: performance.now() - job.startedAt };
  };
  const result = finish();
  // A caller who only kills need not look at the result.
  result.catch(() => undefined);

  return {
    identity,
    stdin: command.stdin === 'open' ? (child.stdin ?? undefined) : undefined,
    onStdout: (listener) => output.listen('stdout', listener),
    onStderr: (listener) => output.listen('stderr', listener),
    async kill(graceMs = defaultGraceMs) {
      if (!exited) await killTree(identity, graceMs);
      await result.catch(() => undefined);
    },
    setAwaited(isAwaited) {
      // Pipes of a child are sockets, whatever their type says.
      const handles = [child, timer, child.stdin, child.stdout, child.stderr] as readonly (
        | Holding
        | null
        | undefined
      )[];
      for (const handle of handles) {
        if (isAwaited) handle?.ref?.();
        else handle?.unref?.();
      }
    },
    result,
  };
}

/** What can keep the event loop from ending. */
interface Holding {
  ref?(): unknown;
  unref?(): unknown;
}

function excessEnd({ memoryBytes, diskBytes, processes }: ResourceLimits, resource: ResourceName): ProcessEnd {
  const limit = { memory: memoryBytes, disk: diskBytes, processes }[resource];
  return { status: 'resource-limit', resource, limit };
}

/** Bytes that directories take on disk, together. */
async function diskUse(paths: readonly string[]): Promise<number> {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  const { stdout } = await runProcess({ program: 'du', args: ['-sckx', '--', ...paths], cwd: '/', env });
  return Number(/^(\d+)\s+total$/m.exec(stdout.text)?.[1] ?? 0) * 1024;
}

/** The largest delay a timer takes; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Waits for the end of the output, but not forever: without a jail a grandchild in a session of its own may hold it
 * open. Counted in rounds, because each lets all that has arrived be read, even after the event loop was blocked.
 */
async function drained(closed: Promise<unknown>): Promise<void> {
  const end = closed.then(() => 'closed');
  for (let round = 0; round < 20; round += 1) {
    if ((await Promise.race([end, sleep(50)])) === 'closed') return;
  }
}

function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((settle) => {
    child.once('exit', (code, signal) => {
      settle(code === null ? { status: 'signalled', signal: signal ?? 'unknown' } : { status: 'exited', code });
    });
  });
}

function feed(child: ChildProcess, stdin: Command['stdin']): void {
  // A child that does not read its input is not a failure of ours.
  child.stdin?.on('error', () => undefined);
  if (stdin !== undefined && stdin !== 'open') child.stdin?.end(stdin);
}

function notStartedReason(command: Command, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!existsSync(command.cwd)) return `cannot start ${command.program}: the directory ${command.cwd} does not exist`;
  if (code === 'ENOENT') return `cannot start ${command.program}: no such program`;
  if (code === 'EACCES') return `cannot start ${command.program}: not executable, or the directory cannot be entered`;
  return `cannot start ${command.program}: ${message}`;
}

function unstarted(end: ProcessEnd): ProcessResult {
  const nothing = new Capture({ headBytes: 0, tailBytes: 0 }).captured();
  return { end, stdout: nothing, stderr: nothing, durationMs: 0 };
}
