/** What every part of a run of `design` works with. Made once, from recorded facts alone; never changed. */
import type { Design, DesignModule } from '../../design/design.ts';
import type { Checks } from '../moves/verify.ts';
import type { DesignInput } from './design-input.ts';
import type { Conventions } from './plan/conventions.ts';
import type { Evolution } from './plan/evolution-documents.ts';
import type { ModulePlan } from '../../delivery/module-plan.ts';
import type { HistoryRow } from './plan/plan-readme.ts';

/** A module of the design, or one that a planner split off. */
export interface BuiltModule
  extends Pick<DesignModule, 'id' | 'name' | 'file' | 'features' | 'depends' | 'ui' | 'responsibility' | 'text'> {
  readonly phase: number;
  /** Built outside of the phases, before the design knew of it. */
  readonly isHotfix?: boolean;
}

export interface DesignContext {
  readonly input: DesignInput;
  readonly design: Design;
  readonly modules: readonly BuiltModule[];
  readonly conventions: Conventions;
  readonly plans: ReadonlyMap<string, ModulePlan>;
  /** Modules that the last delivery built and this one leaves as they are. */
  readonly kept: ReadonlySet<string>;
  /** Modules whose code is there and changes in this delivery. */
  readonly evolving: ReadonlySet<string>;
  /** Modules that an earlier run merged, or that a person left out then. */
  readonly settled: ReadonlyMap<string, 'Yes' | 'Skipped'>;
  /** Commits of modules that earlier runs merged. */
  readonly earlierCommits: ReadonlyMap<string, readonly string[]>;
  readonly checks: Checks;
  readonly history: readonly HistoryRow[];
  /** Text of the design's README on the base, in which the run keeps what is implemented. */
  readonly designReadme: string;
  /** Phases whose integration test an earlier run passed, with all of their modules merged. */
  readonly testedPhases: ReadonlySet<number>;
  /** Only for a later delivery. */
  readonly evolution?: Evolution;
}

export function moduleOf({ modules }: Pick<DesignContext, 'modules'>, id: string): BuiltModule {
  const found = modules.find((module) => module.id === moduleId(id));
  if (found === undefined) throw new Error(`there is no module ${id}`);
  return found;
}

/** A task for a module that is built again is named after it: `M-002-for-M-005`. */
export function moduleId(task: string): string {
  return /^M-\d+/.exec(task)?.[0] ?? task;
}

/** Folders that nobody but the engine writes. */
export function engineFolders({ input }: Pick<DesignContext, 'input'>): readonly string[] {
  return [input.plan.dir, input.design.dir, input.design.prd].filter((dir) => dir !== '');
}

export function enginePaths(context: Pick<DesignContext, 'input'>): readonly string[] {
  return engineFolders(context).map((dir) => `${dir}/**`);
}

export function criteriaCount({ prd }: Design): number {
  return (prd?.features ?? []).reduce((sum, { criteria }) => sum + criteria.length, 0);
}
