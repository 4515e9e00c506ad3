/** Keeps a developer's fix out of the tests and out of the folders that only the engine writes. */
import type { Bench } from '../../../engine/bench.ts';
import { type DesignContext, enginePaths } from '../context.ts';

/** The commit without what the fix must not touch. */
export async function confineFix(
  bench: Bench,
  context: DesignContext,
  { key, from, commit }: { readonly key: string; readonly from: string; readonly commit: string },
): Promise<string> {
  const { moduleTests, phaseTests, e2eTests } = context.conventions.commands;
  const forbids = [`${moduleTests}/**`, `${phaseTests}/**`, `${e2eTests}/**`, ...enginePaths(context)];
  const confined = await bench.perform('changes.confine', key, { from, commit, forbids });
  return confined.commit;
}
