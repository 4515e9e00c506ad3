/**
 * What a run came to, as data: its steps and tasks with what they say, what was merged, what was found, what it took and
 * where it is. Every skin draws from here; summary-text.ts does on a terminal. It knows no workflow, and works for a run
 * that stopped half-way. Plain JSON.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import { isRunOver, type RunStatus } from '../engine/run-state.ts';
import { quoteCommand } from '../plan/quote-command.ts';
import type { Amount } from '../policy/amount.ts';
import { lostAmount } from '../policy/budget.ts';
import type { ScopeFlag } from '../policy/receipt.ts';
import type { Usage } from '../policy/usage.ts';
import type { Chronicle } from './chronicle.ts';
import { type Landing, landingOf, publishedRef } from './landing.ts';
import { ownerPlace, placeTitle, taskTitle } from './outline.ts';
import { stepNodes } from './step-tree.ts';
import { millisecondsBetween, workedMs } from './timeline.ts';
import type { ViewNode } from './view-node.ts';
import { type CollectedReports, collectReports } from './work-reports.ts';
import { type WorkRow, workRows } from './work-rows.ts';

export interface RunSummary extends CollectedReports {
  readonly run: string;
  readonly title: string;
  readonly workflow: string;
  readonly status: RunStatus;
  readonly reason: string;
  readonly base: string;
  /** Where the user stood. */
  readonly startedFrom?: string | undefined;
  readonly branch?: string | undefined;
  readonly landing?: Landing | undefined;
  /** The outermost steps, with what came of them. */
  readonly steps: readonly SummaryStep[];
  readonly tasks: readonly WorkRow[];
  readonly merged: readonly MergedWork[];
  readonly flags: readonly (ScopeFlag & { readonly task: string })[];
  /** What went wrong, and what to do about it. */
  readonly advice: readonly SuggestedCommands[];
  readonly usage: Usage;
  /** Of work that was cut off: what it had set aside counts as used. */
  readonly lost: Amount;
  readonly wallMs: number;
  /** Without the time in which nobody worked on it. */
  readonly workedMs: number;
  /** Commits captured from agents, merged or not. */
  readonly captured: number;
}

export type SummaryStep = Pick<ViewNode, 'id' | 'kind' | 'label' | 'status' | 'detail'>;

export interface MergedWork {
  readonly task: string;
  readonly title: string;
  readonly commit: string;
  readonly files: number;
}

export interface SuggestedCommands {
  /** What went wrong, in words. */
  readonly reason: string;
  /** What to do first. */
  readonly first: string;
  /** For a shell, so every word is quoted if need be. */
  readonly commands: readonly string[];
}

export function summaryOf(chronicle: Chronicle): RunSummary {
  const { state, timeline } = chronicle;
  const changed = [...chronicle.sessions.values()].filter(({ changes }) => changes.length > 0);
  return {
    run: state.created?.run ?? '',
    title: state.created?.title ?? '',
    workflow: state.created?.workflow ?? '',
    status: state.status,
    reason: state.reason,
    base: state.created?.base ?? '',
    startedFrom: state.created?.branch,
    branch: publishedRef(state)?.replace('refs/heads/', ''),
    landing: landingOf(state),
    steps: summarySteps(chronicle),
    tasks: workRows(chronicle),
    merged: mergedWork(chronicle),
    ...collectReports(chronicle),
    flags: state.receipts.flatMap(({ task, flags }) => flags.map((flag) => ({ ...flag, task }))),
    advice: adviceOf(chronicle),
    usage: state.usage,
    lost: isRunOver(state) ? lostAmount(state.budget) : {},
    wallMs: millisecondsBetween(timeline.run.startedAt, timeline.run.endedAt ?? timeline.seen),
    workedMs: workedMs(timeline.run, timeline.seen),
    captured: new Set(changed.map(({ commit }) => commit)).size,
  };
}

function summarySteps(chronicle: Chronicle): SummaryStep[] {
  const scene = { chronicle, now: chronicle.timeline.seen, isLive: false, activity: new Map<string, string>() };
  return stepNodes(scene)
    .filter(({ type }) => type === 'step')
    .map(({ id, kind, label, status, detail }) => ({ id, kind, label, status, detail }));
}

/** Merges in order, each under the work it was for. */
function mergedWork({ state }: Chronicle): MergedWork[] {
  const kept = new Set(state.receipts.map(({ after }) => after));
  return [...state.effects.values()].flatMap(({ kind, within, result }): MergedWork[] => {
    const landed = kind === 'merge.land' ? (result?.output as EffectOutput<'merge.land'> | undefined) : undefined;
    if (landed?.status !== 'merged' || !kept.has(landed.receipt.after)) return [];
    const { task, after, changed } = landed.receipt;
    const owner = ownerPlace(state, within);
    const title = owner === undefined ? taskTitle(state, task) : placeTitle(state, owner);
    return [{ task, title, commit: after, files: changed.length }];
  });
}

/**
 * What went wrong, how to look into it, and how to try it again. What was only skipped comes back with what it waits
 * for; what failed in a run that is done was made good since.
 */
export function adviceOf({ state }: Chronicle): SuggestedCommands[] {
  if (state.status === 'done') return [];
  const run = state.created?.run ?? '';
  const ids = [...state.tasks.values()].map(({ task }) => task);
  return [...state.tasks].flatMap(([key, { task, outcome }]): SuggestedCommands[] => {
    if (outcome?.status !== 'failed' && outcome?.status !== 'blocked') return [];
    const name = ids.filter((id) => id === task).length === 1 ? task : key;
    const isBlocked = outcome.status === 'blocked';
    return [
      {
        reason: `${taskTitle(state, key)} ${isBlocked ? 'is blocked' : 'failed'}: ${outcome.reason}`,
        first: isBlocked
          ? 'Provide or settle what it names, then retry it.'
          : 'See what was tried, fix the cause or the plan, then retry it.',
        commands: [quoteCommand(['forge', 'logs', run, name]), quoteCommand(['forge', 'retry', run, name])],
      },
    ];
  });
}

export function failedCommands(chronicle: Chronicle): string[] {
  return adviceOf(chronicle).flatMap(({ commands }) => commands);
}
