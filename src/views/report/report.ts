/**
 * A run as one report, as data: its steps, the plan with what became of each part, when what was worked on, what was
 * measured and found, what was merged, what it took, what was asked and learned. Every format is drawn from here. It
 * knows no workflow, and works for a run that is under way. Plain JSON.
 */

import { planStages } from '../../plan/graph.ts';
import type { Receipt } from '../../policy/receipt.ts';
import type { Chronicle } from '../chronicle.ts';
import { type RunSummary, summaryOf } from '../summary.ts';
import { type WorkUnit, workUnits } from '../work-rows.ts';
import { type BaselineCheck, baselineChecks, type ReportCheck, reportChecks } from './report-checks.ts';
import { type ReportRound, reportRounds } from './report-rounds.ts';
import {
  type ReportSpan,
  type ReportWait,
  reportSpans,
  reportWaits,
  type SpendRow,
  spendByOwner,
  spendByRole,
} from './report-spans.ts';

export interface Report extends Omit<RunSummary, 'tasks' | 'merged'> {
  readonly requirement: string;
  readonly forge: string;
  readonly startedAt: string;
  /** Of the newest fact, while it is not over. */
  readonly endedAt: string;
  readonly units: readonly WorkUnit[];
  /** Ids of units, by what they wait for. */
  readonly stages: readonly (readonly string[])[];
  readonly risks: readonly string[];
  readonly decisions: readonly string[];
  readonly spans: readonly ReportSpan[];
  readonly waits: readonly ReportWait[];
  readonly checks: readonly ReportCheck[];
  /** The project's checks on the commit that the run began from. */
  readonly baseline: readonly BaselineCheck[];
  /** Rounds that were sent back. */
  readonly retries: readonly ReportRound[];
  readonly receipts: readonly Receipt[];
  readonly spend: { readonly byRole: readonly SpendRow[]; readonly byWork: readonly SpendRow[] };
  readonly questions: readonly ReportQuestion[];
}

export interface ReportQuestion {
  readonly key: string;
  readonly askedAt: string;
  readonly title: string;
  readonly detail: string;
  /** In words; undefined while nobody has answered. */
  readonly answer: string | undefined;
  readonly by: string;
}

export function reportOf(chronicle: Chronicle): Report {
  const { state, timeline } = chronicle;
  const { tasks: _, merged: __, ...summary } = summaryOf(chronicle);
  const units = workUnits(chronicle);
  return {
    ...summary,
    requirement: requirementOf(chronicle),
    forge: state.created?.forge ?? '',
    startedAt: timeline.run.startedAt,
    endedAt: timeline.run.endedAt ?? timeline.seen,
    units,
    stages: stagesOf(units),
    risks: state.plan?.risks ?? [],
    decisions: state.plan?.decisions ?? [],
    spans: reportSpans(chronicle),
    waits: reportWaits(chronicle),
    checks: reportChecks(chronicle),
    baseline: baselineChecks(chronicle),
    retries: reportRounds(chronicle),
    receipts: state.receipts,
    spend: { byRole: spendByRole(chronicle), byWork: spendByOwner(chronicle) },
    questions: questionsOf(chronicle),
  };
}

/** What the run was started with, in words; most workflows have a requirement. */
function requirementOf({ state }: Chronicle): string {
  const requirement: unknown = Object(state.created?.input)['requirement'];
  return typeof requirement === 'string' && requirement !== '' ? requirement : (state.created?.title ?? '');
}

/** What was scheduled besides the plan comes after it, whatever it depends on. */
function stagesOf(units: readonly WorkUnit[]): readonly (readonly string[])[] {
  const planned = units.filter((unit) => unit.planned !== undefined);
  const others = units.filter((unit) => unit.planned === undefined).map((unit) => unit.task);
  return [...(planned.length === 0 ? [] : orderOf(planned)), ...(others.length === 0 ? [] : [others])];
}

/** A plan whose dependencies make a circle is shown as one stage. */
function orderOf(units: readonly WorkUnit[]): readonly (readonly string[])[] {
  try {
    return planStages(units.map(({ task: id, depends }) => ({ id, depends: [...depends] })));
  } catch {
    return [units.map(({ task }) => task)];
  }
}

function questionsOf({ state }: Chronicle): ReportQuestion[] {
  return [...state.questions].map(([key, { question, askedAt, answer }]) => {
    const label = question.options.find((option) => option.id === answer?.option)?.label ?? answer?.option;
    const words = [label, answer?.text].filter((part) => part !== undefined && part !== '').join(': ');
    return {
      key,
      askedAt,
      title: question.title,
      detail: question.detail,
      answer: answer === undefined ? undefined : words,
      by: answer?.by ?? '',
    };
  });
}
