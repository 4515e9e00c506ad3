/**
 * Which modules can start, and in which order: what needs a patch before anything new, then the lower tier, then the lower id.
 * A module is ready when its plan is there and everything it depends on is merged. Pure.
 */
import { compareIds } from '../plan/task-id.ts';

export interface ModuleProgress {
  readonly id: string;
  readonly deps: readonly string[];
  /** Smaller goes first; modules of an earlier phase have a smaller one. */
  readonly tier: number;
  readonly planStatus: string;
  readonly execStatus: string;
}

export function readyModules(modules: readonly ModuleProgress[]): readonly string[] {
  const merged = new Set(modules.filter(({ execStatus }) => execStatus === 'merged').map(({ id }) => id));
  return modules
    .filter(({ deps, planStatus, execStatus }) => {
      if (!deps.every((id) => merged.has(id))) return false;
      return (
        execStatus === 'ready' || execStatus === 'needs_patch' || (execStatus === 'pending' && planStatus === 'planned')
      );
    })
    .toSorted(
      (a, b) =>
        Number(b.execStatus === 'needs_patch') - Number(a.execStatus === 'needs_patch') ||
        a.tier - b.tier ||
        compareIds(a.id, b.id),
    )
    .map(({ id }) => id);
}
