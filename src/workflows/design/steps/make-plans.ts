/**
 * From the input of a run to plans that a person approved: written anew, read from a plan directory, or written again where a
 * changed design touches them. The plan directory is committed before a person looks at it, and after every change of it.
 */

import { checkModulePlan } from '../../../delivery/check-module-plan.ts';
import { blocksGate } from '../../../delivery/plan-issue.ts';
import type { Design } from '../../../design/design.ts';
import type { Bench } from '../../../engine/bench.ts';
import { planStages } from '../../../plan/graph.ts';
import { planSchema } from '../../../plan/plan.ts';
import { countText } from '../../../views/figures.ts';
import { forecastTasks } from '../../moves/forecast-tasks.ts';
import { type BuiltModule, engineFolders, moduleOf } from '../context.ts';
import type { DesignInput } from '../design-input.ts';
import { deliveryTagName, recordDelivery } from '../keep-delivery.ts';
import type { SourceTree } from '../../../design/source-tree.ts';
import { readMaterial, textAt } from '../material.ts';
import { readImpact } from '../plan/evolution-documents.ts';
import { directoryProblems } from '../plan/check-plan-directory.ts';
import { explainProblem, type PlanDirectory, readPlanDirectory } from '../plan/read-plan-directory.ts';
import { planFileName, renderModulePlan } from '../plan/render-module-plan.ts';
import { approvePlans } from './approve-plans.ts';
import { extraModules } from './backfill-legacy.ts';
import { readPlanEdits } from './edit-plans.ts';
import { commitPlans, type PlannedContext } from './plan-context.ts';
import { settleOpenRows } from './settle-open-rows.ts';
import { planModules } from './plan-modules.ts';
import { taskFor } from './run-module.ts';

export type PlansMade =
  | { readonly status: 'approved'; readonly context: PlannedContext }
  | { readonly status: 'stopped'; readonly reason: string };

const mostChanges = 8;

export async function makePlans(bench: Bench, input: DesignInput): Promise<PlansMade> {
  const { design, readme, tree } = await readMaterial(bench, 'material', { input, commit: bench.run.base });
  const basis = {
    input,
    design,
    modules: builtModules(design),
    plans: new Map(),
    conventions: undefined,
    kept: new Set<string>(),
    evolving: new Set<string>(),
    settled: new Map<string, 'Yes' | 'Skipped'>(),
    earlierCommits: new Map<string, readonly string[]>(),
    testedPhases: new Set<number>(),
    history: [],
    designReadme: readme,
  };
  if (input.mode === 'execute') return fromDirectory(bench, basis, tree);
  if (input.mode === 'evolve') {
    const { evolvePlans } = await import('./evolve-plans.ts');
    const directory = readPlanDirectory(tree, input.plan.dir);
    return evolvePlans(bench, { basis: { ...basis, earlierCommits: directory.commits }, directory, tree });
  }
  const planned = await planModules(bench, { context: basis, key: 'plan' });
  if (planned.status === 'stopped') return planned;
  const context = { ...basis, plans: planned.plans, conventions: planned.conventions };
  await commitPlans(bench, 'plan/documents', context, `docs(plan): add implementation plans for ${design.name}`);
  return approveMadePlans(bench, context, {});
}

export function builtModules({ modules }: Design): readonly BuiltModule[] {
  const phases = planStages(modules);
  return modules.map((module) => ({ ...module, phase: phases.findIndex((ids) => ids.includes(module.id)) + 1 }));
}

/** Plans that are there: read, checked like a planner's, and what was merged before is not built again. */
async function fromDirectory(
  bench: Bench,
  basis: Omit<PlannedContext, 'conventions'>,
  tree: SourceTree,
): Promise<PlansMade> {
  const directory = readPlanDirectory(tree, basis.input.plan.dir);
  const { dir } = basis.input.plan;
  const ids = basis.modules.map(({ id }) => id);
  // Preparing the run refused all of these; a commit may still be read in another way than a checkout.
  const problems = directoryProblems(directory, { dir, needed: ids, built: ids, ours: engineFolders(basis) });
  if (problems.length > 0)
    return {
      status: 'stopped',
      reason: `the plans cannot be used: ${problems.slice(0, 5).map(explainProblem).join(' ')}`,
    };
  const settled = new Map<string, 'Yes' | 'Skipped'>();
  for (const row of directory.rows) {
    if (/^yes/i.test(row.merged)) settled.set(row.module, 'Yes');
    else if ([row.dev, row.test, row.review].some((cell) => /^skipped/i.test(cell))) settled.set(row.module, 'Skipped');
  }
  const evolution = plannedEvolution(bench, basis.input, tree);
  const of = (...classes: readonly string[]): ReadonlySet<string> =>
    new Set(evolution?.modules.filter(({ impact }) => classes.includes(impact)).map(({ module }) => module));
  const extra = extraModules(directory, [...ids, ...(evolution?.removed ?? [])]);
  const context: PlannedContext = {
    ...basis,
    modules: [...basis.modules, ...extra],
    plans: new Map([...directory.plans].filter(([id]) => evolution?.removed.includes(id) !== true)),
    conventions: directory.conventions,
    kept: new Set([...of('kept'), ...(evolution === undefined ? [] : extra.map(({ id }) => id))]),
    evolving: of('revised-direct', 'revised-downstream'),
    ...(evolution === undefined ? {} : { evolution }),
    settled,
    earlierCommits: directory.commits,
    testedPhases: testedPhases(directory, basis.modules, settled),
    history: directory.history,
  };
  const ready = await settleOpenRows(bench, { context, rows: directory.rows, tree });
  return ready.status === 'stopped' ? ready : approveMadePlans(bench, ready.context, {});
}

/** The impact that a later delivery was planned with. */
function plannedEvolution(bench: Bench, input: DesignInput, tree: SourceTree): PlannedContext['evolution'] {
  if (input.evolve === undefined) return undefined;
  const { dir, delivery } = input.plan;
  const known = { delivery, tag: deliveryTagName(input), branch: `forge/${bench.run.id}` };
  return readImpact(textAt(tree, `${dir}/.evolve-${delivery}/impact.md`), known);
}

/** Phases that are over: every module is merged, and the integration test passed. */
function testedPhases(
  { phases }: PlanDirectory,
  modules: readonly BuiltModule[],
  settled: ReadonlyMap<string, 'Yes' | 'Skipped'>,
): ReadonlySet<number> {
  const isOver = (phase: number): boolean =>
    modules.filter((module) => module.phase === phase).every(({ id }) => settled.get(id) === 'Yes');
  const passed = phases.filter(({ integration }) => /^pass/i.test(integration)).map(({ phase }) => Number(phase));
  return new Set(passed.filter((phase) => Number.isInteger(phase) && isOver(phase)));
}

/** Findings about plans that do not block, for the person who approves them. */
function planWarnings({ modules, plans }: Pick<PlannedContext, 'modules' | 'plans'>): readonly string[] {
  return modules.flatMap((module) => {
    const plan = plans.get(module.id);
    if (plan === undefined) return [];
    const text = renderModulePlan({ module, phase: module.phase, plan });
    const issues = checkModulePlan(`plans/${planFileName(module)}`, text).filter((issue) => !blocksGate(issue));
    return issues.map(({ rule, file, description }) => `${rule} ${file}: ${description}`);
  });
}

export interface ApprovalWishes {
  readonly warnings?: readonly string[];
  readonly revision?: Parameters<typeof approvePlans>[2]['revision'];
  readonly only?: ReadonlySet<string>;
}

/** Until a person agrees: changes in words go to the planners, edited files are checked like a planner's reply. */
export async function approveMadePlans(
  bench: Bench,
  start: PlannedContext,
  wishes: ApprovalWishes,
): Promise<PlansMade> {
  let context = start;
  let problems: readonly string[] = [];
  if (context.input.planOnly) {
    const { commit } = await bench.perform('integration.read', 'plan/published', {});
    await bench.perform('branch.publish', 'plan/publish', { commit });
  }
  for (let round = 1; round <= mostChanges; round += 1) {
    const suffix = round === 1 ? '' : `#${round}`;
    await bench.perform('forecast.make', `forecast${suffix}`, forecastOf(context));
    const { commit } = await bench.perform('integration.read', `approve/base${suffix}`, {});
    const { path } = await bench.perform('workspace.offer', `approve/offer${suffix}`, { workspace: 'edit', commit });
    const approval = await approvePlans(bench, `approve${suffix}`, {
      context,
      warnings: [...(wishes.warnings ?? []), ...planWarnings(context)],
      problems,
      editAt: `${path}/${context.input.plan.dir}`,
      ...(wishes.revision === undefined ? {} : { revision: wishes.revision }),
    });
    problems = [];
    switch (approval.next) {
      case 'go':
        return approved(bench, context, { commit, round });
      case 'stop':
        return { status: 'stopped', reason: approval.reason };
      case 'edited': {
        const edited = await readPlanEdits(bench, `edit${suffix}`, context, commit);
        if (edited.status === 'faulty') ({ problems } = edited);
        else ({ context } = edited);
        break;
      }
      case 'changes': {
        const named = context.modules
          .filter(({ id }) => approval.text.includes(id) && (wishes.only?.has(id) ?? true))
          .map(({ id }) => id);
        const all = named.length > 0 ? named : [...(wishes.only ?? context.modules.map(({ id }) => id))];
        const planned = await planModules(bench, {
          context,
          key: `plan${suffix}/changes`,
          only: new Set(all),
          why: () => ({ kind: 'changes', text: approval.text }),
        });
        if (planned.status === 'stopped') return planned;
        context = { ...context, plans: planned.plans, conventions: planned.conventions };
        await commitPlans(bench, `plan${suffix}/changed`, context, 'docs(plan): revise implementation plans');
      }
    }
  }
  return { status: 'stopped', reason: `no plans were agreed on in ${mostChanges} rounds` };
}

async function approved(
  bench: Bench,
  context: PlannedContext,
  { commit, round }: { readonly commit: string; readonly round: number },
): Promise<PlansMade> {
  await bench.perform('workspace.drop', 'approve/drop', { workspace: 'edit', captured: commit, readOnly: true });
  const { design } = context;
  const whole = { ...context, checks: { source: 'plan', entries: [] } } as const;
  const tasks = scheduledIds(context).map((id) => {
    const module = moduleOf(context, id);
    const plan = context.plans.get(id);
    if (plan === undefined) throw new Error(`${id} has no plan`);
    return { ...taskFor(whole, { id, depends: [...module.depends] }, module, plan), title: module.name };
  });
  await bench.record('plan', 'plan.accepted', { plan: planSchema.parse({ objective: design.name, tasks }) });
  await recordDelivery(bench, whole, 'approve/decided', {
    event: () => ({
      title: 'Plans approved',
      context: 'planning',
      event: 'Human decision',
      details: [countText(tasks.length, 'module'), ...(round === 1 ? [] : [`after ${round} rounds`])],
      outcome: 'The modules are built.',
    }),
  });
  return { status: 'approved', context };
}

/** Modules that this run builds. */
export function scheduledIds({
  modules,
  kept,
  settled,
}: Pick<PlannedContext, 'modules' | 'kept' | 'settled'>): readonly string[] {
  return modules.map(({ id }) => id).filter((id) => !kept.has(id) && !settled.has(id));
}

function forecastOf(context: PlannedContext) {
  const often = (least: number, likely: number, most: number) => [least, likely, most] as [number, number, number];
  const whole = { ...context, checks: { source: 'plan', entries: [] } } as const;
  const tasks = scheduledIds(context).flatMap((id) => {
    const plan = context.plans.get(id);
    return plan === undefined
      ? []
      : [taskFor(whole, { id, depends: [...moduleOf(context, id).depends] }, moduleOf(context, id), plan)];
  });
  return {
    ...forecastTasks(tasks),
    perTask: [
      { role: 'module-developer', often: often(1, 2, 6) },
      { role: 'module-tester', often: often(1, 2, 6) },
      { role: 'module-reviewer', often: often(1, 1.5, 4) },
    ],
    whole: [
      { role: 'integration-tester', often: often(1, 3, 10) },
      { role: 'acceptance-tester', often: often(1, 2, 6) },
    ],
    parallel: context.input.parallel,
  };
}
