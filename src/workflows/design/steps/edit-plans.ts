/** Plans that a person edited in a checkout of their own: what changed there becomes a commit and is checked like a planner's reply. */

import { memoryTree } from '../../../design/memory-tree.ts';
import type { Bench } from '../../../engine/bench.ts';
import { type DesignContext, engineFolders } from '../context.ts';
import { directoryProblems } from '../plan/check-plan-directory.ts';
import { explainProblem, type PlanDirectory, readPlanDirectory } from '../plan/read-plan-directory.ts';
import { commitPlans, type PlannedContext } from './plan-context.ts';

export type EditedPlans =
  | { readonly status: 'taken'; readonly context: PlannedContext }
  | { readonly status: 'faulty'; readonly problems: readonly string[] };

export async function readPlanEdits(
  bench: Bench,
  key: string,
  context: PlannedContext,
  from: string,
): Promise<EditedPlans> {
  const own = context.modules.map(({ id }) => id).filter((id) => !context.kept.has(id));
  const { directory, problems } = await takeEdits(bench, key, { context, workspace: 'edit', from, modules: own });
  if (problems.length > 0) return { status: 'faulty', problems };
  const edited = {
    ...context,
    plans: new Map([...context.plans, ...directory.plans]),
    conventions: directory.conventions,
  };
  await commitPlans(bench, `${key}/commit`, edited, 'docs(plan): take edited plans');
  return { status: 'taken', context: edited };
}

export interface EditRequest {
  readonly context: Pick<DesignContext, 'input'>;
  readonly workspace: string;
  /** The commit that was offered. */
  readonly from: string;
  /** Whose plans were offered; each has to be there and to keep the rules. */
  readonly modules: readonly string[];
}

/** What a person left in the checkout that was offered. Only plans count; any other change stays there. */
export async function takeEdits(
  bench: Bench,
  key: string,
  { context, workspace, from, modules }: EditRequest,
): Promise<{ readonly directory: PlanDirectory; readonly problems: readonly string[] }> {
  const { dir } = context.input.plan;
  const taken = await bench.perform('workspace.take', `${key}/take`, { workspace, commit: from });
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
  const wishes = { dir, needed: modules, built: modules, ours: engineFolders(context) };
  return { directory, problems: directoryProblems(directory, wishes).map(explainProblem) };
}
