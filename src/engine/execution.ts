/**
 * One process's work on a run: the Bench a workflow runs on, over a journal this process holds.
 * Once suspended (paused, cancelled, a limit, a failure) nothing starts and nothing is reported to the
 * workflow any more: its promises stay pending and the process leaves. So pauses and limits can never be
 * mistaken for the result of an effect, whatever the workflow catches.
 */
import { ForgeError, machineFailure, messageOf } from '../errors.ts';
import type { Task } from '../plan/plan.ts';
import type { Bench, RunInfo, ScheduleLane, ScheduleOptions, Workflow, WorkflowResult } from './bench.ts';
import type { EffectInput, EffectKind, EffectOutput } from './effect-map.ts';
import { isJournalFailure, type RunInbox } from './fact-log.ts';
import type {
  Answer,
  FactData,
  FactInput,
  FactType,
  QuestionInput,
  RecordableFact,
  StepOutline,
  TaskOutcome,
} from './facts.ts';
import { asJson } from './json-value.ts';
import { KeyedEffects, type KeyedEffectsDeps } from './keyed-effects.ts';
import type { NamedLocks } from './named-locks.ts';
import { Questions } from './questions.ts';
import { isNotDone, planReopening } from './reopen.ts';
import { commitGoneError, commitsOf, planRepair } from './repair.ts';
import { runSchedule } from './schedule.ts';
import { ScheduledTasks } from './scheduled-tasks.ts';
import { type StepStart, Steps } from './steps.ts';
import { unprovenPublication } from './unproven-publication.ts';
import type { Writer } from './writer.ts';

export interface ExecutionDeps extends Omit<KeyedEffectsDeps, 'signal' | 'place'> {
  readonly inbox: RunInbox;
  readonly locks: NamedLocks;
  /** Stay when only questions are left, or suspend as `waiting` and let the process go. */
  readonly whenWaiting: 'stay' | 'leave';
  /** How many steps of a kind may begin before the run is paused. */
  readonly stepLimit?: { readonly kind: string; readonly limit: number } | undefined;
  /** Tasks to be tried again, before anything else happens; none: everything that rests on commits that are gone. */
  readonly reopen?: readonly string[] | undefined;
}

export type ExecutionEnd =
  | { readonly status: 'done' | 'failed' | 'cancelled'; readonly reason: string; readonly output: unknown }
  | { readonly status: 'paused' | 'waiting' | 'limited'; readonly reason: string }
  | { readonly status: 'stopped'; readonly reason: string; readonly error: unknown };

type Suspension =
  | { readonly reason: 'paused' | 'waiting' | 'limit' | 'cancelled'; readonly detail: string }
  /** `inEffect`: what failed is an effect, not the workflow. */
  | { readonly reason: 'error'; readonly error: unknown; readonly inEffect?: true };

type Work =
  | { readonly reason: 'ended'; readonly result: WorkflowResult }
  | { readonly reason: 'error'; readonly error: unknown };

export class Execution implements Bench {
  readonly run: RunInfo;
  readonly #writer: Writer;
  readonly #deps: ExecutionDeps;
  readonly #effects: KeyedEffects;
  readonly #questions: Questions;
  readonly #steps: Steps;
  readonly #abort = new AbortController();
  readonly #claimed = new Set<string>();
  readonly #tasks: ScheduledTasks;
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #suspended: Promise<Suspension>;
  #resolveSuspended: (suspension: Suspension) => void = () => {};
  #active = true;
  readonly #begunSteps = new Set<string>();
  #isHeld = false;

  constructor(deps: ExecutionDeps) {
    this.run = deps.info;
    this.#writer = deps.writer;
    this.#deps = deps;
    this.#steps = new Steps(deps.writer);
    this.#effects = new KeyedEffects({ ...deps, signal: this.#abort.signal, place: () => this.#steps.place });
    this.#questions = new Questions(deps.writer, deps.inbox);
    this.#tasks = new ScheduledTasks({
      state: deps.writer.state,
      claim: (key) => this.#claim(key),
      append: (type, key, data) => this.#append(type, key, data),
      isActive: () => this.#active,
    });
    this.#suspended = new Promise((resolve) => {
      this.#resolveSuspended = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async execute(workflow: Workflow): Promise<ExecutionEnd> {
    this.#drain({ stale: true });
    const unwatch = this.#deps.inbox.watch(() => this.#drain());
    const first = await Promise.race([this.#suspended, this.#work(workflow)]);
    this.#deactivate();
    unwatch();
    await Promise.allSettled(this.#inFlight);
    try {
      return first.reason === 'ended' ? this.#end(first.result) : this.#leave(await this.#explained(first, workflow));
    } catch (error) {
      return this.#stop(workflow.explainFailure?.(error) ?? error);
    }
  }

  /** Suspends from outside the workflow: the terminal's interrupt, a limit. */
  suspend(reason: 'paused' | 'limit', detail: string): void {
    this.#suspend({ reason, detail });
  }

  async perform<K extends EffectKind>(kind: K, key: string, input: EffectInput<K>): Promise<EffectOutput<K>> {
    if (!this.#claim(key)) return never();
    const known = this.#try(() => {
      const asked = this.#effects.ask(kind, key, input);
      return { asked, output: this.#effects.recall(asked) };
    });
    if (known === undefined) return never();
    if (known.output !== undefined) return known.output;
    const performed = await this.#track(this.#effects.perform(known.asked));
    this.#noticeQuiet();
    this.#noticeHeld();
    if (performed.status === 'failed') this.#suspend(suspensionFor(performed.error));
    return performed.status === 'finished' && this.#active ? performed.output : never();
  }

  async schedule(
    tasks: readonly Task[],
    options: ScheduleOptions,
    work: (task: Task, lane: ScheduleLane) => Promise<TaskOutcome>,
  ): Promise<readonly TaskOutcome[]> {
    const { keyPrefix = '' } = options;
    const hooks = this.#tasks.begin(tasks, options, this.#steps.place);
    if (hooks === undefined) return never();
    // One task may start from where another ended: each works in its own place all the same.
    const inPlace = (task: Task, lane: ScheduleLane): Promise<TaskOutcome> =>
      this.#steps.within({ type: 'task', key: keyPrefix + task.id }, () => work(task, lane));
    const outcomes = await runSchedule(tasks, options, hooks, inPlace);
    return this.#active ? outcomes : never();
  }

  async step<T>(key: string, start: StepStart<T>, work: () => Promise<T>): Promise<T> {
    if (!this.#claim(`step ${key}`) || this.#isOverLimit(key, start.kind)) return never();
    this.#try(() => this.#steps.start(key, start));
    if (!this.#active) return never();
    const value = await this.#steps.within({ type: 'step', key }, work);
    if (!this.#active) return never();
    this.#try(() => this.#steps.end(key, start, value));
    return this.#active ? value : never();
  }

  async announce(key: string, steps: readonly StepOutline[]): Promise<void> {
    if (!this.#claim(key)) return never();
    this.#try(() => this.#steps.announce(key, steps));
    if (!this.#active) return never();
  }

  exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#deps.locks.run(name, work);
  }

  async ask(key: string, question: QuestionInput): Promise<Answer> {
    if (!this.#claim(key)) return never();
    const asking = this.#try(() => this.#questions.ask(key, question, this.#steps.place));
    this.#noticeQuiet();
    const answer = await (asking ?? never<Answer>());
    return this.#active ? answer : never();
  }

  async record<F extends RecordableFact>(key: string, type: F, data: FactInput<F>): Promise<void> {
    if (!this.#claim(key)) return never();
    if (this.#writer.state.recorded.has(key)) return;
    this.#append(type, key, data);
    if (!this.#active) return never();
  }

  /** Orphans first, then what a person wants tried again, and only then the workflow. */
  async #work(workflow: Workflow): Promise<Work> {
    try {
      if (this.#effects.cutOff.length > 0) await this.#track(this.#effects.settle());
      if (this.#active && this.#deps.reopen?.length === 0) await this.#repair();
      for (const task of this.#deps.reopen ?? []) if (this.#active) await this.#reopen(task);
      if (!this.#active) return never();
      return { reason: 'ended', result: await workflow.run(this) };
    } catch (error) {
      return { reason: 'error', error };
    }
  }

  /** A git that fails because a commit is gone says so by its name, and a workflow that fails says where. */
  async #explained(suspension: Suspension, workflow: Workflow): Promise<Suspension> {
    if (suspension.reason !== 'error' || isJournalFailure(suspension.error)) return suspension;
    const { state } = this.#writer;
    const gone = (await this.#deps.commits?.missing(commitsOf(state)).catch(() => [])) ?? [];
    const { error } = suspension;
    if (gone.length > 0) return { reason: 'error', error: commitGoneError(state, gone, error) };
    if (suspension.inEffect === true && !(error instanceof ForgeError)) return suspension;
    return { reason: 'error', error: workflow.explainFailure?.(error) ?? error };
  }

  async #repair(): Promise<void> {
    const { state } = this.#writer;
    const gone = (await this.#deps.commits?.missing(commitsOf(state))) ?? [];
    const { key, data } = planRepair(state, gone);
    this.#append('task.reopened', key, data);
  }

  async #reopen(task: string): Promise<void> {
    const { state } = this.#writer;
    // What another one took along is open again already.
    if (!isNotDone(state, task)) return;
    const failure = await this.#track(this.#effects.finishMoves(planReopening(state, task).data.forgotten));
    if (!this.#active) return;
    if (failure !== undefined) return this.#suspend(suspensionFor(failure.error));
    const { key, data } = planReopening(state, task);
    this.#append('task.reopened', key, data);
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#inFlight.add(work);
    try {
      return await work;
    } finally {
      this.#inFlight.delete(work);
    }
  }

  /** False once suspended. A key used twice is a fault of the workflow and stops the run. */
  #claim(key: string): boolean {
    if (!this.#active) return false;
    if (this.#claimed.has(key)) {
      const error = new ForgeError(
        'effect-key-reused',
        `The key ${JSON.stringify(key)} was used twice in one execution`,
        {
          hint: 'Every effect, question, record and task of a workflow needs a key of its own.',
        },
      );
      this.#suspend({ reason: 'error', error });
      return false;
    }
    this.#claimed.add(key);
    return true;
  }

  /** A failure of ours is never an exception the workflow could catch: it stops the run. */
  #try<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.#suspend({ reason: 'error', error });
      return undefined;
    }
  }

  #append<T extends FactType>(type: T, key: string, data: FactInput<T>): void {
    this.#try(() => this.#writer.append(type, key, data));
  }

  #suspend(suspension: Suspension): void {
    this.#resolveSuspended(suspension);
    this.#deactivate();
  }

  #deactivate(): void {
    this.#active = false;
    this.#abort.abort(new Error('the run was suspended'));
  }

  #drain(options = { stale: false }): void {
    if (!this.#active) return;
    const pause = this.#try(() => this.#questions.drain(options));
    const { cancel } = this.#writer.state;
    if (cancel !== undefined) this.#suspend({ reason: 'cancelled', detail: cancel.reason });
    else if (pause !== undefined) this.#suspend({ reason: 'paused', detail: pause.reason });
  }

  /** A step beyond the limit does not begin; the run is paused when nothing else is under way. */
  #isOverLimit(key: string, kind: string): boolean {
    const { stepLimit } = this.#deps;
    if (stepLimit?.kind !== kind || this.#writer.state.steps.get(key)?.end !== undefined) return false;
    if (this.#begunSteps.size < stepLimit.limit) {
      this.#begunSteps.add(key);
      return false;
    }
    this.#isHeld = true;
    this.#noticeHeld();
    return true;
  }

  #noticeHeld(): void {
    if (!this.#isHeld) return;
    setImmediate(() => {
      if (!this.#active || this.#inFlight.size > 0) return;
      this.#suspend({ reason: 'paused', detail: `${this.#begunSteps.size} done, as asked for` });
    });
  }

  /** When nothing is in flight but questions, this process has nothing left to do. */
  #noticeQuiet(): void {
    if (this.#deps.whenWaiting === 'stay') return;
    setImmediate(() => {
      const before = this.#questions.open.length;
      if (!this.#active || this.#inFlight.size > 0 || before === 0) return;
      // Whoever listens may have the answer.
      this.#writer.flush();
      this.#drain();
      const { open } = this.#questions;
      if (open.length < before) this.#noticeQuiet();
      else if (this.#active) this.#suspend({ reason: 'waiting', detail: open.join(', ') });
    });
  }

  #end(result: WorkflowResult): ExecutionEnd {
    if (this.#writer.state.landing !== undefined) return this.#endAsBefore(this.#writer.state.landing.ended);
    const { output } = result;
    const unproven = result.status === 'done' ? unprovenPublication(this.#writer.state) : undefined;
    const status = unproven === undefined ? result.status : 'failed';
    const reason = unproven ?? result.reason ?? '';
    if (status === 'done') this.#assertAllOver();
    // Whatever a workflow returns, a run must not fail for it at the very end: what JSON can hold is kept.
    const kept = output === undefined ? {} : { output: asJson(output) };
    this.#writer.append('run.ended', '', { status, reason, ...kept });
    return { status, reason, output: this.#writer.state.output };
  }

  /** A landing changes nothing about how the run had ended, whichever way the landing ends. */
  #endAsBefore(ended: FactData<'landing.started'>['ended']): ExecutionEnd {
    this.#writer.append('run.ended', '', ended);
    return { status: ended.status, reason: ended.reason, output: this.#writer.state.output };
  }

  /** Whatever a workflow swallowed or did not wait for: a run is not done while a task of it has no outcome. */
  #assertAllOver(): void {
    const { tasks } = this.#writer.state;
    const open = [...this.#tasks.keys].filter((key) => tasks.get(key)?.outcome === undefined);
    if (open.length === 0) return;
    throw new ForgeError('workflow-unfinished', `The workflow says it is done, but ${open.join(', ')} did not end`, {
      hint: 'This is a fault of the workflow: it must wait for every task it schedules and pass on what a task throws.',
    });
  }

  #leave(suspension: Suspension): ExecutionEnd {
    if (suspension.reason === 'error') return this.#stop(suspension.error);
    const { reason, detail } = suspension;
    if (reason === 'cancelled') {
      if (this.#writer.state.landing !== undefined) return this.#endAsBefore(this.#writer.state.landing.ended);
      this.#writer.append('run.ended', '', { status: 'cancelled', reason: detail });
      return { status: 'cancelled', reason: detail, output: undefined };
    }
    this.#writer.append('run.suspended', '', { reason, detail });
    return { status: reason === 'limit' ? 'limited' : reason, reason: detail };
  }

  #stop(thrown: unknown): ExecutionEnd {
    // A full disk is not a bug, wherever it was met.
    const error = machineFailure(thrown) ?? thrown;
    const code = error instanceof ForgeError ? error.code : 'bug';
    const detail = messageOf(error);
    if (!isJournalFailure(error)) this.#writer.append('run.suspended', '', { reason: 'error', code, detail });
    return { status: 'stopped', reason: detail, error };
  }
}

/** A limit is not a failure: the run is suspended as limited, and the same work is asked for again on resume. */
function suspensionFor(error: unknown): Suspension {
  const limited = error instanceof ForgeError && error.code === 'limit-reached';
  return limited ? { reason: 'limit', detail: error.message } : { reason: 'error', error, inEffect: true };
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
