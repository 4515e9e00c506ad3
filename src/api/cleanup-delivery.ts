/**
 * Gives a delivery up: removes the runs that worked on a plan directory with their workspaces and branches and, if wanted, the
 * plan directory itself. Everything that could refuse is asked before anything goes, and nothing goes before somebody agreed.
 * A plan directory with delivery history is never removed.
 */
import { z } from 'zod';
import { planInput } from '../delivery/plan-inputs.ts';
import { ForgeError } from '../errors.ts';
import {
  type DeliveryRemains,
  findRemains,
  removeCommitted,
  removeRemains,
  tagsHolding,
} from '../git/remove-delivery.ts';
import { isHeld } from './choose-run.ts';
import { cleanupRun } from './cleanup-run.ts';
import type { ApiContext } from './context.ts';
import type { JsonOf, Operation } from './operation.ts';
import { performOperation } from './operation.ts';
import { designRuns, locatePlan, type PlanPlace } from './plan-place.ts';

const input = z.strictObject({
  directory: z.string().min(1),
  plans: z.boolean().default(false).describe('also remove the plan directory, in a commit on the current branch'),
  agree: z.boolean().default(false).describe('without it nothing is removed: the answer says what would be'),
});

const texts = z.array(z.string());
const output = z.strictObject({
  directory: z.string(),
  removed: z.boolean(),
  runs: texts,
  branches: texts,
  worktrees: texts,
  /** Branches that stay, because they are checked out. */
  checkedOut: texts,
  /** What makes the plan directory part of a history, and keeps it from being removed. */
  history: texts,
  /** Whether the plan directory can be removed, or was. */
  plans: z.enum(['kept', 'removable', 'removed']),
});
export type DeliveryCleaned = JsonOf<typeof output>;

export const cleanupDelivery: Operation<typeof input, typeof output> = {
  name: 'cleanup-delivery',
  kind: 'command',
  description: 'Gives a delivery up: removes its runs, workspaces and branches and, if wanted, its plan directory.',
  input,
  output,
  async run(context, { directory, plans, agree }) {
    const place = await locatePlan(context, directory);
    const { dir, root } = place;
    const runs = await designRuns(context, dir);
    const history = await historyOf(place);
    const remains = await findRemains(root, isBranchOf(place, runs));
    if (plans) refusePlans(place, history);
    await refuseHeld(context, runs);
    const found = {
      directory: dir,
      runs: [...runs],
      branches: [...remains.branches],
      worktrees: remains.worktrees.map(({ path }) => path),
      checkedOut: [...remains.checkedOut],
      history: [...history],
    };
    const isRemovable = history.length === 0 && place.run === undefined;
    if (!agree) return { ...found, removed: false, plans: isRemovable ? 'removable' : 'kept' };
    await removeAll(context, place, { runs, remains, plans });
    return { ...found, removed: true, plans: plans ? 'removed' : 'kept' };
  },
};

async function removeAll(
  context: ApiContext,
  { root, dir }: PlanPlace,
  about: { readonly runs: readonly string[]; readonly remains: DeliveryRemains; readonly plans: boolean },
): Promise<void> {
  // First what can still refuse.
  if (about.plans) await removeCommitted(root, { dir, message: `chore(plan): remove ${dir}`, env: context.env });
  for (const run of about.runs) await performOperation(cleanupRun, context, { run, force: true });
  await removeRemains(root, about.remains);
}

/** Branches of the runs, and those that the README names: its family, the deliveries and modules below it. */
function isBranchOf({ readme }: PlanPlace, runs: readonly string[]): (branch: string) => boolean {
  const named = ['Feature Branch Family', 'Feature Branch', 'Feature Branch (current delivery)']
    .map((field) => planInput(readme, field)?.text.replaceAll('`', '').trim() ?? '')
    .filter((name) => /^autoforge\/[\w.-]+$/.test(name));
  const own = new Set(runs.map((run) => `forge/${run}`));
  return (branch) =>
    own.has(branch) ||
    named.some(
      (family) =>
        branch === family ||
        branch.startsWith(`${family}/`) ||
        new RegExp(`^${escaped(family)}-d\\d+(?:/|$)`).test(branch),
    );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

async function historyOf({ root, dir, read, list }: PlanPlace): Promise<readonly string[]> {
  const versions = (await list('versions')).filter((name) => name.endsWith('.md')).map((name) => `versions/${name}`);
  const changelog = (await read('CHANGELOG.md')) === undefined ? [] : ['CHANGELOG.md'];
  const tags = (await tagsHolding(root, 'autoforge-delivery-', dir)).map((tag) => `tag ${tag}`);
  return [...versions, ...changelog, ...tags];
}

function refusePlans({ dir, run }: PlanPlace, history: readonly string[]): void {
  if (history.length > 0)
    throw new ForgeError(
      'cleanup-refused',
      `This plan directory contains delivery history (${history.slice(0, 5).join(', ')}), so it is not removed`,
      {
        hint: `Nothing was changed. If you really want to discard the chain, do it by hand: git tag -d <the autoforge-delivery tags>, then git rm -r ${dir}`,
      },
    );
  if (run !== undefined)
    throw new ForgeError('cleanup-refused', `${dir} is not in your checkout: it is on the branch of ${run}`, {
      hint: 'Nothing was changed. Leave --plans out: the directory goes with the branch.',
    });
}

async function refuseHeld(context: ApiContext, runs: readonly string[]): Promise<void> {
  if (runs.length === 0) return;
  const { engine } = await context.runs();
  for (const run of runs) {
    if (!isHeld(await engine.summarize(run))) continue;
    throw new ForgeError('cleanup-refused', `The run ${run} is still working on it`, {
      hint: `Nothing was changed. End it first: forge cancel ${run}`,
    });
  }
}
