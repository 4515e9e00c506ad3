/**
 * The engine's contract: runs that survive their process. Today one implementation, on files of one
 * machine; another (a database, workers anywhere) has to pass the same kill-anywhere suite.
 */
import type { ExecutionEnd } from './execution.ts';
import type { Fact, RefMove, SignalInput } from './facts.ts';
import type { RunState } from './run-state.ts';

export interface Engine {
  start(request: StartRequest, options?: RunOptions): Promise<RunHandle>;
  resume(run: string, options?: ResumeOptions): Promise<RunHandle>;
  /**
   * Tries tasks again that were not done, with whatever was skipped; the run goes on from there, even one that was over.
   * Without any task, a run whose commits are gone goes back to the last place where all are there.
   */
  retry(run: string, task: string | readonly string[], options?: ResumeOptions): Promise<RunHandle>;
  /** Opens a run that is over to put its result on a branch that has moved; it then ends as it had ended. */
  land(
    run: string,
    wish: { readonly branch: string; readonly commit: string },
    options?: ResumeOptions,
  ): Promise<RunHandle>;
  /** Posts to a run's inbox, whether or not a process is at work on it. Returns the message's id. */
  signal(run: string, signal: SignalInput): Promise<string>;
  /**
   * Writes down refs that were moved outside a workflow: a landing, an undo. `known` is how many moves the journal held
   * before: one that was written down since is not written again.
   */
  recordRefs(run: string, moves: readonly RefMove[], known?: number): Promise<void>;
  /** All facts so far, then each one as it is written, until the run is over or the signal aborts. */
  watch(run: string, signal: AbortSignal): AsyncIterable<Fact>;
  list(): Promise<readonly RunListing[]>;
  /** Whether a run of that name was begun. */
  has(run: string): boolean;
  /** All facts of a run; throws what is wrong with its journal. */
  facts(run: string): readonly Fact[];
  /** Where a run's files are, whether or not it was begun: for those that lie beside its journal. */
  directoryOf(run: string): string;
  read(run: string): Promise<RunListing>;
}

export interface StartRequest {
  readonly run: string;
  readonly title: string;
  readonly workflow: string;
  readonly base: string;
  readonly branch?: string | undefined;
  readonly root: string;
  readonly input: unknown;
  readonly settings: unknown;
}

export interface RunOptions {
  readonly whenWaiting?: 'stay' | 'leave';
  readonly onFact?: (fact: Fact) => void;
}

export interface ResumeOptions extends RunOptions {
  /** Take the run from another host's process, which may still believe it holds it. */
  readonly takeOver?: boolean;
  /** Posted to the run once it is this process's, before anything of it goes on: a refused resume changes nothing. */
  readonly posts?: readonly SignalInput[];
}

export interface RunHandle {
  readonly run: string;
  readonly state: Readonly<RunState>;
  /** Ends this process's work on the run; the run can be resumed. */
  pause(detail: string): void;
  readonly ended: Promise<ExecutionEnd>;
}

/** `interrupted`: the journal says running, but the process that held it is gone. */
export type ListedStatus = RunState['status'] | 'interrupted' | 'unreadable';

export interface RunListing {
  readonly run: string;
  readonly status: ListedStatus;
  readonly directory: string;
  /** Undefined when the journal can not be read; `problem` then says why. */
  readonly state: Readonly<RunState> | undefined;
  readonly problem: string | undefined;
}
