/**
 * Where a module goes whose plan turned out to be wrong: which plans are written again, whether a person approves them, and
 * what has to be built before the module goes on. A missing part of the design is built, never stubbed. Pure.
 */
export const revisionKinds = [
  'PLAN_TEXT_ERROR',
  'UPSTREAM_BUG',
  'UPSTREAM_INSUFFICIENT',
  'INTERFACE_REDESIGN',
  'UPSTREAM_NOT_IMPLEMENTED',
] as const;
export type RevisionKind = (typeof revisionKinds)[number];

/** `this-plan`: only this module's. `from-here`: every plan it touches, as things stand. `owner-first`: what is missing. */
export type RevisionRoute = 'this-plan' | 'from-here' | 'owner-first';

const routes: Readonly<Record<RevisionKind, RevisionRoute>> = {
  PLAN_TEXT_ERROR: 'this-plan',
  UPSTREAM_BUG: 'from-here',
  UPSTREAM_INSUFFICIENT: 'from-here',
  INTERFACE_REDESIGN: 'from-here',
  UPSTREAM_NOT_IMPLEMENTED: 'owner-first',
};

export function revisionRoute(kind: RevisionKind): RevisionRoute {
  return routes[kind];
}

export interface OwnerQuestion {
  readonly requester: string;
  /** Undefined where the design gives the missing part to nobody. */
  readonly owner: string | undefined;
  readonly modules: readonly { readonly id: string; readonly phase: number; readonly isMerged: boolean }[];
  /** Everything the owner needs, directly or not. */
  readonly ownerNeeds: readonly string[];
}

/**
 * `reopen`: it was merged without the part. `wait`: it is on its way in the same phase. `pull-forward`: it was to come later.
 * `allocate`: nobody owns it, or the owner waits for the requester itself.
 */
export type OwnerPlace = 'reopen' | 'wait' | 'pull-forward' | 'allocate';

export function placeOfOwner({ requester, owner, modules, ownerNeeds }: OwnerQuestion): OwnerPlace {
  const own = modules.find(({ id }) => id === requester);
  const found = modules.find(({ id }) => id === owner);
  if (found === undefined || found.id === requester || ownerNeeds.includes(requester)) return 'allocate';
  if (found.isMerged) return 'reopen';
  return found.phase > (own?.phase ?? 0) ? 'pull-forward' : 'wait';
}

/** Modules whose plans may have to change with an upstream one: it, the one that asks, and everything that uses it. */
export function plansToRevise(
  modules: readonly { readonly id: string; readonly depends: readonly string[] }[],
  { requester, upstream }: { readonly requester: string; readonly upstream: readonly string[] },
): readonly string[] {
  const touched = new Set([...upstream, requester]);
  for (const { id, depends } of modules) if (depends.some((one) => upstream.includes(one))) touched.add(id);
  return modules.map(({ id }) => id).filter((id) => touched.has(id));
}

/** The next id that no module has. */
export function nextModuleId(known: readonly string[]): string {
  const numbers = known.map((id) => Number(/^M-(\d+)$/.exec(id)?.[1] ?? 0));
  return `M-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}
