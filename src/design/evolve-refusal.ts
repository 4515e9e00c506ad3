/**
 * Whether a design can be built on top of an earlier delivery at all: the refusals, each with what to do instead. The order is
 * the order in which a person would fix them. Pure.
 */

export interface EvolveState {
  /** Undefined where no plan directory belongs to the design. */
  readonly priorPlan:
    | { readonly directory: string; readonly isUnfinished: boolean; readonly modules: readonly string[] }
    | undefined;
  readonly hasUncommittedChanges: boolean;
  readonly baseline: string;
  readonly target: string;
  /** Modules that the changed design adds. */
  readonly added: readonly string[];
}

export const refusalCodes = [
  'no-prior-plan',
  'uncommitted-changes',
  'unfinished',
  'nothing-changed',
  'id-collision',
] as const;

export interface EvolveRefusal {
  readonly code: (typeof refusalCodes)[number];
  readonly message: string;
  readonly fix: string;
}

export function evolveRefusal({
  priorPlan,
  hasUncommittedChanges,
  baseline,
  target,
  added,
}: EvolveState): EvolveRefusal | undefined {
  if (priorPlan === undefined)
    return {
      code: 'no-prior-plan',
      message: 'There is no earlier delivery of this design.',
      fix: 'Build it from scratch first.',
    };
  if (hasUncommittedChanges)
    return {
      code: 'uncommitted-changes',
      message: 'There are changes that are not committed.',
      fix: 'Commit or stash them first.',
    };
  if (priorPlan.isUnfinished)
    return {
      code: 'unfinished',
      message: `The delivery in ${priorPlan.directory} is not finished.`,
      fix: 'Finish it first.',
    };
  if (baseline === target)
    return {
      code: 'nothing-changed',
      message: 'The design has not changed since the last delivery.',
      fix: 'Change the design and commit it. To build it all again, add --fresh.',
    };
  const burned = added.filter((id) => priorPlan.modules.includes(id));
  if (burned.length === 0) return undefined;
  return {
    code: 'id-collision',
    message: `The design adds ${burned.join(', ')}, but ${priorPlan.directory} already has a plan with that id.`,
    fix: 'Give the new module another id in the design, or rename the existing plan.',
  };
}
