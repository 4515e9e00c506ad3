/**
 * A run in short, folded from its facts: small enough to be kept beside the journal and advanced by what is new. It says
 * nothing that the facts do not say. Pure, and free of schemas, so that listing runs loads nothing else: a fact whose
 * hash follows from the one before was checked when it was written.
 * Everything in it is JSON: what was kept and read again is what was kept.
 */
import type { Fact, FactOf, FactType, HolderIdentity, RefMove } from './facts.ts';
import type { RunStatus } from './run-state.ts';

export interface SummaryState {
  title: string;
  workflow: string;
  base: string;
  createdAt: string;
  updatedAt: string;
  seq: number;
  status: RunStatus;
  reason: string;
  /** The failure's code when it stopped on one. */
  code: string | null;
  /** Who opened it last. */
  holder: HolderIdentity | null;
  /** How many landings there were, and whether one is under way. */
  landings: number;
  landing: boolean;
  /** Keys and kinds of the effects that are under way, or were when their process died, in order. */
  openEffects: readonly (readonly [string, string])[];
  /** The effect that was begun last. */
  lastEffect: string;
  /** Keys of questions without an answer, in order. */
  openQuestions: readonly string[];
  /** Keys of tasks that ended and are not done. */
  notDone: readonly string[];
  refs: readonly RefMove[];
  usage: { inputTokens: number; outputTokens: number; costUsd: number; turns: number };
}

export function emptySummary(): SummaryState {
  return {
    title: '',
    workflow: '',
    base: '',
    createdAt: '',
    updatedAt: '',
    seq: 0,
    status: 'created',
    reason: '',
    code: null,
    holder: null,
    landings: 0,
    landing: false,
    openEffects: [],
    lastEffect: '',
    openQuestions: [],
    notDone: [],
    refs: [],
    usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 },
  };
}

/** Changes nothing it is given. */
export function advanceSummary(before: SummaryState, facts: Iterable<Fact>): SummaryState {
  const summary = { ...before };
  for (const fact of facts) {
    (changes[fact.type] as ((summary: SummaryState, fact: Fact) => void) | undefined)?.(summary, fact);
    summary.seq = fact.seq;
    summary.updatedAt = fact.at;
  }
  return summary;
}

/** Questions somebody can still answer: none of a run that is over; while it lands, only those of the landing. */
export function answerableQuestions(
  summary: Omit<SummaryState, 'status'> & { readonly status: string },
): readonly string[] {
  const { status, landing, landings, openQuestions } = summary;
  if (status === 'done' || status === 'failed' || status === 'cancelled') return [];
  return landing ? openQuestions.filter((key) => key.startsWith(`${landingKey(landings)}/`)) : openQuestions;
}

/** What every key of a landing begins with. */
export function landingKey(number: number): string {
  return `land#${number}`;
}

type Changes = { readonly [T in FactType]?: (summary: SummaryState, fact: FactOf<T>) => void };

const suspendedAs = { paused: 'paused', waiting: 'waiting', limit: 'limited', error: 'stopped' } as const;

const changes: Changes = {
  'run.created': (summary, { at, data }) => {
    Object.assign(summary, { title: data.title, workflow: data.workflow, base: data.base, createdAt: at });
  },
  'run.opened': (summary, { data }) => {
    Object.assign(summary, { status: 'running', reason: '', code: null, holder: data.holder });
  },
  'run.suspended': (summary, { data }) => {
    Object.assign(summary, { status: suspendedAs[data.reason], reason: data.detail, code: data.code ?? null });
  },
  'run.ended': (summary, { data }) => {
    Object.assign(summary, { status: data.status, reason: data.reason, code: null, landing: false });
  },
  'landing.started': (summary) => {
    Object.assign(summary, { status: 'running', reason: '', code: null, landing: true });
    summary.landings += 1;
  },
  'effect.started': (summary, { key, data }) => {
    summary.openEffects = [...withoutKey(summary.openEffects, key), [key, data.kind]];
    summary.lastEffect = key;
  },
  'effect.finished': (summary, { key, data }) => {
    const kind = summary.openEffects.find(([open]) => open === key)?.[1];
    summary.openEffects = withoutKey(summary.openEffects, key);
    absorb(summary, kind, data.output);
  },
  'question.asked': (summary, { key }) => {
    summary.openQuestions = [...without(summary.openQuestions, key), key];
  },
  'question.answered': (summary, { key }) => {
    summary.openQuestions = without(summary.openQuestions, key);
  },
  'task.ended': (summary, { key, data }) => {
    const others = without(summary.notDone, key);
    summary.notDone = data.status === 'done' ? others : [...others, key];
  },
  'task.reopened': (summary, { data }) => {
    const gone = new Set([...data.forgotten, ...data.tasks]);
    Object.assign(summary, {
      status: 'running',
      reason: '',
      code: null,
      landing: false,
      notDone: summary.notDone.filter((key) => !gone.has(key)),
      openQuestions: summary.openQuestions.filter((key) => !gone.has(key)),
      openEffects: summary.openEffects.filter(([key]) => !gone.has(key)),
      lastEffect: gone.has(summary.lastEffect) ? '' : summary.lastEffect,
    });
  },
  'ref.moved': (summary, { data }) => {
    summary.refs = [...summary.refs, data];
  },
};

/** Some effects' results are also news for the whole run. */
function absorb(summary: SummaryState, kind: string | undefined, output: unknown): void {
  if (kind === 'agent.run') {
    const { usage } = (output as { outcome: { usage: SummaryState['usage'] } }).outcome;
    const { inputTokens, outputTokens, costUsd, turns } = summary.usage;
    summary.usage = {
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
      costUsd: costUsd + usage.costUsd,
      turns: turns + usage.turns,
    };
  }
  if (kind === 'branch.publish') summary.refs = [...summary.refs, output as RefMove];
  if (kind !== 'branch.land') return;
  const { move } = output as { move?: RefMove };
  if (move !== undefined) summary.refs = [...summary.refs, move];
}

function without(keys: readonly string[], key: string): readonly string[] {
  return keys.includes(key) ? keys.filter((one) => one !== key) : keys;
}

function withoutKey<T extends readonly [string, string]>(pairs: readonly T[], key: string): readonly T[] {
  return pairs.some(([one]) => one === key) ? pairs.filter(([one]) => one !== key) : pairs;
}
