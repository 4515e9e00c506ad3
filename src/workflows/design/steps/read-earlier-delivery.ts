/** What an earlier delivery left in the plan directory, as far as this one builds on it. */
import type { Bench } from '../../../engine/bench.ts';
import type { DesignContext } from '../context.ts';
import type { DocumentFile } from '../keep-delivery.ts';
import { readMaterial, textAt } from '../material.ts';
import { type PlanDirectory, readPlanDirectory } from '../plan/read-plan-directory.ts';

export interface EarlierDelivery {
  readonly directory: PlanDirectory;
  readonly verdict: string;
  readonly changelog: string;
  /** Reports that are kept under the number of their delivery. */
  readonly archive: readonly DocumentFile[];
  readonly isBootstrapped: boolean;
}

export async function readEarlierDelivery(bench: Bench, { input }: DesignContext): Promise<EarlierDelivery> {
  const { tree } = await readMaterial(bench, 'earlier', { input, commit: bench.run.base });
  const { dir, delivery } = input.plan;
  const directory = readPlanDirectory(tree, dir);
  const reports = tree.list(`${dir}/reports`);
  const names = reports.status === 'read' ? reports.entries.map(({ name }) => name) : [];
  const archived = (name: string): string => name.replace(/\.md$/, `-d${delivery - 1}.md`);
  // A run before this one may have begun the delivery: then they are archived already.
  const kept = names.filter(
    (name) => /^(?:acceptance|integration-phase-\d+)\.md$/.test(name) && !names.includes(archived(name)),
  );
  const archive = (input.evolve === undefined ? [] : kept).flatMap((name): DocumentFile[] => [
    { path: `reports/${archived(name)}`, text: textAt(tree, `${dir}/reports/${name}`) },
  ]);
  return {
    directory,
    verdict: directory.verdict,
    changelog: textAt(tree, `${dir}/CHANGELOG.md`),
    archive,
    // A log entry of the set-up: somebody ran this plan before.
    isBootstrapped: textAt(tree, `${dir}/execution-log.md`).includes('— Project initialized'),
  };
}
