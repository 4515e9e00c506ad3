/**
 * What a run is, folded from its facts by one reducer: the only place where state that crosses tasks
 * lives (what is running, what was answered, where the integration head stands, what was spent). The table
 * below has a row for every fact type, so a forgotten one does not compile.
 * `advance` changes the state it is given, which belongs to its one owner; `fold` starts from nothing.
 */
import type { Plan, Task } from '../plan/plan.ts';
import type { Amount } from '../policy/amount.ts';
import type { BudgetEntry } from '../policy/budget-schemas.ts';
import type { Receipt } from '../policy/receipt.ts';
import { noUsage, type Usage } from '../policy/usage.ts';
import { absorbOutput, forgetMerged } from './absorb-output.ts';
import { EffectRecords } from './effect-records.ts';
import type {
  Answer,
  Fact,
  FactData,
  FactOf,
  FactType,
  HolderIdentity,
  Place,
  Question,
  RefMove,
  StepEnd,
  StepOutline,
  TaskOutcome,
} from './facts.ts';
import { tryNumberOf } from './reopen.ts';

export const runStatuses = [
  'created',
  'running',
  'paused',
  'waiting',
  'limited',
  'stopped',
  'done',
  'failed',
  'cancelled',
] as const;
export type RunStatus = (typeof runStatuses)[number];

export interface RunState {
  created: FactData<'run.created'> | undefined;
  createdAt: string;
  updatedAt: string;
  seq: number;
  status: RunStatus;
  /** Why it is in that status, in words. */
  reason: string;
  /** The failure's code when it stopped on one. */
  code: string | undefined;
  output: unknown;
  opened: FactData<'run.opened'> | undefined;
  /** Someone asked for the end of the run. It stands, whatever follows. */
  cancel: { readonly reason: string } | undefined;
  readonly effects: EffectRecords;
  readonly tasks: Map<string, TaskRecord>;
  /** Every task that a schedule holds, started or not, by its key and in the order of the schedules. */
  readonly scheduled: Map<string, ScheduledTask>;
  /** Tasks that other tasks added to their schedule, by key. */
  readonly added: Map<string, { readonly by: string; readonly task: Task }>;
  /** What tasks waited for, by the key of the one that waited. */
  readonly waitedFor: Map<string, readonly TaskWaitRecord[]>;
  readonly steps: Map<string, StepRecord>;
  /** Steps that were announced and may not have started, in order. */
  readonly announced: Map<string, AnnouncedStep>;
  readonly questions: Map<string, QuestionRecord>;
  /** Answers posted before their question was asked, in the order they came. */
  readonly earlyAnswers: Map<string, readonly Answer[]>;
  readonly signals: Set<string>;
  /** What the workflow recorded itself: its key, and the fact's number. */
  readonly recorded: Map<string, number>;
  /** 1, and one more whenever a task was reopened. */
  generation: number;
  /** Of the tasks that were reopened. */
  readonly generations: Map<string, number>;
  plan: Plan | undefined;
  /** The integration head; undefined until the first merge, when it is still the base. */
  integration: string | undefined;
  /** The commit whose check scripts and runner configuration judge: the base, until a person accepted others. */
  judge: string | undefined;
  readonly receipts: Receipt[];
  readonly refs: RefMove[];
  usage: Usage;
  /** What was set aside, paid and given back, in order. */
  readonly budget: BudgetEntry[];
  /** Limits that a person set for the run after it began. */
  raised: Amount;
  /** The branch a person wants the result on, said after it began. */
  into: string | undefined;
  /** The agent a person gave all remaining work to, said after it began. */
  agent: string | undefined;
  /** The landing that is under way, and how many there were. */
  landing: (FactData<'landing.started'> & { readonly number: number }) | undefined;
  landings: number;
  /** The commits a branch was moved to when the result was put on top of it, with the result each was made from. */
  readonly landed: Map<string, string>;
  /** When a provider's limit ends, by account, as far as the run waited for one. */
  readonly waits: Map<string, string>;
}

export interface EffectRecord {
  readonly kind: string;
  /** The fact of its first attempt. */
  readonly startedSeq: number;
  readonly within?: Place | undefined;
  /** Which try at its task it is of, as it began. */
  readonly generation: number;
  readonly input: unknown;
  attempts: number;
  /** The attempt that is under way, or was when its process died. */
  open: OpenAttempt | undefined;
  /** What earlier attempts left that a new one can use. */
  session: string | undefined;
  interruptions: number;
  result: { readonly output: unknown } | undefined;
}

export interface OpenAttempt {
  readonly attempt: number;
  processes: HolderIdentity[];
  /** What it waits for instead of working. */
  wait?: { readonly account: string; readonly until: string } | undefined;
}

export interface TaskRecord {
  readonly task: string;
  readonly within?: Place | undefined;
  readonly startedSeq: number;
  outcome: TaskOutcome | undefined;
  readonly endedSeq?: number;
}

export interface TaskWaitRecord {
  readonly for: readonly string[];
  readonly refused: readonly string[];
}

export interface ScheduledTask {
  readonly task: string;
  readonly title: string;
  /** Keys of the tasks it waits for. */
  readonly depends: readonly string[];
  /** Ids of the plan's tasks that are done in this one. */
  readonly parts: readonly string[];
  /** It only looks at things and changes no files. */
  readonly readOnly: boolean;
  readonly within: Place | undefined;
}

export interface StepRecord {
  readonly kind: string;
  readonly title: string;
  /** Said when it started. */
  readonly detail: string;
  readonly within: Place | undefined;
  readonly startedAt: string;
  readonly startedSeq: number;
  end: (StepEnd & { readonly at: string; readonly seq: number }) | undefined;
}

export interface AnnouncedStep extends StepOutline {
  readonly within: Place | undefined;
}

export interface QuestionRecord {
  readonly question: Question;
  readonly within?: Place | undefined;
  readonly askedAt: string;
  readonly askedSeq: number;
  answer: Answer | undefined;
  answeredSeq?: number;
}

export function foldRun(facts: Iterable<Fact>): RunState {
  const state = emptyState();
  for (const fact of facts) advanceRun(state, fact);
  return state;
}

export function advanceRun(state: RunState, fact: Fact): RunState {
  (reducers[fact.type] as (state: RunState, fact: Fact) => void)(state, fact);
  state.seq = fact.seq;
  state.updatedAt = fact.at;
  return state;
}

export function emptyState(): RunState {
  return {
    created: undefined,
    createdAt: '',
    updatedAt: '',
    seq: 0,
    status: 'created',
    reason: '',
    code: undefined,
    output: undefined,
    opened: undefined,
    cancel: undefined,
    effects: new EffectRecords(),
    tasks: new Map(),
    scheduled: new Map(),
    added: new Map(),
    waitedFor: new Map(),
    steps: new Map(),
    announced: new Map(),
    questions: new Map(),
    earlyAnswers: new Map(),
    signals: new Set(),
    recorded: new Map(),
    generation: 1,
    generations: new Map(),
    plan: undefined,
    integration: undefined,
    judge: undefined,
    receipts: [],
    refs: [],
    usage: noUsage,
    budget: [],
    raised: {},
    into: undefined,
    agent: undefined,
    landing: undefined,
    landings: 0,
    landed: new Map(),
    waits: new Map(),
  };
}

export function isRunOver(state: RunState): boolean {
  return state.status === 'done' || state.status === 'failed' || state.status === 'cancelled';
}

type Reducers = { readonly [T in FactType]: (state: RunState, fact: FactOf<T>) => void };

const suspendedAs = { paused: 'paused', waiting: 'waiting', limit: 'limited', error: 'stopped' } as const;

const reducers: Reducers = {
  'run.created': (state, fact) => {
    state.created = fact.data;
    state.createdAt = fact.at;
  },
  'run.opened': (state, { data }) => {
    Object.assign(state, { opened: data, status: 'running', reason: '', code: undefined });
  },
  'run.suspended': (state, { data }) => {
    Object.assign(state, { status: suspendedAs[data.reason], reason: data.detail, code: data.code });
  },
  'run.ended': (state, { data }) => {
    Object.assign(state, { status: data.status, reason: data.reason, code: undefined, output: data.output });
    // To stop a landing is not to cancel a run that was over.
    if (state.landing !== undefined) state.cancel = undefined;
    state.landing = undefined;
  },
  'landing.started': (state, { data }) => {
    state.landings += 1;
    state.landing = { ...data, number: state.landings };
    // What ended the run does not end its landing.
    state.cancel = undefined;
    Object.assign(state, { status: 'running', reason: '', code: undefined });
  },
  'effect.started': (state, { key, seq, data }) => {
    const before = state.effects.get(key);
    state.effects.set(key, {
      kind: data.kind,
      startedSeq: before?.startedSeq ?? seq,
      within: data.within,
      generation: before?.generation ?? tryNumberOf(state, key),
      input: data.input,
      attempts: data.attempt,
      open: { attempt: data.attempt, processes: [] },
      session: before?.session,
      interruptions: before?.interruptions ?? 0,
      result: undefined,
    });
  },
  'effect.progressed': (state, { key, data }) => {
    if (data.budget !== undefined) state.budget.push(data.budget);
    if (data.wait !== undefined) state.waits.set(data.wait.account, data.wait.until);
    const effect = state.effects.get(key);
    if (effect === undefined) return;
    if (effect.open !== undefined && data.wait !== undefined) effect.open.wait = data.wait;
    if (effect.open !== undefined && data.process !== undefined) {
      effect.open.processes.push(data.process);
      effect.open.wait = undefined;
    }
    if (data.session !== undefined) effect.session = data.session;
  },
  'effect.finished': (state, { key, data }) => {
    const effect = state.effects.get(key);
    if (effect === undefined) return;
    effect.open = undefined;
    effect.result = { output: data.output };
    absorbOutput(state, effect.kind, data.output);
  },
  'effect.interrupted': (state, { key }) => {
    const effect = state.effects.get(key);
    if (effect === undefined) return;
    effect.open = undefined;
    effect.interruptions += 1;
  },
  'steps.announced': (state, { key, seq, data }) => {
    for (const step of data.steps) state.announced.set(step.key, { ...step, within: data.within });
    state.recorded.set(key, seq);
  },
  'step.started': (state, { key, seq, at, data }) => {
    const { kind, title, detail, within } = data;
    state.steps.set(key, { kind, title, detail, within, startedAt: at, startedSeq: seq, end: undefined });
  },
  'step.ended': (state, { key, seq, at, data }) => {
    const step = state.steps.get(key);
    if (step !== undefined) step.end = { ...data, at, seq };
  },
  'tasks.scheduled': (state, { data: { scope, tasks, readOnly = false, within, added } }) => {
    for (const task of added?.tasks ?? []) state.added.set(scope + task.id, { by: added?.by ?? '', task });
    for (const { id, title, depends, parts = [] } of tasks) {
      const waits = depends.map((other) => scope + other);
      state.scheduled.set(scope + id, { task: id, title, depends: waits, parts, readOnly, within });
    }
  },
  'task.waited': (state, { key, data }) => {
    const earlier = state.waitedFor.get(key) ?? [];
    state.waitedFor.set(key, [...earlier, { for: data.for, refused: data.refused }]);
  },
  'task.started': (state, { key, seq, data }) => {
    if (state.tasks.has(key)) return;
    state.tasks.set(key, { task: data.task, within: data.within, startedSeq: seq, outcome: undefined });
  },
  'task.ended': (state, { key, seq, data }) => {
    const { startedSeq = seq, within } = state.tasks.get(key) ?? {};
    state.tasks.set(key, { task: data.task, within, startedSeq, outcome: data, endedSeq: seq });
  },
  'task.reopened': (state, { data }) => {
    for (const key of data.tasks) {
      state.tasks.delete(key);
      state.generations.set(key, (state.generations.get(key) ?? 1) + 1);
      state.waitedFor.delete(key);
    }
    for (const key of data.unscheduled) for (const known of [state.added, state.scheduled]) known.delete(key);
    state.landing = undefined;
    if (data.gone !== undefined) forgetMerged(state, new Set(data.gone));
    for (const key of data.forgotten) {
      for (const answers of [state.effects, state.questions, state.earlyAnswers, state.recorded, state.steps])
        answers.delete(key);
    }
    for (const key of data.steps) {
      const step = state.steps.get(key);
      if (step !== undefined) step.end = undefined;
    }
    state.generation += 1;
    Object.assign(state, { status: 'running', reason: '', code: undefined, output: undefined });
  },
  'question.asked': (state, { key, seq, at, data }) => {
    const { within, ...question } = data;
    state.questions.set(key, { question, within, askedAt: at, askedSeq: seq, answer: undefined });
  },
  'question.answered': (state, { key, seq, data }) => {
    const asked = state.questions.get(key);
    if (asked !== undefined) Object.assign(asked, { answer: data, answeredSeq: seq });
    state.earlyAnswers.delete(key);
  },
  'signal.received': (state, { data }) => {
    state.signals.add(data.id);
    if (data.refused !== undefined) return;
    const { signal } = data;
    if (signal.type === 'cancel') state.cancel ??= { reason: signal.reason };
    if (signal.type === 'budget') state.raised = { ...state.raised, ...signal.limit };
    if (signal.type === 'land') state.into = signal.into;
    if (signal.type === 'agent') state.agent = signal.agent;
    if (signal.type !== 'answer') return;
    const earlier = state.earlyAnswers.get(signal.key) ?? [];
    state.earlyAnswers.set(signal.key, [...earlier, signal.answer]);
  },
  'plan.accepted': (state, { key, seq, data }) => {
    state.plan = data.plan;
    state.recorded.set(key, seq);
  },
  'ref.moved': (state, { key, seq, data }) => {
    state.refs.push(data);
    state.recorded.set(key, seq);
  },
  'note.recorded': (state, { key, seq }) => {
    state.recorded.set(key, seq);
  },
};
