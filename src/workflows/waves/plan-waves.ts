/**
 * A requirement becomes a plan in waves that a person approved. Lessons are recalled first; a plan with more waves than
 * there may be goes back without a question, one that is split too much is put to a person once.
 */
import type { Bench } from '../../engine/bench.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import { validatePlan } from '../../plan/validate-plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Lesson } from '../../policy/lesson.ts';
import { forecastTasks } from '../moves/forecast-tasks.ts';
import {
  type ConfirmedDecision,
  type PlanJudgement,
  type PlanningStopped,
  planWithPerson,
  type ReadProposal,
} from '../moves/plan-with-person.ts';
import { plannerBrief } from './briefs.ts';
import { readEditedWaves } from './edited-plan.ts';
import { proposalDraft, proposalLines, proposalPage, type WaveProposal } from './proposal-page.ts';
import type { PlannerResult } from './role-results.ts';
import { askWaveRole } from './roles.ts';
import { judgeWaves, waveIssues, waveTasks } from './wave-rules.ts';
import type { WavesInput } from './waves-input.ts';

export type WavePlanning =
  | {
      readonly status: 'approved';
      readonly plan: Plan;
      readonly waves: readonly (readonly string[])[];
      /** What was recalled, and the ids of what the plan makes use of. */
      readonly lessons: readonly Lesson[];
      readonly applied: readonly string[];
    }
  | PlanningStopped;

/** How often more waves than there may be go back without anyone being asked. */
const mostReplans = 2;

/** `base` is what the project's own checks said before anything was planned. */
export async function planWaves(bench: Bench, input: WavesInput, base: CheckReport): Promise<WavePlanning> {
  const { lessons } = await bench.perform('memory.recall', 'recall', { query: input.requirement, limit: 12 });
  const planned = await planWithPerson<PlannerResult, WaveProposal>(bench, {
    base,
    propose: ({ round, note, decisions }) =>
      askWaveRole(bench, `plan#${round}`, {
        input,
        role: 'planner',
        title: round === 1 ? 'planner' : `planner, round ${round}`,
        doing: round === 1 ? 'planning' : 'planning again',
        workspace: 'plan',
        commit: bench.run.base,
        brief: (recovery) => plannerBrief({ input, lessons, decisions, note }, recovery),
      }),
    read: (result, decisions) => readProposal(result, { input, lessons, decisions }),
    questions: ({ clarifications }) => clarifications,
    judge: waveJudge(bench),
    present: (proposal) => ({
      page: proposalPage(withJudgement(proposal)),
      draft: proposalDraft(proposal),
      lines: proposalLines(withJudgement(proposal)),
      data: recordOf(proposal, { tasks: proposal.plan.tasks, risks: proposal.plan.risks }),
      forecast: forecastInput(proposal),
    }),
    readEdit: (text, proposal) => {
      const edited = readEditedWaves(text, proposal);
      if (edited.status === 'faulty') return edited;
      const { plan, waves, warnings } = edited;
      return { status: 'usable', proposal: { ...proposal, plan, waves, warnings } };
    },
    accepted: (proposal) =>
      bench.record('waves', 'note.recorded', { text: '', data: recordOf(proposal, {}) as unknown as null }),
  });
  if (planned.status === 'stopped') return planned;
  const { plan, waves, knowledgeApplied } = planned.proposal;
  const applied = lessons.filter(({ text }) => knowledgeApplied.includes(text)).map(({ id }) => id);
  return { status: 'approved', plan, waves, lessons, applied };
}

function readProposal(
  result: PlannerResult,
  about: {
    readonly input: WavesInput;
    readonly lessons: readonly Lesson[];
    readonly decisions: readonly ConfirmedDecision[];
  },
): ReadProposal<WaveProposal> {
  const { tasks, overview, risks, waves } = result;
  const { requirement } = about.input;
  const proposed = { objective: requirement, tasks, decisions: overview.keyDecisions, risks };
  const valid = validatePlan({ ...proposed, techStack: { stack: overview.techStack } });
  const issues = [...(valid.status === 'invalid' ? valid.issues : []), ...waveIssues(tasks, waves)];
  if (valid.status === 'invalid' || issues.length > 0) return { status: 'faulty', issues };
  const proposal: WaveProposal = {
    requirement,
    plan: valid.plan,
    waves,
    overview,
    warnings: valid.warnings.map((warning) => `${warning.where}: ${warning.problem}`),
    confirmedDecisions: about.decisions.map(({ question, answer }) => ({ question, answer })),
    knowledgeApplied: about.lessons
      .filter(({ id }) => result.knowledgeApplied.includes(id))
      .map((lesson) => lesson.text),
  };
  return { status: 'sound', proposal };
}

/** More waves than there may be go back; a plan that is split too much is put to a person once. */
function waveJudge(bench: Bench): (proposal: WaveProposal, round: number) => Promise<PlanJudgement> {
  let replans = 0;
  let asked = false;
  return async ({ plan, waves }, round) => {
    const { action, warnings } = judgeWaves(plan.tasks, waves);
    if (action === 'replan') {
      replans += 1;
      if (replans <= mostReplans) return { next: 'again', reasons: warnings };
      return { next: 'stop', reason: `the plan still has too many waves: ${warnings.join(' ')}` };
    }
    if (action !== 'ask' || asked) return { next: 'show' };
    asked = true;
    return (await wantsFewer(bench, round, warnings)) ? { next: 'again', reasons: warnings } : { next: 'show' };
  };
}

async function wantsFewer(bench: Bench, round: number, warnings: readonly string[]): Promise<boolean> {
  const answer = await bench.ask(`waves/merge#${round}`, {
    title: 'The plan may be split into too many waves. Plan again with fewer?',
    detail: warnings.join('\n'),
    options: [
      { id: 'fewer', label: 'Plan again with fewer waves', recommended: true },
      { id: 'keep', label: 'Continue as it is' },
    ],
    topic: 'waves',
  });
  return answer.option === 'fewer';
}

/** With what the rules of waves say about it. */
function withJudgement(proposal: WaveProposal): WaveProposal {
  const { plan, waves, warnings } = proposal;
  return { ...proposal, warnings: [...warnings, ...judgeWaves(plan.tasks, waves).warnings] };
}

/** What the run's documents need of a proposal. */
function recordOf(proposal: WaveProposal, more: object): object {
  const { plan: _, ...rest } = withJudgement(proposal);
  return { ...rest, ...more };
}

/** A wave is what sessions work on: one developer and one tester, sometimes again, then the whole. */
function forecastInput({
  plan: { tasks },
  waves,
}: {
  readonly plan: { readonly tasks: readonly Task[] };
  readonly waves: WaveProposal['waves'];
}) {
  const often: [number, number, number] = [1, 1.5, 4];
  const whole: [number, number, number] = waves.length > 1 ? [1, 1, 3] : [0, 0, 0];
  return {
    ...forecastTasks(waveTasks(tasks, waves)),
    perTask: [
      { role: 'developer', often },
      { role: 'tester', often },
    ],
    whole: [{ role: 'tester', often: whole }, { role: 'learner' }],
    parallel: 1,
  };
}
