/**
 * From a requirement to an approved plan: recall, plan, structural faults back to the planner, clarifications
 * once, waves judged, approval. Nothing runs and nobody is asked after this. Every loop is bounded.
 */
import type { Bench } from '../../engine/bench.ts';
import { type Plan, planSchema } from '../../plan/plan.ts';
import type { Issue } from '../../plan/refusal.ts';
import { validatePlan } from '../../plan/validate-plan.ts';
import type { Lesson } from '../../policy/lesson.ts';
import { type PlannerResult, plannerResult } from '../../policy/role-results.ts';
import { judgeWaves, waveIssues } from '../../policy/waves.ts';
import { askAgent, explainAnswer } from '../moves/ask-agent.ts';
import { type Decision, plannerBrief, type PlannerNote } from './briefs.ts';
import { readEdited } from './edited-plan.ts';
import type { WavesInput } from './waves-input.ts';

export type Planned =
  | {
      readonly status: 'approved';
      readonly plan: Plan;
      readonly waves: readonly (readonly string[])[];
      readonly applied: readonly string[];
    }
  | { readonly status: 'stopped'; readonly reason: string };

/** Rounds of the planner in all: first plan, structural faults, clarifications, fewer waves, an edit. */
const mostRounds = 8;
/** How often structural faults, and too many waves, go back. */
const mostFaults = 3;
const mostReplans = 2;

interface Draft {
  readonly result: PlannerResult;
  readonly plan: Plan;
  readonly warnings: readonly string[];
}

export async function planWaves(bench: Bench, input: WavesInput): Promise<Planned> {
  const { lessons } = await bench.perform('memory.recall', 'recall', { query: input.requirement, limit: 12 });
  const decisions: Decision[] = [];
  let note: PlannerNote | undefined;
  let faults = 0;
  let replans = 0;
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
    if (judged.action === 'replan' && replans >= mostReplans)
      return { status: 'stopped', reason: judged.warnings.join(' ') };
    if (
      judged.action === 'replan' ||
      (judged.action === 'ask' && replans === 0 && (await wantsFewer(bench, round, judged.warnings)))
    ) {
      replans += 1;
      note = { kind: 'fewer-waves', reasons: judged.warnings };
      continue;
    }
    return approve(
      bench,
      input,
      { ...draft, warnings: [...draft.warnings, ...judged.warnings] },
      { lessons, decisions },
    );
  }
  return { status: 'stopped', reason: `no plan was agreed on in ${mostRounds} rounds` };
}

interface Asking {
  readonly input: WavesInput;
  readonly lessons: readonly Lesson[];
  readonly decisions: readonly Decision[];
  readonly note: PlannerNote | undefined;
}

async function askPlanner(
  bench: Bench,
  round: number,
  asking: Asking,
): Promise<{ status: 'planned'; result: PlannerResult } | { status: 'stopped'; reason: string }> {
  const { input } = asking;
  const prompt = plannerBrief(asking);
  const answer = await askAgent(bench, `plan#${round}`, {
    agent: input.agents.planner,
    role: 'planner',
    workspace: 'plan',
    commit: bench.run.base,
    access: 'read',
    result: plannerResult,
    prompt,
    recoveryPrompt: (why) => `${prompt}\n\nAn earlier attempt did not give a usable result: ${why}`,
    ...(input.limits === undefined ? {} : { limits: input.limits }),
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

async function approve(
  bench: Bench,
  input: WavesInput,
  draft: Draft,
  known: { lessons: readonly Lesson[]; decisions: readonly Decision[] },
): Promise<Planned> {
  const applied = draft.result.knowledgeApplied.filter((id) => known.lessons.some((lesson) => lesson.id === id));
  const shown = {
    slug: input.slug,
    requirement: input.requirement,
    overview: draft.result.overview,
    waves: draft.result.waves,
    warnings: [...draft.warnings],
    knowledgeApplied: known.lessons.filter((lesson) => applied.includes(lesson.id)).map((lesson) => lesson.text),
    confirmedDecisions: known.decisions.map(({ question, answer }) => ({ question, answer })),
  };
  await bench.record('proposal', 'note.recorded', {
    text: 'the plan as proposed',
    data: { ...shown, tasks: draft.plan.tasks } as unknown as null,
  });
  let waves: readonly (readonly string[])[] = draft.result.waves;
  let { plan } = draft;
  for (let round = 1; round <= mostRounds; round += 1) {
    const answer = await bench.ask(
      round === 1 ? 'approve' : `approve#${round}`,
      approvalQuestion(round === 1 ? '' : 'That plan could not be used.'),
    );
    if (answer.option === 'no') return { status: 'stopped', reason: 'the plan was not approved' };
    if (answer.text !== undefined) {
      const edited = readEdited(answer.text, { plan, waves });
      if (edited.status === 'faulty') continue;
      ({ plan, waves } = edited);
    }
    await bench.record('waves', 'note.recorded', {
      text: 'the waves as approved',
      data: { ...shown, waves: waves.map((wave) => [...wave]) },
    });
    await bench.record('plan', 'plan.accepted', { plan: planSchema.parse(plan) });
    return { status: 'approved', plan, waves, applied };
  }
  return { status: 'stopped', reason: 'no edited plan could be used' };
}

function approvalQuestion(remark: string) {
  return {
    title: 'Go ahead with this plan?',
    detail: remark,
    options: [
      { id: 'yes', label: 'Yes, start', recommended: true },
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
