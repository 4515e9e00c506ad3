/**
 * A run at one glance, as data: how it stands, how far it is, who does what now, what it used of what it may use, and
 * when it will probably end. Head of every display of a run and a line of a list of runs. Knows no workflow. Pure.
 */
import type { ListedStatus } from '../engine/engine.ts';
import { isRunOver } from '../engine/run-state.ts';
import type { Usage } from '../policy/usage.ts';
import { roleOf } from './agent-session.ts';
import type { Chronicle, RunStanding } from './chronicle.ts';
import { type Forecast, forecastOf } from './forecast-text.ts';
import { type Landing, landingOf, publishedRef, resultOf } from './landing.ts';
import { entriesAt, ownerPlace, pathTitle, placeId, placeOfEffect } from './outline.ts';
import { type RunBudget, runBudget } from './run-budget.ts';
import { busyMs, workedMs } from './timeline.ts';
import { workRows } from './work-rows.ts';

export interface RunPage {
  readonly run: string;
  readonly title: string;
  readonly requirement: string;
  readonly workflow: string;
  readonly status: ListedStatus;
  readonly reason: string;
  /** The failure's code when it stopped on one. */
  readonly code: string | undefined;
  readonly base: string;
  /** Where the user stood. */
  readonly startedFrom: string | undefined;
  readonly branch: string | undefined;
  /** The commit that holds what was merged, if anything was. */
  readonly result: string | undefined;
  readonly landing: Landing | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt: string | undefined;
  /** Until `updatedAt`; while the run is live, time since then counts too. */
  readonly workedMs: number;
  readonly seq: number;
  readonly isLive: boolean;
  readonly progress: { readonly done: number; readonly failed: number; readonly total: number };
  /** Where the whole run stands, as its workflow said last. */
  readonly standing: RunStanding | undefined;
  readonly doing: readonly OngoingWork[];
  readonly usage: Usage;
  readonly budget: RunBudget;
  readonly forecast: Forecast | undefined;
  readonly expectedEnd: string | undefined;
  readonly hasPlan: boolean;
}

/** One piece of work that is under way. */
export interface OngoingWork {
  readonly key: string;
  /** The role of an agent, or what the engine does. */
  readonly who: string;
  readonly where: string;
  /** What it said last. */
  readonly says: string;
}

export interface PageOptions {
  readonly status: ListedStatus;
  /** What agents are doing, by effect key. */
  readonly activity: ReadonlyMap<string, string>;
}

export function runPage(chronicle: Chronicle, { status, activity }: PageOptions): RunPage {
  const { state, timeline } = chronicle;
  const isLive = status === 'running' || status === 'created';
  const progress = progressOf(chronicle);
  const requirement: unknown = Object(state.created?.input)['requirement'];
  return {
    run: state.created?.run ?? '',
    title: state.created?.title ?? '',
    requirement: typeof requirement === 'string' ? requirement : '',
    workflow: state.created?.workflow ?? '',
    status,
    reason: state.reason,
    code: state.code,
    base: state.created?.base ?? '',
    startedFrom: state.created?.branch,
    branch: publishedRef(state)?.replace('refs/heads/', ''),
    result: resultOf(state),
    landing: landingOf(state),
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    endedAt: timeline.run.endedAt,
    workedMs: workedMs(timeline.run, timeline.seen),
    seq: state.seq,
    isLive,
    progress,
    standing: chronicle.standing,
    doing: isLive ? doingNow(chronicle, activity) : [],
    usage: state.usage,
    budget: runBudget(state, isLive),
    forecast: forecastOf(chronicle),
    expectedEnd: isLive ? expectedEnd(chronicle, progress) : undefined,
    hasPlan: state.plan !== undefined,
  };
}

/** Tasks where there are any, else the outermost steps. */
function progressOf(chronicle: Chronicle): RunPage['progress'] {
  const rows = workRows(chronicle);
  const parts = rows.length > 0 ? rows : outermostSteps(chronicle);
  const count = (wanted: string): number => parts.filter(({ status }) => status === wanted).length;
  return { done: count('done'), failed: count('failed') + count('blocked'), total: parts.length };
}

function outermostSteps({ state, outline }: Chronicle): readonly { readonly status: string }[] {
  const started = entriesAt(outline, state, undefined).filter(({ type }) => type === 'step');
  const announced = (outline.announced.get(placeId(undefined)) ?? []).filter((key) => !state.steps.has(key));
  return [
    ...started.map(({ key }) => ({ status: state.steps.get(key)?.end?.status ?? 'running' })),
    ...announced.map(() => ({ status: 'waiting' })),
  ];
}

const engineWords: Readonly<Record<string, string>> = {
  'check.run': 'checks',
  'contracts.check': 'checks',
  'hooks.run': 'git hooks',
  'evidence.measure': 'evidence',
  'merge.prepare': 'merge',
  'merge.land': 'merge',
  'landing.prepare': 'landing',
  'branch.land': 'landing',
  'branch.publish': 'publish',
};

function doingNow({ state, remarks }: Chronicle, activity: ReadonlyMap<string, string>): OngoingWork[] {
  return [...state.effects].flatMap(([key, { kind, open, input }]): OngoingWork[] => {
    if (open === undefined) return [];
    const who = kind === 'agent.run' ? roleOf(input) : engineWords[kind];
    if (who === undefined) return [];
    const place = ownerPlace(state, placeOfEffect(state, key));
    const where = place === undefined ? '' : pathTitle(state, place);
    return [{ key, who, where, says: remarks.get(key) ?? activity.get(key) ?? '' }];
  });
}

/**
 * From how long the finished tasks took, once there are some; before that from the forecast. A run whose tasks are all
 * done is about to end, and nobody knows how soon.
 */
function expectedEnd(chronicle: Chronicle, { done, failed, total }: RunPage['progress']): string | undefined {
  const { state, timeline } = chronicle;
  if (isRunOver(state)) return undefined;
  const at = (ms: number): string => new Date(Date.parse(timeline.seen) + ms).toISOString();
  const left = total - done - failed;
  if (state.tasks.size > 0 && done > 0)
    return left === 0 ? undefined : at((busyMs(timeline, timeline.seen) / done) * left);
  const minutes = forecastOf(chronicle)?.expected?.minutes?.[1];
  if (minutes === undefined || state.plan === undefined) return undefined;
  const begun = Math.min(...[...timeline.tasks.values()].map(({ startedAt }) => Date.parse(startedAt)));
  if (!Number.isFinite(begun)) return undefined;
  return new Date(Math.max(begun + minutes * 60_000, Date.parse(timeline.seen))).toISOString();
}
