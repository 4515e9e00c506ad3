/**
 * From a requirement to an approved plan: recall, plan, structural faults back to the planner, clarifications
 * once, waves judged, approval; a change a person asks for in words goes back to the planner. Nothing runs and nobody is
 * asked after this. Every loop is bounded.
 */
import type { Bench } from '../../engine/bench.ts';
import { type Plan, planSchema, type Task } from '../../plan/plan.ts';
import type { Issue } from '../../plan/refusal.ts';
import { validatePlan } from '../../plan/validate-plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import { describeJudges } from '../../policy/describe-judges.ts';
import type { Lesson } from '../../policy/lesson.ts';
import type { PlannerResult } from '../../policy/role-results.ts';
import { judgeWaves, verifyOf, waveIssues, waveTasks } from '../../policy/waves.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { forecastTasks } from '../moves/forecast-tasks.ts';
import { type Decision, plannerBrief, type PlannerBrief, type PlannerNote } from './briefs.ts';
import { type PlanWithWaves, readEdited } from './edited-plan.ts';
import { proposalDraft, proposalLines, proposalPage } from './proposal-page.ts';
import type { WavesInput } from './waves-input.ts';
import { askWaveRole } from './roles.ts';

export type Planned =
  | {
      readonly status: 'approved';
      readonly plan: Plan;
      readonly waves: readonly (readonly string[])[];
      /** What was recalled, and the ids of what the plan makes use of. */
      readonly lessons: readonly Lesson[];
      readonly applied: readonly string[];
    }
  | { readonly status: 'stopped'; readonly reason: string };

/** How often structural faults, and more waves than there may be, go back without anyone being asked. */
const mostFaults = 3;
const mostReplans = 2;
/** How often a person may ask for another plan in words. */
const mostChanges = 8;
/** Rounds of the planner in all: the first plan, those above, clarifications once, fewer waves once. */
const mostRounds = 1 + mostFaults + mostReplans + mostChanges + 1 + 1;
/** How often an edited plan that can not be used is asked about again. */
const mostEdits = 8;

interface Draft {
  readonly result: PlannerResult;
  readonly plan: Plan;
  readonly warnings: readonly string[];
}

/** `base` is what the project's own checks said before anything was planned. */
export async function planWaves(bench: Bench, input: WavesInput, base: CheckReport): Promise<Planned> {
  const { lessons } = await bench.perform('memory.recall', 'recall', { query: input.requirement, limit: 12 });
  const decisions: Decision[] = [];
  let note: PlannerNote | undefined;
  let faults = 0;
  let replans = 0;
  let asked = false;
  let changes = 0;
  const approval = { asked: 0, shown: 0 };
  for (let round = 1; round <= mostRounds; round += 1) {
    const answer = await askPlanner(bench, round, { input, lessons, decisions, note });
    if (answer.status === 'stopped') return answer;
    const checked = check(answer.result, input);
    if (checked.status === 'faulty') {
      faults += 1;
      if (faults > mostFaults)
        return { status: 'stopped', reason: `the plan is still faulty: ${describe(checked.issues)}` };
      note = { kind: 'faults', issues: checked.issues };
      continue;
    }
    const { draft } = checked;
    if (decisions.length === 0 && draft.result.clarifications.length > 0) {
      decisions.push(...(await clarify(bench, draft.result)));
      note = { kind: 'decisions' };
      continue;
    }
    const judged = judgeWaves(draft.plan.tasks, draft.result.waves);
    if (judged.action === 'replan') {
      replans += 1;
      if (replans > mostReplans)
        return { status: 'stopped', reason: `the plan still has too many waves: ${judged.warnings.join(' ')}` };
      note = { kind: 'fewer-waves', reasons: judged.warnings };
      continue;
    }
    if (judged.action === 'ask' && !asked) {
      asked = true;
      if (await wantsFewer(bench, round, judged.warnings)) {
        note = { kind: 'fewer-waves', reasons: judged.warnings };
        continue;
      }
    }
    const decided = await approve(bench, input, draft, { lessons, decisions, base, approval });
    if (decided.status !== 'modify') return decided;
    changes += 1;
    if (changes > mostChanges) return { status: 'stopped', reason: `no plan was agreed on in ${changes} rounds` };
    note = { kind: 'modify', text: decided.text, shown: planShown(draft) };
  }
  return { status: 'stopped', reason: `no plan was agreed on in ${mostRounds} rounds` };
}

async function askPlanner(
  bench: Bench,
  round: number,
  asking: PlannerBrief,
): Promise<{ status: 'planned'; result: PlannerResult } | { status: 'stopped'; reason: string }> {
  const answer = await askWaveRole(bench, `plan#${round}`, {
    input: asking.input,
    role: 'planner',
    title: round === 1 ? 'planner' : `planner, round ${round}`,
    doing: round === 1 ? 'planning' : 'planning again',
    workspace: 'plan',
    commit: bench.run.base,
    brief: (recovery) => plannerBrief(asking, recovery),
  });
  if (answer.status === 'accepted') return { status: 'planned', result: answer.result };
  return { status: 'stopped', reason: `there is no plan: ${explainAnswer(answer)}` };
}

type Checked =
  | { readonly status: 'sound'; readonly draft: Draft }
  | { readonly status: 'faulty'; readonly issues: readonly Issue[] };

function check(result: PlannerResult, input: WavesInput): Checked {
  const { tasks, overview, risks } = result;
  const proposal = {
    objective: input.requirement,
    tasks,
    decisions: overview.keyDecisions,
    risks,
    techStack: { stack: overview.techStack },
  };
  const valid = validatePlan(proposal);
  const issues = [...(valid.status === 'invalid' ? valid.issues : []), ...waveIssues(tasks, result.waves)];
  if (valid.status === 'invalid' || issues.length > 0) return { status: 'faulty', issues };
  const warnings = valid.warnings.map((warning) => `${warning.where}: ${warning.problem}`);
  return { status: 'sound', draft: { result, plan: valid.plan, warnings } };
}

/** All questions are open at once, so that one visit of a person answers them. */
async function clarify(bench: Bench, { clarifications }: PlannerResult): Promise<readonly Decision[]> {
  const asked = clarifications.map(async ({ question, why, options }, index) => {
    const answer = await bench.ask(`clarify/${index + 1}`, {
      title: question,
      detail: why,
      options: options.map((label, at) => ({ id: String(at + 1), label, recommended: at === 0 })),
      freeText: true,
      topic: 'clarification',
    });
    return { question, answer: answer.text ?? options[Number(answer.option) - 1] ?? '' };
  });
  return Promise.all(asked);
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

/** For the planner, who has no memory of it. */
function planShown({ plan, result }: Draft): string {
  return JSON.stringify({ tasks: plan.tasks, waves: result.waves }, null, 1);
}

type Decided = Planned | { readonly status: 'modify'; readonly text: string };

interface Known {
  readonly lessons: readonly Lesson[];
  readonly decisions: readonly Decision[];
  readonly base: CheckReport;
  /** How often a person was asked so far, and how many plans they were shown: every key is used once. */
  readonly approval: { asked: number; shown: number };
}

async function approve(bench: Bench, input: WavesInput, draft: Draft, known: Known): Promise<Decided> {
  const applied = draft.result.knowledgeApplied.filter((id) => known.lessons.some((lesson) => lesson.id === id));
  let at: PlanWithWaves = { plan: draft.plan, waves: draft.result.waves, warnings: draft.warnings };
  const shown = (now: PlanWithWaves) => ({
    requirement: input.requirement,
    overview: draft.result.overview,
    waves: now.waves.map((wave) => [...wave]),
    warnings: [...now.warnings, ...judgeWaves(now.plan.tasks, now.waves).warnings],
    knowledgeApplied: known.lessons.filter((lesson) => applied.includes(lesson.id)).map((lesson) => lesson.text),
    confirmedDecisions: known.decisions.map(({ question, answer }) => ({ question, answer })),
  });
  const { approval } = known;
  approval.shown += 1;
  const suffix = approval.shown === 1 ? '' : `#${approval.shown}`;
  await bench.perform('forecast.make', `forecast${suffix}`, forecastInput(draft.plan.tasks, at.waves));
  await bench.record(`proposal${suffix}`, 'note.recorded', {
    text: proposalLines({ ...shown(at), plan: at.plan }),
    data: { ...shown(at), tasks: draft.plan.tasks, risks: draft.plan.risks } as unknown as null,
  });
  let problems: readonly string[] = [];
  for (let round = 1; round <= mostEdits; round += 1) {
    approval.asked += 1;
    const key = approval.asked === 1 ? 'approve' : `approve#${approval.asked}`;
    const judges = describeJudges(known.base, verifyOf(at.plan.tasks));
    const page = proposalPage({ ...shown(at), plan: at.plan });
    const answer = await bench.ask(key, { ...approvalQuestion(problems, judges), page, draft: proposalDraft(at) });
    if (answer.option === 'no') return { status: 'stopped', reason: 'the plan was not approved' };
    if (answer.option === 'modify') return { status: 'modify', text: answer.text ?? 'Plan it differently.' };
    if (answer.text !== undefined) {
      const edited = readEdited(answer.text, at);
      problems = edited.status === 'faulty' ? edited.problems : [];
      if (edited.status === 'faulty') continue;
      at = edited;
    }
    const { plan, waves } = at;
    await bench.record('waves', 'note.recorded', { text: '', data: shown(at) });
    await bench.record('plan', 'plan.accepted', { plan: planSchema.parse(plan) });
    return { status: 'approved', plan, waves, lessons: known.lessons, applied };
  }
  return { status: 'stopped', reason: 'no edited plan could be used' };
}

/** A wave is what sessions work on: one developer and one tester, sometimes again, then the whole. */
function forecastInput(tasks: readonly Task[], waves: PlanWithWaves['waves']) {
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

function approvalQuestion(faults: readonly string[], judges: string) {
  return {
    title: 'Go ahead with this plan?',
    detail: [...(faults.length === 0 ? [] : ['The edited plan could not be used:', ...faults]), judges].join('\n'),
    options: [
      { id: 'yes', label: 'Yes, start', recommended: true },
      { id: 'modify', label: 'Plan it differently (say how)' },
      { id: 'no', label: 'No, stop here' },
    ],
    freeText: true,
    topic: 'approval',
  };
}

function describe(issues: readonly Issue[]): string {
  const [first, ...more] = issues;
  return `${first?.where ?? ''} ${first?.problem ?? ''}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
}
