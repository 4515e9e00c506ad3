/**
 * The engine's contract: runs that survive their process, reached by name alone. Nobody outside `engine/` knows how a
 * run is kept. Today one implementation, on files of one machine (`files/`); another (a database, workers anywhere)
 * adds an implementation and has to pass the same suite, kills included (`test/contract/engine.contract.ts`).
 */
import type { LineMatches, LinePage } from '../files/line-index.ts';
import type { ExecutionEnd } from './execution.ts';
import type { Fact, RefMove, Signal, SignalInput } from './facts.ts';
import type { RunArtifacts } from './run-artifacts.ts';
import type { RunState } from './run-state.ts';
import type { SummaryState } from './run-summary.ts';

/** For those who look, and those who leave a message. Takes no lease and changes no run. */
export interface RunReader {
  /** Every run in short. Costs what is new since the last look, not what is there. */
  list(options?: SummaryOptions): Promise<readonly RunSummary[]>;
  /** One run in short. */
  summarize(run: string, options?: SummaryOptions): Promise<RunSummary>;
  /** One run with its whole state. */
  read(run: string): Promise<RunListing>;
  /** Whether a run of that name was begun. */
  has(run: string): Promise<boolean>;
  /** The facts after the one with this number, by default all; throws what is wrong with the journal. */
  facts(run: string, after?: number): Promise<readonly Fact[]>;
  /** The facts after the one with this number, then each one as it is written, until the run is over or the signal aborts. */
  watch(run: string, signal: AbortSignal, after?: number): AsyncIterable<Fact>;
  /** For those who look again and again: what was written since the last look. */
  tail(run: string): FactTail;
  /** Lines of the journal as they were written, which a person or another program may want to verify. The number of a line is its fact's. */
  journal(run: string, from: number, count: number): Promise<LinePage>;
  searchJournal(run: string, fits: (line: string) => boolean, most: number): Promise<LineMatches>;
  /** What was posted to a run and not taken up yet, oldest first. */
  messages(run: string): Promise<readonly Message[]>;
  /** Leaves a message for whoever works on the run now or next. Returns the message's id. */
  post(run: string, signal: Signal): Promise<string>;
  /** What a run keeps beside its facts. Works for a name whose run was not begun yet. */
  artifacts(run: string): RunArtifacts;
  /** Where a run is kept, as a person would look for it. Only ever shown. */
  describePlace(run: string): string;
}

export interface SummaryOptions {
  /** False: leave out where a run stands in words, which may cost as much as reading it. */
  readonly withStanding?: boolean;
}

export interface FactTail {
  /** Facts since the last call. Of a long journal only some: call again until there are none. */
  next(): Promise<readonly Fact[]>;
  /** Calls back when there may be more; also once a second. Returns how to stop that. */
  onChange(listener: () => void): () => void;
}

export interface Engine extends RunReader {
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
  /** The same for what was not checked yet. */
  signal(run: string, signal: SignalInput): Promise<string>;
  /**
   * Writes down refs that were moved outside a workflow: a landing, an undo. `known` is how many moves the journal held
   * before: one that was written down since is not written again.
   */
  recordRefs(run: string, moves: readonly RefMove[], known?: number): Promise<void>;
  /** Has those who follow a run do what the last process that held it did not get to. Writes no fact. */
  catchUp(run: string): Promise<void>;
  /** Removes a run with everything that is kept beside its facts. The caller has made sure that nobody works on it. */
  remove(run: string): Promise<void>;
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
  /** Posted to the run before its first fact, so that they are there when they are asked for. */
  readonly posts?: readonly SignalInput[];
}

export interface RunOptions {
  readonly whenWaiting?: 'stay' | 'leave';
  /** Called with the facts so far when this process opens the run, before `onFact` is called for the first time. */
  readonly onOpen?: (facts: readonly Fact[]) => void;
  readonly onFact?: (fact: Fact) => void;
  /** Begin no more than so many steps of a kind; then the run is paused, once what is under way is over. */
  readonly stepLimit?: { readonly kind: string; readonly limit: number };
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

/** Something that was posted to a run. */
export interface Message {
  readonly id: string;
  readonly signal: Signal;
}

/** `interrupted`: the journal says running, but the process that held it is gone. */
export type ListedStatus = RunState['status'] | 'interrupted' | 'unreadable';

/** A run in short: enough to list it, to choose it and to say where it stands. */
export interface RunSummary extends Omit<SummaryState, 'status'> {
  readonly run: string;
  readonly status: ListedStatus;
  /** Where it stands, in words; empty when it is over. */
  readonly standing: string;
  /** Why the journal cannot be read; everything else is then empty. */
  readonly problem: string | undefined;
}

export interface RunListing {
  readonly run: string;
  readonly status: ListedStatus;
  /** Undefined when the journal cannot be read; `problem` then says why. */
  readonly state: Readonly<RunState> | undefined;
  readonly problem: string | undefined;
}
