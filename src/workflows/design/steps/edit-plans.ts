/** Plans that a person edited in a checkout of their own: what changed there becomes a commit and is checked like a planner's reply. */

import { memoryTree } from '../../../design/memory-tree.ts';
import type { Bench } from '../../../engine/bench.ts';
import { readPlanDirectory } from '../plan/read-plan-directory.ts';
import { commitPlans, explainIssue, type PlannedContext } from './plan-context.ts';
import { faultsOf } from './plan-modules.ts';

export type EditedPlans =
  | { readonly status: 'taken'; readonly context: PlannedContext }
  | { readonly status: 'faulty'; readonly problems: readonly string[] };

export async function readPlanEdits(
  bench: Bench,
  key: string,
  context: PlannedContext,
  from: string,
): Promise<EditedPlans> {
  const { dir } = context.input.plan;
  const taken = await bench.perform('workspace.take', `${key}/take`, { workspace: 'edit', commit: from });
  const confined = await bench.perform('changes.confine', `${key}/scope`, {
    from,
    commit: taken.commit,
    writes: [`${dir}/plans/**`],
  });
  const { files } = await bench.perform('sources.read', `${key}/read`, {
    commit: confined.commit,
    paths: [`${dir}/**`],
    chars: 12_000_000,
  });
  const directory = readPlanDirectory(memoryTree(new Map(files.map(({ path, text }) => [path, text]))), dir);
  const missing = context.modules
    .filter(({ id }) => !context.kept.has(id) && !directory.plans.has(id))
    .map(({ id }) => `${id} has no plan any more`);
  const faults = context.modules.flatMap((module) => {
    const plan = directory.plans.get(module.id);
    return plan === undefined || context.kept.has(module.id)
      ? []
      : faultsOf({ ...context, plans: directory.plans }, module, plan).map(explainIssue);
  });
  const problems = [...directory.problems, ...missing, ...faults];
  if (problems.length > 0) return { status: 'faulty', problems };
  const edited = {
    ...context,
    plans: new Map([...context.plans, ...directory.plans]),
    conventions: directory.conventions,
  };
  await commitPlans(bench, `${key}/commit`, edited, 'docs(plan): take edited plans');
  return { status: 'taken', context: edited };
}
