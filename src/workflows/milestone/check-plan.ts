/**
 * The gate between a slice's plan and its first task: ten dimensions, judged by somebody who did not write the plan. In
 * advisory mode the result is written down; in blocking mode a plan with failures is revised while they fall, three rounds
 * at most, and each round's result is kept. A check that nobody did is never a pass: blocking mode then stops.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { repeatUntilPassed } from '../moves/repeat-until-passed.ts';
import { askReader } from './ask-unit.ts';
import { briefFor, briefRules, milestoneParts } from './briefs.ts';
import { planCheckText, slicePlanText, taskPlanText } from './documents/plan-texts.ts';
import { leaveDocument } from './leave-document.ts';
import type { MilestoneContext } from './milestone-context.ts';
import type { OpenedSlice } from './open-milestone.ts';
import type { DraftedSlice } from './plan-slice.ts';
import type { SlicePlanResult } from './role-results.ts';
import {
  countVerdicts,
  type JudgedDimension,
  mostPlanRounds,
  type PlanCheckOutcome,
  planCheckOutcome,
  planCheckPolicy,
  readDimensions,
} from './rules/plan-check.ts';

export interface PlanCheckRequest {
  readonly context: MilestoneContext;
  readonly slice: OpenedSlice;
  readonly plan: SlicePlanResult;
  readonly revise: (round: number, revision: string) => Promise<DraftedSlice>;
}

export type PlanChecked =
  | { readonly status: 'go'; readonly plan: SlicePlanResult }
  /** With the plan that did not pass, for a person to change. */
  | { readonly status: 'stopped'; readonly reason: string; readonly plan?: SlicePlanResult };

export async function checkPlan(bench: Bench, request: PlanCheckRequest): Promise<PlanChecked> {
  const { context, slice, plan } = request;
  const mode = context.input.options['plan-check'];
  if (mode === 'disabled') return { status: 'go', plan };
  if (mode === 'advisory') {
    const judged = await judge(bench, request, { plan, round: 1 });
    await leave(bench, request, { round: 1, judged, outcome: judged === undefined ? 'unchecked' : 'recorded' });
    return { status: 'go', plan };
  }
  const ended = await repeatUntilPassed<Standing, SlicePlanResult, PlanChecked>(bench, {
    policy: planCheckPolicy,
    start: { plan, failures: [], judged: [] },
    round: async ({ round, standing }) => {
      const judged = await judge(bench, request, { plan: standing.plan, round });
      if (judged === undefined) {
        await leave(bench, request, { round, judged, outcome: 'unchecked' });
        return { status: 'over', result: { status: 'stopped', reason: `nobody could check the plan of ${slice.id}` } };
      }
      const failed = [...standing.failures, countVerdicts(judged).fail];
      const outcome = planCheckOutcome(failed);
      await leave(bench, request, { round, judged, outcome });
      if (outcome === 'passed') return { status: 'passed', result: standing.plan };
      const reason = `${outcome === 'revised' ? '' : `${outcome}: `}${failures(judged)}`;
      return {
        status: 'red',
        standing: { ...standing, failures: failed, judged },
        reason,
        remaining: failed.at(-1) ?? 0,
      };
    },
    fix: async ({ standing }, { round }) => {
      const revised = await request.revise(round + 1, revisionRequest(standing.judged));
      if (revised.status === 'stopped') return { status: 'over', result: revised };
      return { status: 'again', standing: { ...standing, plan: revised.plan } };
    },
  });
  if (ended.status === 'passed') return { status: 'go', plan: ended.result };
  if (ended.status === 'over') return ended.result;
  return { status: 'stopped', reason: ended.reason, plan: ended.standing.plan };
}

/**
 * A plan that is there already is nobody's to revise. A check that is there counts, and without one it is checked before
 * its first task; in blocking mode it has to pass.
 */
export async function checkGivenPlan(
  bench: Bench,
  request: Omit<PlanCheckRequest, 'revise'>,
): Promise<{ readonly status: 'go' } | { readonly status: 'stopped'; readonly reason: string }> {
  const { context, slice, plan } = request;
  const mode = context.input.options['plan-check'];
  if (mode === 'disabled' || hasBegun(slice)) return { status: 'go' };
  const stopped = (why: string) =>
    ({
      status: 'stopped',
      reason: `${why}. Change the plan, delete ${slice.id}-PLAN-CHECK.md, and run it again`,
    }) as const;
  if (slice.planCheck !== '') {
    const isFailed = /^\*\*Outcome:\*\* (?:terminated|unchecked)/m.test(slice.planCheck);
    return isFailed && mode === 'blocking'
      ? stopped(`${slice.id}-PLAN-CHECK.md says that the plan did not pass`)
      : { status: 'go' };
  }
  const judged = await judge(bench, request, { plan, round: 1 });
  const failed = judged === undefined ? 0 : countVerdicts(judged).fail;
  const judgement = failed === 0 ? 'passed' : 'terminated-exhausted';
  const outcome = judged === undefined ? 'unchecked' : mode === 'advisory' ? 'recorded' : judgement;
  await leave(bench, request, { round: 1, judged, outcome });
  if (mode === 'advisory') return { status: 'go' };
  if (judged === undefined) return stopped(`nobody could check the plan of ${slice.id}`);
  return failed === 0 ? { status: 'go' } : stopped(`${outcome}: ${failures(judged)}`);
}

/** Gates before a slice's first task are over once a task is done. */
export function hasBegun({ tasks }: OpenedSlice): boolean {
  return tasks.some(({ isDone }) => isDone);
}

interface Standing {
  readonly plan: SlicePlanResult;
  /** Failed dimensions of the rounds so far. */
  readonly failures: readonly number[];
  /** Of the last round. */
  readonly judged: readonly JudgedDimension[];
}

function judge(
  bench: Bench,
  { context, slice }: Pick<PlanCheckRequest, 'context' | 'slice'>,
  { plan, round }: { readonly plan: SlicePlanResult; readonly round: number },
): Promise<readonly JudgedDimension[] | undefined> {
  const key = `${slice.id}/plan-check#${round}`;
  const end = (judged: readonly JudgedDimension[] | undefined): StepEndInput => {
    if (judged === undefined) return { status: 'unverified', detail: 'nobody could check it' };
    const { pass, warn, fail } = countVerdicts(judged);
    return {
      status: fail === 0 ? 'done' : 'failed',
      detail: `${pass} passed, ${warn} doubtful, ${fail} failed`,
      lines: [...failingLines(judged)],
    };
  };
  const { goal, tasks } = plan;
  const text = slicePlanText({ id: slice.id, title: slice.title, goal, demo: slice.demo, tasks });
  return bench.step(`${key}/gate`, { kind: 'gate', title: `plan check, round ${round}`, end }, async () => {
    const read = await askReader(bench, key, {
      input: context.input,
      role: 'plan-checker',
      brief: briefFor(context, {
        rules: briefRules.planCheck,
        parts: [
          ...milestoneParts(context),
          { title: `The plan of ${slice.id}`, text, budget: 20_000 },
          {
            title: 'Its tasks',
            text: tasks.map((task) => taskPlanText(context.id, slice.id, task, 'planned')).join('\n'),
            budget: 60_000,
          },
        ],
        task: `Judge the plan of ${slice.id} in all ten dimensions.`,
      }),
    });
    return read.status === 'missing' ? undefined : readDimensions(read.result.dimensions);
  });
}

interface LeftCheck {
  readonly round: number;
  readonly outcome: PlanCheckOutcome | 'recorded' | 'unchecked';
  readonly judged: readonly JudgedDimension[] | undefined;
}

/** The newest round under its own name, and every round that led to a revision under its number too. */
async function leave(
  bench: Bench,
  { context, slice }: Pick<PlanCheckRequest, 'context' | 'slice'>,
  left: LeftCheck,
): Promise<void> {
  const { round, outcome, judged = [] } = left;
  const about = { slice: slice.id, mode: context.input.options['plan-check'], round, outcome, dimensions: judged };
  const path = (name: string): string => context.paths.slice(slice.id, name);
  const key = `${slice.id}/plan-check#${round}/document`;
  const end = outcome.startsWith('terminated') ? { closing: closing(about, failingLines(judged)) } : {};
  const content = planCheckText({ ...about, ...end });
  const { mode } = about;
  const event = { event: 'plan_check', slice: slice.id, mode, round, counts: { ...countVerdicts(judged) }, outcome };
  await leaveDocument(bench, key, { path: path('PLAN-CHECK.md'), content, event });
  if (outcome === 'revised')
    await leaveDocument(bench, `${key}/round`, { path: path(`PLAN-CHECK-round${round}.md`), content });
}

function closing(
  { slice, round, outcome }: { slice: string; round: number; outcome: string },
  open: readonly string[],
): readonly string[] {
  const isFlat = outcome === 'terminated-non-decreasing';
  const why = isFlat ? 'failures did not fall from one round to the next' : 'it is not revised any further';
  return [
    `The plan of ${slice} did not pass its check: ${why} (round ${round} of ${mostPlanRounds}).`,
    '',
    'Still failing:',
    '',
    ...open,
    '',
    `What to do: change the plans of ${slice} in this folder, delete ${slice}-PLAN-CHECK.md, and run \`forge milestone run\` again.`,
  ];
}

function failures(judged: readonly JudgedDimension[]): string {
  return judged
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ dimension, why }) => `${dimension}: ${why}`)
    .join('; ');
}

function failingLines(judged: readonly JudgedDimension[]): readonly string[] {
  return judged.filter(({ verdict }) => verdict === 'fail').map(({ dimension, why }) => `- ${dimension}: ${why}`);
}

function revisionRequest(judged: readonly JudgedDimension[]): string {
  return `The check of your plan failed in these dimensions:\n${failingLines(judged).join('\n')}\nResolve them at the root. Keep what passed. Do not reduce the scope to hide a failure.`;
}
