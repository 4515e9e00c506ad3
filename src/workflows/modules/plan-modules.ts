/**
 * A requirement becomes a plan of modules that a person approved. Lessons and known risks are recalled first; where the
 * plan would change files with uncommitted changes of the user's, a person is asked about that before they approve.
 */
import type { Bench } from '../../engine/bench.ts';
import { isPathCovered } from '../../plan/coverage.ts';
import { planStages } from '../../plan/graph.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import type { Issue } from '../../plan/refusal.ts';
import { type PlanValidation, validatePlan } from '../../plan/validate-plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Lesson } from '../../policy/lesson.ts';
import { readEditedPlan } from '../moves/edited-plan.ts';
import { forecastTasks } from '../moves/forecast-tasks.ts';
import {
  type EditedProposal,
  type PlanningStopped,
  planWithPerson,
  type ReadProposal,
} from '../moves/plan-with-person.ts';
import { architectBrief } from './briefs.ts';
import type { ModulesInput } from './modules-input.ts';
import { type ModulesProposal, proposalDraft, proposalLines, proposalPage } from './proposal-page.ts';
import type { ModulePlanResult } from './role-results.ts';
import { askModuleRole } from './roles.ts';

export type ModulePlanning =
  | {
      readonly status: 'approved';
      readonly plan: Plan;
      readonly lite: boolean;
      readonly lessons: readonly Lesson[];
      readonly applied: readonly string[];
    }
  | PlanningStopped;

/** A plan this small, with nothing to do at once, gains nothing from several workspaces. */
const liteModules = 4;

interface Memories {
  readonly lessons: readonly Lesson[];
  readonly risks: readonly Lesson[];
}

/** `base` is what the project's own checks said before anything was planned. */
export async function planModules(bench: Bench, input: ModulesInput, base: CheckReport): Promise<ModulePlanning> {
  const known = await recall(bench, input);
  let before: readonly Task[] = [];
  const planned = await planWithPerson<ModulePlanResult, ModulesProposal>(bench, {
    base,
    propose: async ({ round, note }) => {
      const answer = await askModuleRole(bench, `plan#${round}`, {
        input,
        role: 'architect',
        title: round === 1 ? 'architect' : `architect, round ${round}`,
        doing: round === 1 ? 'planning' : 'planning again',
        workspace: 'plan',
        commit: bench.run.base,
        brief: (recovery) => architectBrief({ input, ...known, note, before }, recovery),
      });
      if (answer.status === 'accepted') before = answer.result.tasks;
      return answer;
    },
    read: (result) => readProposal(result, input, known),
    present: (proposal) => ({
      page: proposalPage(proposal),
      draft: proposalDraft(proposal.plan),
      lines: proposalLines(proposal),
      forecast: forecastInput(proposal.plan.tasks, proposal.lite ? 1 : input.parallel),
    }),
    prepare: (proposal, suffix) => askAboutDirty(bench, `dirty${suffix}`, proposal),
    readEdit: (text, proposal) => readEdit(text, proposal, input),
  });
  if (planned.status === 'stopped') return planned;
  const { plan, lite, knowledgeApplied } = planned.proposal;
  const { lessons } = known;
  const applied = lessons.filter(({ text }) => knowledgeApplied.includes(text)).map(({ id }) => id);
  return { status: 'approved', plan, lite, lessons, applied };
}

function readProposal(result: ModulePlanResult, input: ModulesInput, known: Memories): ReadProposal<ModulesProposal> {
  const { tasks, techStack, decisions, risks } = result;
  const valid = judgePlan({ objective: input.requirement, tasks, techStack, decisions, risks }, input);
  if (valid.status === 'invalid') return { status: 'faulty', issues: valid.issues };
  const applied = known.lessons.filter(({ id }) => result.knowledgeApplied.includes(id));
  const proposal: ModulesProposal = {
    requirement: input.requirement,
    plan: valid.plan,
    warnings: valid.warnings.map((warning) => `${warning.where}: ${warning.problem}`),
    knownRisks: known.risks.map((lesson) => lesson.text),
    knowledgeApplied: applied.map((lesson) => lesson.text),
    dirtyOverlap: input.dirty.filter((path) => valid.plan.tasks.some((task) => isPathCovered(task.writes, path))),
    lite: input.options.lite || isSmall(valid.plan.tasks),
    parallel: input.parallel,
    barriers: input.options.barriers,
  };
  return { status: 'sound', proposal };
}

function readEdit(text: string, proposal: ModulesProposal, input: ModulesInput): EditedProposal<ModulesProposal> {
  const edited = readEditedPlan(text, proposal.plan);
  if (edited.status === 'faulty') return edited;
  const { plan, warnings, describe } = edited;
  const issues = moduleIssues(plan.tasks, input);
  if (issues.length > 0) return { status: 'faulty', problems: issues.map(describe) };
  // Whoever chose one after the other keeps that; a plan that became small needs no more.
  const lite = (proposal.lite && !isSmall(proposal.plan.tasks)) || input.options.lite || isSmall(plan.tasks);
  return { status: 'usable', proposal: { ...proposal, plan, warnings, lite } };
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

/** Keys and workspaces of a run that belong to no module. */
const reserved =
  /^(plan|learn|lite|final.*|baseline|recall|save|publish|approve.*|proposal.*|dirty.*|forecast.*|F\d+-\d+)$/i;

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
  return tasks.length <= liteModules && planStages(tasks).every((stage) => stage.length === 1);
}

/** What a person chooses about their own changes is part of what they approve. */
async function askAboutDirty(
  bench: Bench,
  key: string,
  proposal: ModulesProposal,
): Promise<ModulesProposal | PlanningStopped> {
  const { dirtyOverlap: paths } = proposal;
  if (paths.length === 0) return proposal;
  const answer = await bench.ask(key, {
    title: `You have uncommitted changes in ${paths.length === 1 ? 'a file' : `${paths.length} files`} that this plan would change`,
    detail: `${paths.join('\n')}\nAgents start from your last commit and do not see them. They stay as they are, but the result cannot be landed over them.`,
    options: [
      { id: 'go', label: 'Continue; I will sort it out when landing', recommended: true },
      { id: 'lite', label: 'Continue, one module after the other' },
      { id: 'commit', label: 'Stop here; I will commit first' },
    ],
    topic: 'dirty',
  });
  if (answer.option === 'commit') return { status: 'stopped', reason: 'uncommitted changes are to be committed first' };
  return answer.option === 'lite' ? { ...proposal, lite: true } : proposal;
}
