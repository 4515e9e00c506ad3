/**
 * What a plan will probably use, as a range: from what agents used in this repository before, and from rough figures
 * per role where there is too little of that, which is then marked as a guess. Runs like it that went well say how long
 * it takes and how often work is tried again. What could not be known is listed, not
 * hidden. Also how much to set aside for one dispatch: somewhat more than is likely, never the worst case. Pure.
 */
import { criticalPath, expectedMinutes, type GraphNode } from '../plan/graph.ts';
import type { Task } from '../plan/plan.ts';
import type { Amount } from './amount.ts';
import {
  type DispatchEstimate,
  type EstimateSpan,
  estimateDispatch,
  multiplySpans as multiply,
} from './dispatch-estimate.ts';
import type { PriceSettings } from './prices.ts';
import type { Tier } from './routing.ts';
import type { SimilarRuns } from './run-pattern.ts';
import type { Usage } from './usage.ts';

/** One agent's work in an earlier run. */
export interface PastWork {
  readonly role: string;
  readonly tier?: string | undefined;
  readonly model?: string | undefined;
  readonly usage: Usage;
  readonly durationMs: number;
}

export interface PlannedDispatch {
  readonly role: string;
  readonly tier: Tier;
  readonly model?: string | undefined;
  /** The task it is for; undefined for work on the whole. */
  readonly task?: string | undefined;
  /** 1 for a task of middling size; rough figures grow with it. */
  readonly size?: number;
  /** How often it happens. */
  readonly times?: EstimateSpan;
  /** It happens when work is tried again: earlier runs know how often. */
  readonly onRetry?: boolean;
}

export interface ForecastQuestion {
  readonly dispatches: readonly PlannedDispatch[];
  readonly history: readonly PastWork[];
  readonly prices?: PriceSettings;
  /** For elapsed time: what waits for what, and how many tasks run at once. */
  readonly tasks?: readonly GraphNode[];
  readonly parallel?: number;
  /** Earlier runs of its kind. */
  readonly like?: SimilarRuns | undefined;
}

export interface Forecast {
  readonly usd: EstimateSpan;
  readonly tokens: EstimateSpan;
  readonly turns: EstimateSpan;
  /** Elapsed, with tasks at work in parallel. */
  readonly minutes: EstimateSpan;
  /** How many runs like it the minutes come from; 0 where they were added up. */
  readonly runs: number;
  /** Some of it comes from rough figures and not from earlier runs. */
  readonly guess: boolean;
  readonly unknown: readonly string[];
}

const once: EstimateSpan = { low: 1, likely: 1, high: 1 };
const none: EstimateSpan = { low: 0, likely: 0, high: 0 };

export function forecastPlan(question: ForecastQuestion): Forecast {
  const { history, prices = {}, like } = question;
  const parts = question.dispatches.map((dispatch) => {
    const estimate = estimateDispatch(dispatch, history, prices);
    const often = oftenOf(dispatch, like);
    return {
      task: dispatch.task,
      estimate,
      usd: multiply(estimate.usd, often),
      tokens: multiply(estimate.tokens, often),
      turns: multiply(estimate.turns, often),
      minutes: multiply(estimate.minutes, often),
    };
  });
  return {
    usd: sum(parts.map((part) => part.usd)),
    tokens: sum(parts.map((part) => part.tokens)),
    turns: sum(parts.map((part) => part.turns)),
    minutes: like?.minutes ?? elapsed(parts, question),
    runs: like?.count ?? 0,
    guess: parts.some((part) => part.estimate.guess),
    unknown: [...new Set(parts.flatMap((part) => part.estimate.unknown))],
  };
}

/** Where it happens on a retry, as often as in earlier runs, but never more often than it may. */
function oftenOf({ times = once, onRetry }: PlannedDispatch, like: SimilarRuns | undefined): EstimateSpan {
  if (onRetry !== true || like === undefined) return times;
  const within = (bound: keyof EstimateSpan) => Math.min(like.retries[bound], times.high);
  return { low: within('low'), likely: within('likely'), high: within('high') };
}

/** The dispatches of a plan: some roles work on each task, some on the whole. */
export function planDispatches(shape: {
  readonly tasks: readonly Pick<Task, 'id' | 'complexity' | 'expectedMinutes'>[];
  readonly perTask: readonly Pick<PlannedDispatch, 'role' | 'times' | 'onRetry'>[];
  readonly once: readonly Pick<PlannedDispatch, 'role' | 'times'>[];
  readonly route: (role: string, task: string | undefined) => { readonly tier: Tier; readonly model?: string };
}): PlannedDispatch[] {
  const { tasks, perTask, once: whole, route } = shape;
  return [
    ...tasks.flatMap((task) =>
      perTask.map((work) => ({ ...work, ...placed(route(work.role, task.id)), task: task.id, size: sizeOf(task) })),
    ),
    ...whole.map((work) => ({ ...work, ...placed(route(work.role, undefined)) })),
  ];
}

export interface Allotment {
  /** What to set aside, and the least that is worth beginning with. */
  readonly want: Amount;
  readonly min: Amount;
  readonly guess: boolean;
  readonly priced: boolean;
  readonly unknown: readonly string[];
}

/** Four of five earlier runs and a quarter more; where there are too few, twice what is likely. */
export function allotmentFor(
  dispatch: PlannedDispatch,
  { history, prices = {} }: Pick<ForecastQuestion, 'history' | 'prices'>,
): Allotment {
  const estimate = estimateDispatch(dispatch, history, prices);
  const wanted = ({ likely, high }: EstimateSpan) => (estimate.guess ? likely * 2 : high * 1.25);
  return {
    want: amountOf(estimate, wanted),
    // A guess must not keep a small budget from being tried: the meter holds it either way.
    min: amountOf(estimate, (span) => (estimate.guess ? span.low / 10 : Math.min(span.low, wanted(span)))),
    guess: estimate.guess,
    priced: estimate.priced,
    unknown: estimate.unknown,
  };
}

/** One sentence for a person. */
export function describeForecast(forecast: Forecast): string {
  const figures = [
    ranged(forecast.usd, dollars),
    `${ranged(forecast.tokens, short)} tokens`,
    `${ranged(forecast.minutes, (minutes) => `${Math.max(1, Math.round(minutes))}`)} minutes`,
  ].join(', ');
  const basis = forecast.guess ? 'a guess, there is little history here' : 'from earlier runs here';
  const alike = forecast.runs === 0 ? '' : `; time as in ${forecast.runs} runs like it`;
  const missing = forecast.unknown.length === 0 ? '' : `; unknown: ${forecast.unknown.join(', ')}`;
  return `about ${figures} (${basis}${alike}${missing})`;
}

/** Twice as long is twice as large; a plan's own figure may be anything. */
function sizeOf(task: Pick<Task, 'complexity' | 'expectedMinutes'>): number {
  return Math.min(Math.max(expectedMinutes(task) / expectedMinutes({ complexity: 'M' }), 0.25), 6);
}

function placed({ tier, model }: { tier: Tier; model?: string }): { tier: Tier; model?: string } {
  return model === undefined ? { tier } : { tier, model };
}

/** The longest chain of tasks, or all of them shared among the workers, whichever takes longer; then the rest. */
function elapsed(
  parts: readonly { readonly task: string | undefined; readonly minutes: EstimateSpan }[],
  { tasks, parallel = 1 }: ForecastQuestion,
): EstimateSpan {
  const byTask = new Map<string, EstimateSpan>();
  for (const { task, minutes } of parts) {
    if (task !== undefined) byTask.set(task, sum([byTask.get(task) ?? none, minutes]));
  }
  const alone = sum(parts.filter((part) => part.task === undefined).map((part) => part.minutes));
  const shared = sum([...byTask.values()]);
  const nodes = tasks ?? [...byTask.keys()].map((id) => ({ id, depends: [] }));
  const along = (bound: keyof EstimateSpan) => criticalPath(nodes, ({ id }) => byTask.get(id)?.[bound] ?? 0).minutes;
  const span = (bound: keyof EstimateSpan) =>
    alone[bound] + Math.max(along(bound), shared[bound] / Math.max(1, parallel));
  return { low: span('low'), likely: span('likely'), high: span('high') };
}

function sum(spans: readonly EstimateSpan[]): EstimateSpan {
  return spans.reduce(
    (total, span) => ({
      low: total.low + span.low,
      likely: total.likely + span.likely,
      high: total.high + span.high,
    }),
    none,
  );
}

function amountOf({ usd, tokens, turns, minutes }: DispatchEstimate, of: (span: EstimateSpan) => number): Amount {
  return {
    usd: Math.ceil(of(usd) * 1e4) / 1e4,
    tokens: Math.ceil(of(tokens)),
    turns: Math.ceil(of(turns)),
    minutes: Math.ceil(of(minutes) * 10) / 10,
  };
}

function ranged({ low, likely, high }: EstimateSpan, text: (value: number) => string): string {
  return `${text(likely)} (${text(low)} to ${text(high)})`;
}

function dollars(value: number): string {
  return value >= 100 ? `$${Math.round(value)}` : `$${value.toFixed(2)}`;
}

function short(tokens: number): string {
  if (tokens >= 1e6) return `${(tokens / 1e6).toFixed(1)}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : `${Math.round(tokens)}`;
}
