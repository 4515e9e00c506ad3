/**
 * How strong a model a unit of work gets and how hard it thinks, where neither the settings, nor the task's plan, nor a
 * risk say so: `policy/routing.ts` decides which of them counts. Pure.
 */
import type { Effort } from '../../../policy/effort.ts';
import type { Tier } from '../../../policy/routing.ts';
import type { Thinking } from '../../../policy/thinking.ts';

export const unitKinds = [
  'plan-milestone',
  'discuss-milestone',
  'research-milestone',
  'plan-slice',
  'research-slice',
  'execute-task',
  'complete-slice',
  'complete-milestone',
  'memory-extract',
] as const;
export type UnitKind = (typeof unitKinds)[number];

const usualTiers: Readonly<Record<UnitKind, Tier>> = {
  'plan-milestone': 'max',
  'discuss-milestone': 'standard',
  'research-milestone': 'standard',
  'plan-slice': 'heavy',
  'research-slice': 'standard',
  'execute-task': 'standard',
  'complete-slice': 'light',
  'complete-milestone': 'light',
  'memory-extract': 'light',
};

const usualEfforts: Readonly<Record<UnitKind, Effort>> = {
  'plan-milestone': 'medium',
  'discuss-milestone': 'medium',
  'research-milestone': 'medium',
  'plan-slice': 'medium',
  'research-slice': 'medium',
  'execute-task': 'low',
  'complete-slice': 'low',
  'complete-milestone': 'low',
  'memory-extract': 'low',
};

export interface UnitRoute {
  readonly tier: Tier;
  readonly effort: Effort;
  /** Of strong models only, whatever made the work need one. */
  readonly thinking: Thinking;
}

export function routeUnit(unit: UnitKind): UnitRoute {
  return { tier: usualTiers[unit], effort: usualEfforts[unit], thinking: 'adaptive' };
}
