/** What is said of modules in more than one place: how many, how far, what an overlap means, what a review came to. */
import { type OverlappingPair, overlappingPairs } from '../plan/overlapping-pairs.ts';
import type { Task } from '../plan/plan.ts';
import type { Chronicle } from './chronicle.ts';
import { counted } from './figures.ts';
import { recordOf } from './modules-keys.ts';
import { modulesProposal, type ModulesProposal } from './modules-proposal.ts';

/** `5 modules in 3 stages`; empty while there is no plan. */
export function proposalFigures(proposal: ModulesProposal | undefined): string {
  if (proposal === undefined) return '';
  const { tasks, order, lite } = proposal;
  return `${counted(tasks.length, 'module')} in ${counted(order.length, 'stage')}${lite ? ', one after the other' : ''}`;
}

/** What two modules on one file mean: never at once, and without an order between them either may come first. */
function overlapLine({ first, second, paths, isOrdered }: OverlappingPair): string {
  const both = `${first} and ${second} both change ${paths.join(', ')}`;
  if (isOrdered) return `${both}: the later one is built on the earlier one`;
  return `${both}: they never run at once, but nothing says which comes first, and the second is built on the first`;
}

/** A line for every two modules that may change the same file. */
export function overlapLines(tasks: readonly Task[]): string[] {
  const { pairs, complete } = overlappingPairs(tasks);
  return [...pairs.map(overlapLine), ...(complete ? [] : ['More modules overlap than are listed here'])];
}

/** What a clean review can not make good: modules that are not there, and a run that was not accepted. */
export function releaseBlockers(chronicle: Chronicle): readonly string[] {
  const { failed, skipped } = modulesProgress(chronicle);
  const { status } = chronicle.state;
  const missing = failed + skipped;
  return [
    ...(missing === 0 ? [] : [`${counted(missing, 'module')} not done`]),
    ...(status === 'failed' && missing === 0 ? ['the run was not accepted'] : []),
    ...(status === 'cancelled' ? ['the run was cancelled'] : []),
  ];
}

export const nothingToReview = 'no module was merged, so there was nothing to review';

/** Whether all has ended and nothing of it is done. */
export function isAllLost(modules: readonly { readonly status: string }[]): boolean {
  return modules.length > 0 && modules.every(({ status }) => ['failed', 'blocked', 'skipped'].includes(status));
}

export interface ModulesProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly remaining: number;
}

/** Of the plan's own modules. */
export function modulesProgress(chronicle: Chronicle): ModulesProgress {
  const tasks = modulesProposal(chronicle)?.tasks ?? [];
  const ended = tasks.flatMap(({ id }) => recordOf(chronicle, id)?.outcome?.status ?? []);
  const number = (...wanted: readonly string[]): number => ended.filter((status) => wanted.includes(status)).length;
  return {
    total: tasks.length,
    done: number('done'),
    failed: number('failed', 'blocked'),
    skipped: number('skipped'),
    remaining: tasks.length - ended.length,
  };
}
