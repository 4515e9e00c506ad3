/**
 * What a workflow sees: a few ways to act, all keyed, all recorded. A workflow is ordinary async TypeScript
 * over this interface; it holds no state of its own that must survive, opens no file and starts no process.
 */
import type { Task } from '../plan/plan.ts';
import type { EffectInput, EffectKind, EffectOutput } from './effect-map.ts';
import type { Answer, FactInput, QuestionInput, RecordableFact, StepOutline, TaskOutcome } from './facts.ts';
import type { StepStart } from './steps.ts';

export interface Bench {
  readonly run: RunInfo;
  /** Answers from the journal when the key is finished; otherwise acts, with a fact before and a fact after. */
  perform<K extends EffectKind>(kind: K, key: string, input: EffectInput<K>): Promise<EffectOutput<K>>;
  /** Says what the workflow is doing while it does it. Steps nest, and everything asked for inside hangs below them. */
  step<T>(key: string, start: StepStart<T>, work: () => Promise<T>): Promise<T>;
  /** Says which steps are expected to come, so that people see them before they start. */
  announce(key: string, steps: readonly StepOutline[]): Promise<void>;
  /** The only way to do several multi-step things at once. Outcomes come in order, those of added tasks last. */
  schedule(
    tasks: readonly Task[],
    options: ScheduleOptions,
    work: (task: Task, lane: ScheduleLane) => Promise<TaskOutcome>,
  ): Promise<readonly TaskOutcome[]>;
  /** One at a time, in the order asked: for what must not interleave, such as integrating. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Waits for a person, across restarts, for days if need be. */
  ask(key: string, question: QuestionInput): Promise<Answer>;
  record<F extends RecordableFact>(key: string, type: F, data: FactInput<F>): Promise<void>;
  readonly signal: AbortSignal;
}

export interface RunInfo {
  readonly id: string;
  readonly title: string;
  /** Of the workflow the run was begun with: what keys are like must not change under a run. */
  readonly workflowVersion: number;
  readonly base: string;
  readonly branch: string | undefined;
  readonly root: string;
  readonly input: unknown;
  readonly settings: unknown;
}

/** The schedule as a task at work in it sees it. What is added is recorded, so it is still there after a crash. */
export interface ScheduleLane {
  /** Adds tasks to the schedule, which start as soon as they may. Adding the same task again does nothing. */
  add(tasks: readonly Task[]): Promise<void>;
  /**
   * Waits for tasks of the schedule, by id. They go before others, and this task gives up its place and its writes until
   * they are over. A task that waits for this one itself is answered with `blocked` instead.
   */
  waitFor(ids: readonly string[]): Promise<readonly TaskOutcome[]>;
}

export interface ScheduleOptions {
  /** How many tasks may run at once. */
  readonly limit: number;
  /** Wait for a whole stage before the next one starts. */
  readonly barriers?: boolean;
  /** The tasks change no files, so that none has to say what it writes. Without this, one that does not runs alone. */
  readonly readOnly?: boolean;
  /** Tasks may change the same files at once: what comes of that is settled when they are merged. */
  readonly overlap?: boolean;
  /** What a person reads as a task's name; without it, its id and title. */
  readonly label?: (task: Task) => string;
  /** Ids of the plan's tasks that are done in one task of the schedule, where that is not the task itself. */
  readonly parts?: (task: Task) => readonly string[];
  /** Hears every outcome once per process, those of an earlier process first. What it keeps changes no key or identity. */
  readonly heard?: (outcome: TaskOutcome) => void;
  /** Put before task ids in keys when one run schedules the same ids more than once. */
  readonly keyPrefix?: string;
}

export interface Workflow {
  readonly name: string;
  readonly version: number;
  run(bench: Bench): Promise<WorkflowResult>;
  /** What a failure of the workflow's own making means to the person who wrote it; anything else is handed back. */
  explainFailure?(error: unknown): unknown;
}

export interface WorkflowResult {
  readonly status: 'done' | 'failed';
  readonly reason?: string;
  /** JSON. */
  readonly output?: unknown;
}
