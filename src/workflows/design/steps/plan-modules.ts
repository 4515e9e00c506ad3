/**
 * Phased planning: the first planner alone writes the conventions, the others of its phase and every later phase plan in
 * parallel, each with the plans of what it needs. What a planner adds to the conventions is merged between phases. A plan
 * that breaks a rule goes back to its planner before anybody sees it. Planners only read.
 */

import type { z } from 'zod';
import { checkModulePlan } from '../../../delivery/check-module-plan.ts';
import { blocksGate } from '../../../delivery/plan-issue.ts';
import type { Bench } from '../../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../../engine/facts.ts';
import { dependencyClosure, planningRounds, planStages } from '../../../plan/graph.ts';
import { taskSchema } from '../../../plan/plan.ts';
import type { Issue } from '../../../plan/refusal.ts';
import { countText } from '../../../views/figures.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import { type PlannerReason, type PlannerSubject, plannerBrief } from '../briefs/planner-briefs.ts';
import { draftOf } from '../briefs/shared-sections.ts';
import { type BuiltModule, type DesignContext, engineFolders, moduleOf } from '../context.ts';
import { type ConventionAdditions, type Conventions, mergeConventions } from '../plan/conventions.ts';
import { type ModulePlan } from '../../../delivery/module-plan.ts';
import { commandFaults, planFaults, testerFiles } from '../plan/module-plan.ts';
import { planFileName, renderModulePlan } from '../plan/render-module-plan.ts';
import type { firstPlannerResult, PlannerResult } from '../role-results.ts';
import { askDesignRole } from '../roles.ts';

const mostFaults = 3;
const mostPlanners = 3;

type Basis = Omit<DesignContext, 'conventions' | 'checks'> & { readonly conventions: Conventions | undefined };

export interface PlanningRequest {
  readonly context: Basis;
  /** Which modules are planned; all when left out. */
  readonly only?: ReadonlySet<string>;
  /** Plans that are to be written again, with the reason. */
  readonly why?: (module: string) => PlannerReason | undefined;
  /** In front of keys, where planning happens more than once. */
  readonly key: string;
  /** Code that is there already: the commit and the paths to show for a module. */
  readonly code?: { readonly commit: string; readonly paths: (module: BuiltModule) => readonly string[] };
}

export type DesignPlanning =
  | { readonly status: 'planned'; readonly conventions: Conventions; readonly plans: ReadonlyMap<string, ModulePlan> }
  | { readonly status: 'stopped'; readonly reason: string };

export async function planModules(bench: Bench, request: PlanningRequest): Promise<DesignPlanning> {
  const { context, only, key } = request;
  const plans = new Map(context.plans);
  let { conventions } = context;
  const isWanted = (id: string): boolean => only === undefined || only.has(id);
  const rounds = (conventions === undefined ? planningRounds : planStages)(context.modules)
    .map((ids) => ids.filter(isWanted))
    .filter((ids) => ids.length > 0);
  for (const [at, ids] of rounds.entries()) {
    const title = `Plan ${ids.join(', ')}`;
    const known = { ...context, plans, conventions };
    const end = (outcomes: readonly TaskOutcome[]): StepEndInput => describeRound(outcomes);
    const outcomes = await bench.step(`${key}/round#${at + 1}`, { kind: 'plan', title, end }, () =>
      planRound(bench, { ...request, context: known }, { ids, keyPrefix: `${key}/round#${at + 1}/` }),
    );
    const failed = outcomes.find(({ status }) => status !== 'done');
    if (failed !== undefined)
      return { status: 'stopped', reason: `there is no plan for ${failed.task}: ${failed.reason}` };
    const replies = outcomes.map(({ task, data }) => ({ task, ...(data as unknown as RecordedPlan) }));
    conventions ??= replies[0]?.conventions;
    if (conventions === undefined) throw new Error('the first planner writes the conventions');
    conventions = mergeConventions(
      conventions,
      replies.map(({ additions }) => additions),
    );
    for (const { task, plan } of replies) plans.set(task, plan);
  }
  if (conventions === undefined) throw new Error('there is nothing to plan');
  return { status: 'planned', conventions, plans };
}

interface RecordedPlan {
  readonly plan: ModulePlan;
  readonly additions: ConventionAdditions;
  readonly conventions?: Conventions;
}

function describeRound(outcomes: readonly TaskOutcome[]): StepEndInput {
  const failed = outcomes.filter(({ status }) => status !== 'done');
  if (failed.length > 0) return { status: 'failed', detail: failed.map(({ task }) => task).join(', ') };
  return { status: 'done', detail: countText(outcomes.length, 'plan') };
}

async function planRound(
  bench: Bench,
  request: PlanningRequest,
  { ids, keyPrefix }: { readonly ids: readonly string[]; readonly keyPrefix: string },
): Promise<readonly TaskOutcome[]> {
  const tasks = ids.map((id) => taskSchema.parse({ id, title: moduleOf(request.context, id).name, kind: 'docs' }));
  return bench.schedule(tasks, { limit: mostPlanners, keyPrefix, readOnly: true }, async ({ id }) => {
    const planned = await planModule(bench, `${keyPrefix}${id}`, request, moduleOf(request.context, id));
    if (planned.status === 'stopped') return { task: id, status: 'failed', reason: planned.reason };
    const { plan, additions, conventions } = planned;
    const detail = `${countText(plan.steps.length, 'step')}, ${countText(plan.criteria.length, 'criterion', 'criteria')}`;
    return {
      task: id,
      status: 'done',
      reason: '',
      detail,
      data: { plan, additions, ...(conventions === undefined ? {} : { conventions }) } as never,
    };
  });
}

type PlannedOne =
  | ({ readonly status: 'planned' } & RecordedPlan & { readonly isUnchanged: boolean })
  | { readonly status: 'stopped'; readonly reason: string };

/** One planner, and what is wrong with its plan back to it, within a bound. */
export async function planModule(
  bench: Bench,
  key: string,
  request: Omit<PlanningRequest, 'key'>,
  module: BuiltModule,
): Promise<PlannedOne> {
  const { context, why, code } = request;
  const isFirst = context.conventions === undefined;
  const workspace = `plan-${module.id}`;
  const commit = code?.commit ?? bench.run.base;
  const draft = draftOf(module);
  const paths = [...(code?.paths(module) ?? []), ...(draft === undefined ? [] : [draft, `${draft}/**`])];
  const sources =
    paths.length === 0
      ? undefined
      : await bench.perform('sources.read', `${key}/sources`, { commit, paths, chars: 60_000 });
  let faults: readonly Issue[] = [];
  let before = context.plans.get(module.id);
  for (let round = 1; round <= mostFaults + 1; round += 1) {
    const subject: PlannerSubject = {
      context: { ...context, conventions: context.conventions ?? emptyConventions },
      module,
      closure: closurePlans(context, module.id),
      ...(sources === undefined ? {} : { sources }),
      faults,
      before,
      ...reasonOf(why, module.id),
    };
    const answer = await askDesignRole(bench, `${key}/planner#${round}`, {
      input: context.input,
      role: isFirst ? 'first-planner' : 'module-planner',
      title: round === 1 ? 'planner' : `planner, round ${round}`,
      doing: round === 1 ? 'planning' : 'correcting the plan',
      workspace,
      commit,
      task: module.id,
      brief: (recovery) => plannerBrief(subject, { isFirst }, recovery),
    });
    if (answer.status !== 'accepted') return { status: 'stopped', reason: explainAnswer(answer) };
    const reply: PlannerResult & { conventions?: z.infer<typeof firstPlannerResult>['conventions'] } = answer.result;
    const { plan, additions, conventions, isUnchanged } = reply;
    if (isUnchanged && before !== undefined && faults.length === 0) {
      await bench.perform('workspace.drop', `${key}/drop`, { workspace, captured: commit, readOnly: true });
      return { status: 'planned', plan: before, additions: {}, isUnchanged: true };
    }
    faults = faultsOf(context, module, plan, conventions);
    if (faults.length === 0) {
      await bench.perform('workspace.drop', `${key}/drop`, { workspace, captured: commit, readOnly: true });
      return {
        status: 'planned',
        plan,
        additions,
        isUnchanged: false,
        ...(conventions === undefined ? {} : { conventions }),
      };
    }
    before = plan;
  }
  const shown = faults.slice(0, 3).map(({ where, problem, fix }) => `${where}: ${problem} ${fix}`);
  return { status: 'stopped', reason: `no usable plan in ${mostFaults + 1} rounds: ${shown.join(' ')}` };
}

function reasonOf(why: PlanningRequest['why'], id: string): Pick<PlannerSubject, 'why'> {
  const reason = why?.(id);
  return reason === undefined ? {} : { why: reason };
}

function closurePlans({ modules, plans }: Basis, id: string): PlannerSubject['closure'] {
  return dependencyClosure(modules, id).flatMap((other) => {
    const plan = plans.get(other);
    return plan === undefined ? [] : [{ module: moduleOf({ modules }, other), plan }];
  });
}

/** What is wrong with a plan: paths that are not the module's, commands nobody can run, and the checkers' rules. */
export function faultsOf(
  context: Basis,
  module: BuiltModule,
  plan: ModulePlan,
  conventions = context.conventions,
): readonly Issue[] {
  const commands = (conventions ?? emptyConventions).commands;
  const ours = engineFolders(context);
  const file = `plans/${planFileName(module)}`;
  const text = renderModulePlan({ module, phase: module.phase, plan });
  const structural = checkModulePlan(file, text).filter(blocksGate);
  return [
    ...planFaults(module.id, plan, { others: context.plans, commands, ours }),
    ...(conventions === context.conventions ? [] : commandFaults(commands)),
    ...structural.map(({ rule, line, description, fix }) => ({
      where: `${module.id}, ${rule}${line === 0 ? '' : `, line ${line}`}`,
      problem: description,
      fix,
    })),
  ];
}

/** Everything that may change while a module is built: its own files, and those of its tester. */
export function moduleWrites({ commands }: Conventions, module: string, plan: ModulePlan): readonly string[] {
  return [...new Set([...plan.files, ...testerFiles(commands, module)])];
}

const emptyConventions: Conventions = {
  topics: {
    directories: [],
    naming: [],
    errors: [],
    sharedTypes: [],
    imports: [],
    tests: [],
    security: [],
    isolation: [],
    observability: [],
    performance: [],
    workflow: [],
    agents: [],
  },
  commands: {
    lint: '',
    build: '',
    types: '',
    test: '',
    moduleTests: 'test/modules',
    phaseTests: 'test/phases',
    e2eTests: 'e2e',
    commitFooter: '',
  },
};
