/**
 * Modules that the new design no longer has: their plan and the files they owned go, in one commit. Where another module
 * still uses them, their files stay until that module was built again.
 */
import type { Bench } from '../../../engine/bench.ts';
import { coverageOf } from '../../../plan/coverage.ts';
import { writeDocuments } from '../keep-delivery.ts';
import { testerFiles } from '../plan/module-plan.ts';
import type { PlanDirectory } from '../plan/read-plan-directory.ts';
import type { PlannedContext } from './plan-context.ts';

export interface RemovalRequest {
  readonly context: PlannedContext;
  readonly directory: Pick<PlanDirectory, 'plans' | 'files'>;
  /** After the modules were built: what could not go before goes now. */
  readonly isLate: boolean;
}

export async function removeModules(bench: Bench, { context, directory, isLate }: RemovalRequest): Promise<void> {
  const { evolution, input } = context;
  const removed = evolution?.removed ?? [];
  const isUsed = (id: string): boolean =>
    evolution?.modules.some(({ reasons }) =>
      reasons.some((reason) => reason.includes(`it uses ${id}, which is gone`)),
    ) === true;
  const now = removed.filter((id) => isUsed(id) === isLate);
  if (now.length === 0) return;
  const key = isLate ? 'evolve/remove-late' : 'evolve/remove';
  const { commands } = context.conventions;
  const patterns = now.flatMap((id) => [...(directory.plans.get(id)?.files ?? []), ...testerFiles(commands, id)]);
  const { commit } = await bench.perform('integration.read', `${key}/base`, {});
  const { files, omitted } = await bench.perform('sources.read', `${key}/files`, { commit, paths: patterns, chars: 1 });
  const others = coverageOf([...context.plans.values()].flatMap((plan) => plan.files));
  const owned = [...new Set([...files.map(({ path }) => path), ...omitted])].filter(
    (path) => others.first(path) === undefined,
  );
  const plans = now.flatMap((id) => directory.files.get(id) ?? []).map((file) => ({ path: `plans/${file}` }));
  await bench.exclusive('integrate', () =>
    writeDocuments(bench, key, context, {
      message: `chore(plan): remove modules in delivery-${input.plan.delivery} — ${now.join(', ')}`,
      files: [...plans, ...owned.map((path) => ({ path: `/${path}` }))],
    }),
  );
}
