/**
 * One job as a contained process: what every driver that starts a program shares. The program runs only
 * after the fact that it was started is on disk; it is watched, its output is bounded, and when the promise
 * settles nothing of its tree is left. An abort is an interruption, never an outcome: the tree is ended,
 * then the signal's reason is thrown.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, ProcessEnd, RunningProcess } from '../process/process.ts';
import type { Redactor } from '../process/redact.ts';
import { startProcess } from '../process/spawn.ts';
import type { AgentJob, AgentSink } from './agent.ts';
import { agentEnvironment } from './environment.ts';
import { type LineReader, readLines, shownText, type TextLine } from './text-lines.ts';
import { steadyClock, type WatchClock, type WatchdogVerdict, watchAgent } from './watchdog.ts';

export interface JobProgram {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the jail must show besides the workspace's own policy. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** Of the readable paths, those that were made for this job. */
  readonly given?: readonly string[];
  /** What of the workspace it must not see. */
  readonly hidden?: readonly string[];
  /** Its whole standard input, or a conversation over it. */
  readonly input: string | Conversation;
  /** Lines of standard output, not redacted. Standard error goes to the transcript. */
  readonly onLines: (lines: readonly TextLine[]) => void;
  readonly maxLineLength: number;
}

/** Talks with a program whose standard input stays open. What the program says comes through `onLines`. */
export interface Conversation {
  /** Resolves when there is nothing more to say: then the program is ended. Rejects only when the job must fail. */
  converse(stdin: NodeJS.WritableStream): Promise<void>;
  /** Asks the program to leave off before its tree is ended. Takes bounded time and never rejects. */
  windDown(): Promise<void>;
  /** The program is gone and all it said was heard: `converse` must settle now. */
  hangUp(): void;
}

export interface JobContext {
  readonly sink: AgentSink;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly clock?: WatchClock | undefined;
}

export interface JobEnd {
  readonly end: ProcessEnd | WatchdogVerdict;
  readonly durationMs: number;
}

const maxErrorLine = 64 * 1024;
/** How long a program may take to end by itself once its conversation is over. */
const exitGraceMs = 3000;

export async function runJob(job: AgentJob, program: JobProgram, context: JobContext): Promise<JobEnd> {
  const { signal, sink, clock = steadyClock } = context;
  signal.throwIfAborted();
  const startedAt = clock.now();
  const running = await startProcess(contained(job, program));
  const conversation = typeof program.input === 'string' ? undefined : program.input;
  const settled = new AbortController();
  const broken = new AbortController();
  try {
    const heard = listen(running, program, { ...context, onFailure: (error) => broken.abort(error) });
    const work = async (): Promise<ProcessEnd | WatchdogVerdict> => {
      await sink.started(running.identity);
      const talk = begin(running, program.input);
      const watch = { pid: running.identity.pid, tree: job.workspace.tree, limits: job.limits, clock };
      const bark = await Promise.race([
        running.result.then(() => undefined),
        talk.then(() => leave(running)),
        watchAgent({ ...watch, outputBytes: heard.bytes }, settled.signal),
      ]);
      if (bark !== undefined) {
        await conversation?.windDown();
        await running.kill();
      }
      const { end } = await running.result;
      heard.end();
      conversation?.hangUp();
      if (conversation !== undefined) await talk;
      return bark ?? end;
    };
    const end = await Promise.race([work(), whenAborted(AbortSignal.any([signal, broken.signal]), settled.signal)]);
    if (end.status === 'idle' || end.status === 'timed-out') sink.entry({ type: 'note', text: explain(end) });
    return { end, durationMs: Math.max(0, Math.round(clock.now() - startedAt)) };
  } catch (error) {
    if (signal.aborted) await conversation?.windDown();
    throw error;
  } finally {
    settled.abort();
    await running.kill();
  }
}

/**
 * The shell waits for a word before it becomes the program: nothing of the agent runs before its start is recorded,
 * and if Forge dies before that, it reads the end of the file and never runs. The arguments are not interpreted.
 */
const gateWord = 'go';
const gate = ['-c', `IFS= read -r word && [ "$word" = ${gateWord} ] && exec "$@"`, 'forge-gate'];

/** Opens the gate. Resolves at the end of a conversation; without one, never. */
function begin({ stdin }: RunningProcess, input: JobProgram['input']): Promise<void> {
  if (stdin === undefined) throw new Error('a job without standard input');
  if (typeof input === 'string') {
    stdin.end(`${gateWord}\n${input}`);
    return new Promise(() => {});
  }
  stdin.write(`${gateWord}\n`);
  const talk = input.converse(stdin);
  // Whoever ends the job first need not look at it.
  talk.catch(() => {});
  return talk;
}

/** Closes the input, which ends a well-behaved program, and ends it otherwise. */
async function leave(running: RunningProcess): Promise<undefined> {
  running.stdin?.end();
  const ended = new AbortController();
  const gone = running.result.finally(() => ended.abort());
  await Promise.race([gone, sleep(exitGraceMs, undefined, { signal: ended.signal }).catch(() => {})]);
  await running.kill();
}

function contained(job: AgentJob, program: JobProgram): Command {
  const { jail, policy, tree } = job.workspace;
  const command: Command = {
    program: '/bin/sh',
    args: [...gate, ...program.argv],
    cwd: tree,
    env: agentEnvironment(job, program.env),
    stdin: 'open',
    limits: { outputBytes: job.limits.outputBytes, headBytes: 0, tailBytes: 0 },
  };
  const { readable = [], writable = [], hidden = [], given = [] } = program;
  return jail.wrap(command, {
    ...policy,
    readable: [...policy.readable, ...readable],
    writable: [...policy.writable, ...writable],
    hidden: [...(policy.hidden ?? []), ...hidden],
    given: [...(policy.given ?? []), ...given],
  });
}

interface Listening extends JobContext {
  /** A sink that throws, on a full disk for example, must end the job and not the whole of Forge. */
  readonly onFailure: (error: unknown) => void;
}

function listen(running: RunningProcess, program: JobProgram, { sink, redactor, onFailure }: Listening) {
  let bytes = 0;
  const stdout = readLines(program.maxLineLength, program.onLines);
  const stderr = readLines(maxErrorLine, (lines) => sink.entry({ type: 'output', text: shownText(lines, redactor) }));
  const into = (reader: LineReader) => (chunk: Buffer) => {
    bytes += chunk.length;
    try {
      reader.push(chunk);
    } catch (error) {
      onFailure(error);
    }
  };
  running.onStdout(into(stdout));
  running.onStderr(into(stderr));
  const end = () => {
    stdout.end();
    stderr.end();
  };
  return { bytes: () => bytes, end };
}

function whenAborted(signal: AbortSignal, settled: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: settled });
  });
}

function explain(end: ProcessEnd | WatchdogVerdict): string {
  if (end.status === 'idle') return `Ended: no output, file change or CPU use for ${end.idleMs} ms.`;
  return 'Ended: its time was over.';
}
