/**
 * One job as a contained process: what every driver that starts a program shares. The program runs only
 * after the fact that it was started is on disk; it is watched, its output is bounded, and when the promise
 * settles nothing of its tree is left. An abort is an interruption, never an outcome: the tree is ended,
 * then the signal's reason is thrown.
 */
import type { Command, ProcessEnd, RunningProcess } from '../process/process.ts';
import type { Redactor } from '../process/redact.ts';
import { startProcess } from '../process/spawn.ts';
import type { AgentJob, AgentSink } from './agent.ts';
import { agentEnvironment } from './environment.ts';
import { type LineReader, readLines, shownText, type TextLine } from './text-lines.ts';
import { type Bark, steadyClock, type WatchClock, watchAgent } from './watchdog.ts';

export interface JobProgram {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the jail must show besides the workspace's own policy. */
  readonly readable?: readonly string[];
  readonly input: string;
  /** Lines of standard output, not redacted. Standard error goes to the transcript. */
  readonly onLines: (lines: readonly TextLine[]) => void;
  readonly maxLineLength: number;
}

export interface JobContext {
  readonly sink: AgentSink;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly clock?: WatchClock | undefined;
}

export interface JobEnd {
  readonly end: ProcessEnd | Bark;
  readonly durationMs: number;
}

const maxErrorLine = 64 * 1024;

export async function runJob(job: AgentJob, program: JobProgram, context: JobContext): Promise<JobEnd> {
  const { signal, sink, clock = steadyClock } = context;
  signal.throwIfAborted();
  const startedAt = clock.now();
  const running = await startProcess(contained(job, program));
  const settled = new AbortController();
  const broken = new AbortController();
  try {
    const heard = listen(running, program, { ...context, onFailure: (error) => broken.abort(error) });
    const work = async (): Promise<ProcessEnd | Bark> => {
      await sink.started(running.identity);
      running.stdin?.end(`${gateWord}\n${program.input}`);
      const watch = { pid: running.identity.pid, tree: job.workspace.tree, limits: job.limits, clock };
      const bark = await Promise.race([
        running.result.then(() => undefined),
        watchAgent({ ...watch, outputBytes: heard.bytes }, settled.signal),
      ]);
      if (bark !== undefined) await running.kill();
      const { end } = await running.result;
      heard.end();
      return bark ?? end;
    };
    const end = await Promise.race([work(), whenAborted(AbortSignal.any([signal, broken.signal]), settled.signal)]);
    if (end.status === 'idle' || end.status === 'timed-out') sink.entry({ type: 'note', text: explain(end) });
    return { end, durationMs: Math.max(0, Math.round(clock.now() - startedAt)) };
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
  return jail.wrap(command, { ...policy, readable: [...policy.readable, ...(program.readable ?? [])] });
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

function explain(end: ProcessEnd | Bark): string {
  if (end.status === 'idle') return `Ended: no output, file change or CPU use for ${end.idleMs} ms.`;
  return 'Ended: its time was over.';
}
