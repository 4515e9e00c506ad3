/**
 * What to do after trouble: try again a little later, wait for a limit to end, go one tier up, take another model, hand
 * over to the next configured agent, or stop with a hint. One table says it per code. The history of the dispatch goes
 * in whole, so the answer is the same on every replay; everything is counted per agent and bounded, so a dispatch ends
 * whatever its providers answer. Pure: time and jitter are given.
 */
import type { Trouble } from './agent-outcome.ts';
import type { Tier } from './routing.ts';
import { isTroubleCode, type TroubleCode } from './trouble.ts';

export type TroubleAction =
  | { readonly action: 'retry'; readonly delayMs: number }
  /** Nothing else is started on this agent's account before then. */
  | { readonly action: 'wait'; readonly until: number }
  | { readonly action: 'tier-up'; readonly tier: Tier }
  | { readonly action: 'other-model'; readonly model: string }
  | { readonly action: 'handoff'; readonly agent: string }
  | { readonly action: 'stop'; readonly hint: string };

/** One earlier trouble of the same dispatch and what was done about it. */
export interface PastTrouble {
  readonly agent: string;
  readonly code: string;
  readonly action: TroubleAction['action'];
}

/** What is configured besides the agent and model that had the trouble. */
export interface Alternatives {
  /** The next tier, where it has another model. */
  readonly tierUp?: Tier | undefined;
  readonly otherModel?: string | undefined;
  /** The same agent on other accounts that are not at their limit, in order. */
  readonly accounts?: readonly string[] | undefined;
  /** Agents that may take over, in order. */
  readonly agents: readonly string[];
}

export interface TroubleLimits {
  /** Retries of passing trouble per agent. */
  readonly retries: number;
  /** Waits for a limit to end, per agent. */
  readonly waits: number;
  /** Longest delay that is a retry and not a wait. */
  readonly longestDelayMs: number;
  /** A limit that ends later is not waited for. */
  readonly longestWaitMs: number;
  /** A limit that ends sooner is waited for even if another agent could take over. */
  readonly shortWaitMs: number;
}

export const troubleLimits: TroubleLimits = {
  retries: 3,
  waits: 5,
  longestDelayMs: 60_000,
  // A weekly window, and a day.
  longestWaitMs: 8 * 86_400_000,
  shortWaitMs: 5 * 60_000,
};

export interface TroubleQuestion {
  readonly trouble: Trouble;
  readonly history: readonly PastTrouble[];
  readonly agent: string;
  readonly now: number;
  /** In [0, 1); spreads what would otherwise wake at once. */
  readonly jitter: number;
  readonly alternatives: Alternatives;
  readonly limits?: Partial<TroubleLimits>;
}

export function afterTrouble(question: TroubleQuestion): TroubleAction {
  const code = isTroubleCode(question.trouble.code) ? question.trouble.code : 'unknown';
  const limits = { ...troubleLimits, ...question.limits };
  const stop = { action: 'stop', hint: hintFor(code, question) } as const;
  return remedies[code]({ ...question, code, limits }) ?? stop;
}

interface Case extends TroubleQuestion {
  readonly code: TroubleCode;
  readonly limits: TroubleLimits;
}

type Remedy = (at: Case) => TroubleAction | undefined;

/** What is tried, in order; after the last comes stop. */
const remedies: Readonly<Record<TroubleCode, Remedy>> = {
  rate_limit: (at) => awaitReset(at) ?? retry(at) ?? otherAccount(at) ?? handoff(at) ?? awaitUnstated(at),
  overloaded: (at) => retry(at) ?? handoff(at),
  server: (at) => retry(at) ?? handoff(at),
  network: (at) => retry(at) ?? handoff(at),
  stream_cut: (at) => retry(at) ?? handoff(at),
  killed: (at) => retryOnce(at),
  hung: (at) => retryOnce(at) ?? handoff(at),
  authentication: (at) => otherAccount(at) ?? handoff(at),
  billing: (at) => otherAccount(at) ?? handoff(at),
  prompt_too_long: tierUp,
  refusal: otherModel,
  model_not_found: () => undefined,
  limit_reached: () => undefined,
  tool_missing: () => undefined,
  unknown: () => undefined,
};

/** The longest delay a class of trouble is worth before the first retries have shown it to be short. */
export const backoffMs: Readonly<Partial<Record<TroubleCode, number>>> = {
  rate_limit: 60_000,
  overloaded: 30_000,
  server: 30_000,
  network: 3000,
  stream_cut: 15_000,
  killed: 3000,
  hung: 3000,
};

const firstDelayMs = 2000;

/**
 * Doubling from two seconds up to the class's backoff, less up to half of it by jitter. A provider's own word is
 * kept to instead; when that is too long for a retry, it is waited for.
 */
function retry(at: Case): TroubleAction | undefined {
  const done = countOf(at, (past) => past.action === 'retry');
  if (done >= at.limits.retries) return undefined;
  const { retryAfterMs } = at.trouble;
  if (retryAfterMs === undefined) {
    const delay = Math.min(backoffMs[at.code] ?? firstDelayMs, firstDelayMs * 2 ** done, at.limits.longestDelayMs);
    return { action: 'retry', delayMs: Math.round(delay * (1 - jitterOf(at) / 2)) };
  }
  if (retryAfterMs > at.limits.longestDelayMs) return waitFor(at, retryAfterMs);
  const later = Math.round(retryAfterMs * (1 + jitterOf(at) / 10));
  return { action: 'retry', delayMs: Math.min(later, at.limits.longestDelayMs) };
}

/** For what comes from the machine and not from a provider: twice is no accident. */
function retryOnce(at: Case): TroubleAction | undefined {
  return countOf(at, (past) => past.action === 'retry' && past.code === at.code) > 0 ? undefined : retry(at);
}

/** Waiting costs nothing but time; another agent is taken when the wait is long and there is one. */
function awaitReset(at: Case): TroubleAction | undefined {
  const { retryAfterMs } = at.trouble;
  if (retryAfterMs === undefined) return undefined;
  const wait = waitFor(at, retryAfterMs);
  if (retryAfterMs <= at.limits.shortWaitMs && wait !== undefined) return wait;
  return otherAccount(at) ?? handoff(at) ?? wait ?? { action: 'stop', hint: hintFor(at.code, at) };
}

/** No time was given and short retries did not help: a minute, then five times as long each time, up to an hour. */
function awaitUnstated(at: Case): TroubleAction | undefined {
  const waited = countOf(at, (past) => past.action === 'wait');
  return waitFor(at, Math.min(60_000 * 5 ** waited, 3_600_000));
}

function waitFor(at: Case, delayMs: number): TroubleAction | undefined {
  if (delayMs > at.limits.longestWaitMs) return undefined;
  if (countOf(at, (past) => past.action === 'wait') >= at.limits.waits) return undefined;
  const spread = Math.min(delayMs / 10, 5000) * jitterOf(at);
  return { action: 'wait', until: at.now + Math.ceil(delayMs + spread) };
}

function tierUp(at: Case): TroubleAction | undefined {
  const { tierUp: tier } = at.alternatives;
  if (tier === undefined || countOf(at, (past) => past.action === 'tier-up') > 0) return undefined;
  return { action: 'tier-up', tier };
}

/** Once: by another model of the same agent, or where it has none by another agent. */
function otherModel(at: Case): TroubleAction | undefined {
  if (at.history.some((past) => past.code === 'refusal' && past.action !== 'stop')) return undefined;
  const { otherModel: model } = at.alternatives;
  return model === undefined ? handoff(at) : { action: 'other-model', model };
}

/** Each agent takes its turn once. */
function handoff(at: Case): TroubleAction | undefined {
  return handTo(at, at.alternatives.agents);
}

/** What is wrong with an account is not wrong with another one. */
function otherAccount(at: Case): TroubleAction | undefined {
  return handTo(at, at.alternatives.accounts ?? []);
}

function handTo(at: Case, candidates: readonly string[]): TroubleAction | undefined {
  const tried = new Set([at.agent, ...at.history.map((past) => past.agent)]);
  const agent = candidates.find((name) => !tried.has(name));
  return agent === undefined ? undefined : { action: 'handoff', agent };
}

function countOf({ history, agent }: Case, counts: (past: PastTrouble) => boolean): number {
  return history.filter((past) => past.agent === agent && counts(past)).length;
}

function jitterOf({ jitter }: Case): number {
  return Number.isFinite(jitter) ? Math.min(Math.max(jitter, 0), 1) : 0;
}

function hintFor(code: TroubleCode, { agent, trouble }: Pick<TroubleQuestion, 'agent' | 'trouble'>): string {
  // Forge's own scripted agent: no provider said anything.
  if (trouble.code === 'script-exhausted') return `The script of ${agent} has no entry left for this work.`;
  return hints[code].replaceAll('%', agent);
}

const later = 'Resume the run later, or set `next` for the agent %, which names the agent that takes over.';

const hints: Readonly<Record<TroubleCode, string>> = {
  rate_limit: `The account of % is at its limit. ${later}`,
  overloaded: `The provider of % is overloaded. ${later}`,
  server: `The provider of % keeps failing. ${later}`,
  network: 'The provider of % cannot be reached: check the network and the address, then resume the run.',
  stream_cut: `Answers to % keep breaking off. ${later}`,
  authentication: 'Log in to % again or check its key (`forge agents` shows which is used), then resume the run.',
  billing: 'The account of % has nothing left to spend. Top it up or name another agent, then resume the run.',
  model_not_found: 'Check the model and the address configured for %: its provider does not know that model.',
  prompt_too_long:
    'The task is too large for the largest model of %: split it, or configure a model with more context.',
  refusal: 'The models of % refuse this task: word it differently or give it to another agent.',
  limit_reached: 'A limit of this job was reached: raise it or split the task, then try it again.',
  tool_missing: 'A program that % needs is missing or cannot be started: install it, then resume the run.',
  killed:
    'The process of % was killed, perhaps because the machine ran out of memory. See its log, then resume the run.',
  hung: 'The agent % stopped doing anything: see its log, then resume the run.',
  unknown: 'The agent % reported an error that Forge does not recognize. The log shows its message.',
};
