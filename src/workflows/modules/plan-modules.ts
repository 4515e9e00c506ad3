/**
 * From a requirement to an approved plan of modules: recall, plan, structural faults back to the architect, what of the
 * user's uncommitted changes the plan would meet, approval. A person may ask for changes in words or edit the plan.
 * Nothing runs before the answer. Every loop is bounded.
 */
import type { Bench } from '../../engine/bench.ts';
import { stages } from '../../plan/graph.ts';
import { covers } from '../../plan/coverage.ts';
import { type Plan, planSchema, type Task } from '../../plan/plan.ts';
import type { Issue } from '../../plan/refusal.ts';
import { type PlanValidation, validatePlan } from '../../plan/validate-plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import { describeJudges } from '../../policy/describe-judges.ts';
import type { Lesson } from '../../policy/lesson.ts';
import type { ModulePlanResult } from '../../policy/module-results.ts';
import { verifyOf } from '../../policy/waves.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { readEditedPlan } from '../moves/edited-plan.ts';
import { forecastTasks } from '../moves/forecast-tasks.ts';
import { architectBrief, type ArchitectNote } from './briefs.ts';
import type { ModulesInput } from './modules-input.ts';
import { type ModulesProposal, proposalDraft, proposalLines, proposalPage } from './proposal-page.ts';
import { askModuleRole } from './roles.ts';

export type Planned =
  | {
      readonly status: 'approved';
      readonly plan: Plan;
      readonly lite: boolean;
      readonly lessons: readonly Lesson[];
      readonly applied: readonly string[];
    }
  | { readonly status: 'stopped'; readonly reason: string };

const mostRounds = 8;
const mostFaults = 3;
/** A plan this small, with nothing to do at once, gains nothing from several workspaces. */
const liteModules = 4;

interface Draft {
  readonly plan: Plan;
  readonly warnings: readonly string[];
  readonly applied: readonly string[];
}

interface Memories {
  readonly lessons: readonly Lesson[];
  readonly risks: readonly Lesson[];
}

/** `base` is what the project's own checks said before anything was planned. */
export async function planModules(bench: Bench, input: ModulesInput, base: CheckReport): Promise<Planned> {
  const known = await recall(bench, input);
  let note: ArchitectNote | undefined;
  let before: readonly Task[] = [];
  let faults = 0;
  for (let round = 1; round <= mostRounds; round += 1) {
    const about = { input, ...known, note, before };
    const answer = await askModuleRole(bench, `plan#${round}`, {
      input,
      role: 'architect',
      title: round === 1 ? 'architect' : `architect, round ${round}`,
      doing: round === 1 ? 'planning' : 'planning again',
      workspace: 'plan',
      commit: bench.run.base,
      brief: (recovery) => architectBrief(about, recovery),
    });
    if (answer.status !== 'accepted') return stopped(`there is no plan: ${explainAnswer(answer)}`);
    before = answer.result.tasks;
    const valid = judgePlan(proposalOf(answer.result, input), input);
    if (valid.status === 'invalid') {
      faults += 1;
      if (faults > mostFaults)
        return stopped(
          `no plan that can be used after ${round} rounds: ${valid.issues.slice(0, 3).map(issueText).join(' ')}`,
        );
      note = { kind: 'faults', issues: valid.issues };
      continue;
    }
    const draft = {
      plan: valid.plan,
      warnings: valid.warnings.map((warning) => `${warning.where}: ${warning.problem}`),
      applied: answer.result.knowledgeApplied.filter((id) => known.lessons.some((lesson) => lesson.id === id)),
    };
    const decided = await approve(bench, input, { round, draft, known, base });
    if (decided.status !== 'modify') return decided;
    note = { kind: 'modify', text: decided.text };
  }
  return stopped(`no plan was agreed on in ${mostRounds} rounds`);
}

async function recall(bench: Bench, input: ModulesInput): Promise<Memories> {
  const { lessons } = await bench.perform('memory.recall', 'recall', { query: input.requirement, limit: 12 });
  const { lessons: risks } = await bench.perform('memory.recall', 'recall/risks', {
    query: `workflow failure ${input.requirement}`,
    limit: 8,
    categories: ['failure_pattern'],
  });
  return { lessons, risks };
}

/** Besides what any plan must be: ids that are not the workflow's own words, and agents that there are. */
function judgePlan(proposal: unknown, input: ModulesInput): PlanValidation {
  const valid = validatePlan(proposal);
  if (valid.status === 'invalid') return valid;
  const issues = moduleIssues(valid.plan.tasks, input);
  return issues.length === 0 ? valid : { status: 'invalid', issues };
}

function moduleIssues(tasks: readonly Task[], { agents }: ModulesInput): Issue[] {
  const known = [...new Set(Object.values(agents))];
  return tasks.flatMap(({ id, agent }, place) => {
    const own = reserved.test(id)
      ? [
          {
            where: `tasks[${place}].id`,
            problem: `${JSON.stringify(id)} is a word of the workflow's own.`,
            fix: 'Use another, such as "m1".',
          },
        ]
      : [];
    const missing =
      agent === undefined || known.includes(agent)
        ? []
        : [
            {
              where: `tasks[${place}].agent`,
              problem: `There is no agent ${JSON.stringify(agent)}.`,
              fix: `Leave it out, or use ${known.join(' or ')}.`,
            },
          ];
    return [...own, ...missing];
  });
}

/** Keys and workspaces of a run that are no module's. */
const reserved =
  /^(plan|learn|lite|final.*|baseline|recall|save|publish|approve.*|proposal.*|dirty.*|forecast.*|F\d+-\d+)$/i;

function issueText({ where, problem, fix }: Issue): string {
  return `${where}: ${problem} ${fix}`;
}

function proposalOf({ tasks, techStack, decisions, risks }: ModulePlanResult, { requirement }: ModulesInput): unknown {
  return { objective: requirement, tasks, techStack, decisions, risks };
}

type Decided = Planned | { readonly status: 'modify'; readonly text: string };

async function approve(
  bench: Bench,
  input: ModulesInput,
  { round, draft, known, base }: { round: number; draft: Draft; known: Memories; base: CheckReport },
): Promise<Decided> {
  let { plan, warnings } = draft;
  let remark = '';
  for (let edit = 1; edit <= mostRounds; edit += 1) {
    const suffix = round === 1 && edit === 1 ? '' : edit === 1 ? `#${round}` : `#${round}.${edit}`;
    const met = input.dirty.filter((path) => plan.tasks.some((task) => covers(task.writes, path)));
    const lite = input.options.lite || isSmall(plan.tasks);
    await bench.perform('forecast.make', `forecast${suffix}`, forecastInput(plan.tasks, lite ? 1 : input.parallel));
    const proposal: ModulesProposal = {
      requirement: input.requirement,
      plan,
      warnings,
      knownRisks: known.risks.map((lesson) => lesson.text),
      knowledgeApplied: known.lessons.filter((lesson) => draft.applied.includes(lesson.id)).map(({ text }) => text),
      dirtyOverlap: met,
      lite,
      parallel: input.parallel,
      barriers: input.options.barriers,
    };
    await bench.record(`proposal${suffix}`, 'note.recorded', { text: proposalLines(proposal) });
    const choice = met.length === 0 ? 'go' : await askAboutDirty(bench, `dirty${suffix}`, met);
    if (choice === 'commit') return stopped('uncommitted changes are to be committed first');
    // What a person chose about their own changes is part of what they approve.
    const page = proposalPage({ ...proposal, lite: lite || choice === 'lite' });
    const question = approvalQuestion([remark, describeJudges(base, verifyOf(plan.tasks))]);
    const answer = await bench.ask(`approve${suffix}`, { ...question, page, draft: proposalDraft(plan) });
    if (answer.option === 'no') return stopped('the plan was not approved');
    if (answer.option === 'modify') return { status: 'modify', text: answer.text ?? 'Plan it differently.' };
    if (answer.text !== undefined) {
      const edited = readEditedPlan(answer.text, plan);
      const problems =
        edited.status === 'faulty' ? edited.problems : moduleIssues(edited.plan.tasks, input).map(edited.describe);
      if (edited.status === 'faulty' || problems.length > 0) {
        remark = `That plan could not be used:\n${problems.join('\n')}`;
        continue;
      }
      ({ plan, warnings } = edited);
    }
    await bench.record('plan', 'plan.accepted', { plan: planSchema.parse(plan) });
    const { lessons } = known;
    const single = input.options.lite || choice === 'lite' || isSmall(plan.tasks);
    return { status: 'approved', plan, lite: single, lessons, applied: draft.applied };
  }
  return stopped('no edited plan could be used');
}

/** A worker and a reviewer for each module, sometimes again; now and then an overseer and a debugger. */
function forecastInput(tasks: readonly Task[], parallel: number) {
  return {
    ...forecastTasks(tasks),
    perTask: [
      { role: 'worker', often: [1, 1, 2] as [number, number, number] },
      { role: 'reviewer', often: [1, 1, 4] as [number, number, number] },
      { role: 'overseer', often: [0, 0.3, 2] as [number, number, number], onRetry: true },
      { role: 'debugger', often: [0, 0.3, 2] as [number, number, number], onRetry: true },
    ],
    whole: [{ role: 'auditor', often: [3, 3, 6] as [number, number, number] }, { role: 'learner' }],
    parallel,
  };
}

function isSmall(tasks: readonly Task[]): boolean {
  return tasks.length <= liteModules && stages(tasks).every((stage) => stage.length === 1);
}

async function askAboutDirty(bench: Bench, key: string, paths: readonly string[]): Promise<string> {
  const answer = await bench.ask(key, {
    title: `You have uncommitted changes in ${paths.length === 1 ? 'a file' : `${paths.length} files`} that this plan would change`,
    detail: `${paths.join('\n')}\nAgents start from your last commit and do not see them. They stay as they are, but the result can not be landed over them.`,
    options: [
      { id: 'go', label: 'Go on; I will sort it out when landing', recommended: true },
      { id: 'lite', label: 'Go on, one module after the other' },
      { id: 'commit', label: 'Stop here; I commit first' },
    ],
    topic: 'dirty',
  });
  return answer.option ?? 'go';
}

function approvalQuestion(remarks: readonly string[]) {
  return {
    title: 'Go ahead with this plan?',
    detail: remarks.filter((remark) => remark !== '').join('\n'),
    options: [
      { id: 'yes', label: 'Yes, start', recommended: true },
      { id: 'modify', label: 'Plan it differently (say how)' },
      { id: 'no', label: 'No, stop here' },
    ],
    freeText: true,
    topic: 'approval',
  };
}

function stopped(reason: string): Extract<Planned, { status: 'stopped' }> {
  return { status: 'stopped', reason };
}
