/**
 * What one dispatch of a role probably uses: the middle and the fifths of earlier runs of the same role with the same
 * model, else the same tier, else the role at all. Below three of them, rough figures per role count as three runs more
 * and the answer is a guess. A run whose use was not counted is not a run that used nothing: it is left out.
 */
import type { PastWork, PlannedDispatch } from './forecast.ts';
import { usualModels } from './model-choice.ts';
import { costOf, type PriceSettings } from './prices.ts';

export interface EstimateSpan {
  readonly low: number;
  readonly likely: number;
  readonly high: number;
}

export interface DispatchEstimate {
  readonly usd: EstimateSpan;
  readonly tokens: EstimateSpan;
  readonly turns: EstimateSpan;
  readonly minutes: EstimateSpan;
  readonly guess: boolean;
  /** Dollars are from prices that are known. */
  readonly priced: boolean;
  readonly unknown: readonly string[];
}

const enough = 3;

export function estimateDispatch(
  dispatch: PlannedDispatch,
  history: readonly PastWork[],
  prices: PriceSettings,
): DispatchEstimate {
  const past = nearest(dispatch, history);
  const guess = past.length < enough;
  const works = [...past.map(workOf), ...(guess ? roughWorks(dispatch) : [])];
  const costs = works.map((work) => costOfWork(work, dispatch, prices));
  const priced = costs.every(({ known }) => known);
  return {
    usd: spanOf(costs.map(({ usd }) => usd)),
    tokens: spanOf(works.map((work) => work.input + work.output)),
    turns: spanOf(works.map((work) => work.turns)),
    minutes: spanOf(works.map((work) => work.minutes)),
    guess,
    priced,
    unknown: [
      ...(guess ? [`how much a ${dispatch.role} uses here`] : []),
      ...(!priced ? [`what ${dispatch.model ?? "the agent's own model"} costs`] : []),
    ],
  };
}

export function multiplySpans(span: EstimateSpan, by: EstimateSpan): EstimateSpan {
  return { low: span.low * by.low, likely: span.likely * by.likely, high: span.high * by.high };
}

interface Work {
  readonly input: number;
  readonly output: number;
  readonly turns: number;
  readonly minutes: number;
  /** What it did cost, with which model; undefined where it was not counted. */
  readonly paid: { readonly usd: number; readonly model: string | undefined } | undefined;
}

function nearest({ role, model, tier }: PlannedDispatch, history: readonly PastWork[]): readonly PastWork[] {
  const ofRole = history.filter((work) => work.role === role && work.usage.inputTokens + work.usage.outputTokens > 0);
  const ofModel = model === undefined ? [] : ofRole.filter((work) => work.model === model);
  if (ofModel.length >= enough) return ofModel;
  const ofTier = ofRole.filter((work) => work.tier === tier);
  return ofTier.length >= enough ? ofTier : ofRole;
}

function workOf({ usage, durationMs, model }: PastWork): Work {
  return {
    input: usage.inputTokens,
    output: usage.outputTokens,
    turns: usage.turns,
    minutes: durationMs / 60_000,
    paid: usage.costUsd > 0 ? { usd: usage.costUsd, model } : undefined,
  };
}

/** What was paid, if it was for the same model; else by the model's price; else by that of a usual one, as a guess. */
function costOfWork(work: Work, dispatch: PlannedDispatch, prices: PriceSettings): { usd: number; known: boolean } {
  const { model, tier } = dispatch;
  if (work.paid !== undefined && work.paid.model === model) return { usd: work.paid.usd, known: true };
  const own = model === undefined ? undefined : costBy(model, work, prices);
  if (own !== undefined) return { usd: own, known: true };
  return { usd: work.paid?.usd ?? costBy(usualModels[tier], work, prices) ?? 0, known: false };
}

/**
 * An agent sends its conversation again with every turn; most of it is read from the provider's cache. Counted per
 * request, because some prices rise with the size of one.
 */
function costBy(model: string, { input, output, turns }: Work, settings: PriceSettings): number | undefined {
  const calls = Math.max(1, turns);
  const share = (part: number) => (input * part) / calls;
  const cost = costOf(
    model,
    { input: share(0.05), cacheRead: share(0.85), cacheWrite: share(0.1), cacheWriteLong: 0, output: output / calls },
    { settings },
  );
  return cost.known ? cost.usd * calls : undefined;
}

/** Nearest rank; the ends of a short list are its ends. */
export function spanOf(values: readonly number[]): EstimateSpan {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { low: at(0.2), likely: at(0.5), high: at(0.8) };
}

interface RoughFigures {
  readonly input: EstimateSpan;
  readonly output: EstimateSpan;
  readonly turns: EstimateSpan;
  readonly minutes: EstimateSpan;
}

function roughWorks({ role, size = 1 }: PlannedDispatch): Work[] {
  const rough = roughFigures.get(role.replace(/-\d+$/, '')) ?? thorough;
  return (['low', 'likely', 'high'] as const).map((bound) => ({
    input: Math.round(rough.input[bound] * size),
    output: Math.round(rough.output[bound] * size),
    turns: Math.ceil(rough.turns[bound] * size),
    minutes: rough.minutes[bound] * size,
    paid: undefined,
  }));
}

function figures(low: number, likely: number, high: number): EstimateSpan {
  return { low, likely, high };
}

const building: RoughFigures = {
  input: figures(200_000, 900_000, 3_000_000),
  output: figures(5000, 18_000, 50_000),
  turns: figures(10, 35, 100),
  minutes: figures(3, 10, 30),
};
const thorough: RoughFigures = {
  input: figures(120_000, 450_000, 1_500_000),
  output: figures(3000, 9000, 25_000),
  turns: figures(6, 20, 60),
  minutes: figures(2, 5, 18),
};
const brief: RoughFigures = {
  input: figures(20_000, 60_000, 200_000),
  output: figures(800, 2000, 6000),
  turns: figures(2, 5, 12),
  minutes: figures(0.5, 1, 4),
};

const roughFigures: ReadonlyMap<string, RoughFigures> = new Map([
  ['developer', building],
  ['worker', building],
  ['debugger', building],
  ['planner', thorough],
  ['architect', thorough],
  ['tester', thorough],
  ['reviewer', thorough],
  ['final-reviewer', thorough],
  ['auditor', thorough],
  ['researcher', thorough],
  ['learner', brief],
  ['overseer', brief],
  ['scribe', brief],
]);
