/**
 * `delivery.check`: the plan checkers and the delivery discipline over one commit, as `forge check-plan` runs them over a
 * directory. Files are read from git's objects, bounded in number and size; nothing is run and nothing decided here.
 */
import { checkPlan } from '../delivery/check-plan.ts';
import { memoryTree, subtreeOf } from '../design/memory-tree.ts';
import { readDesign } from '../design/read-design.ts';
import type { Performer } from '../engine/performer.ts';
import { listChanges, listFiles } from '../git/changes.ts';
import { isPlainFile, readBlobs } from '../git/tree-edit.ts';
import type { EffectDeps } from './deps.ts';

const limits = { eachBytes: 1_000_000, allBytes: 64_000_000 };
const mostIssues = 300;

export function deliveryCheck({ repo }: EffectDeps): Performer<'delivery.check'> {
  return {
    async perform({ commit, since, planDir, designDir, gate }, { clock }) {
      const entries = (await listFiles(repo, commit)).filter((entry) => isPlainFile(entry) && !isForeign(entry.path));
      const blobs = await readBlobs(
        repo,
        entries.map(({ id }) => id),
        limits,
      );
      const files = new Map(
        entries.flatMap(({ path, id }) => {
          const bytes = blobs.get(id);
          return bytes === undefined ? [] : [[path, bytes] as const];
        }),
      );
      const tree = memoryTree(files);
      const changed =
        since === undefined ? undefined : new Set((await listChanges(repo, since, commit)).map(({ path }) => path));
      const { issues } = checkPlan({
        gate,
        plan: subtreeOf(tree, planDir),
        planDir,
        source: gate === 'plan' ? undefined : tree,
        planInSource: planDir,
        design: designDir === undefined ? undefined : readDesign(tree, designDir).design,
        git: undefined,
        now: clock.now().getTime(),
      });
      const isWanted = ({ scope, file }: (typeof issues)[number]): boolean =>
        scope !== 'source' || changed === undefined || changed.has(file);
      return {
        issues: issues
          .filter(isWanted)
          .slice(0, mostIssues)
          .map((issue) => ({ ...issue })),
      };
    },
  };
}

function isForeign(path: string): boolean {
  return /(?:^|\/)(?:node_modules|vendor|dist|build|target)\//.test(path);
}
