/**
 * What a changed design means for the modules that were built from the one before: removed, added, revised directly, revised
 * because something they use changed its meaning, or kept, each with its reasons. What the texts cannot tell is listed as
 * undecided and counts as a change of meaning until somebody has judged it. Pure.
 */
import { dependencyClosure } from '../plan/graph.ts';
import type { Design, DesignModule } from './design.ts';
import { compareTexts } from './design-problems.ts';
import { compareText } from './text-change.ts';

export const impactClasses = ['removed', 'added', 'revised-direct', 'revised-downstream', 'kept'] as const;
export type ImpactClass = (typeof impactClasses)[number];

export interface ModuleImpact {
  readonly module: string;
  readonly impact: ImpactClass;
  readonly reasons: readonly string[];
}

export interface UndecidedChange {
  readonly module: string;
  readonly part: 'interfaces' | 'data models' | 'tech stack';
  /** Modules that are touched if it changes the meaning. */
  readonly consumers: readonly string[];
}

export interface DesignImpact {
  readonly modules: readonly ModuleImpact[];
  readonly undecided: readonly UndecidedChange[];
  /** Rules of the coding standards that came or went. */
  readonly conventions: { readonly added: readonly string[]; readonly removed: readonly string[] };
}

/** Per module: whether a change of wording in its interfaces or data models changes what they mean. */
export type Judgements = Readonly<Record<string, 'semantic' | 'cosmetic'>>;

export function designImpact(before: Design, after: Design, judgements: Judgements = {}): DesignImpact {
  const old = new Map(before.modules.map((module) => [module.id, module]));
  const current = new Map(after.modules.map((module) => [module.id, module]));
  const direct = new Map<string, readonly string[]>();
  for (const module of after.modules) {
    const earlier = old.get(module.id);
    const reasons = earlier === undefined ? [] : directReasons(earlier, module, { before, after });
    if (reasons.length > 0) direct.set(module.id, reasons);
  }
  const changes = after.modules.flatMap((module) => interfaceChanges(old.get(module.id), module));
  const semantic = new Set(
    changes
      .filter(
        ({ module, change }) =>
          change === 'semantic' || (change === 'wording' && (judgements[module] ?? 'semantic') === 'semantic'),
      )
      .map(({ module }) => module),
  );
  const removed = before.modules.filter(({ id }) => !current.has(id));
  const downstream = downstreamReasons(after.modules, semantic, removed);
  const classOf = (id: string): ModuleImpact => {
    if (!old.has(id)) return { module: id, impact: 'added', reasons: ['its file is new'] };
    const own = direct.get(id) ?? [];
    const others = downstream.get(id) ?? [];
    if (own.length > 0) return { module: id, impact: 'revised-direct', reasons: [...own, ...others] };
    return others.length > 0
      ? { module: id, impact: 'revised-downstream', reasons: others }
      : { module: id, impact: 'kept', reasons: ['nothing it is made of or uses has changed its meaning'] };
  };
  return {
    modules: [
      ...removed.map(({ id }): ModuleImpact => ({ module: id, impact: 'removed', reasons: ['its file is gone'] })),
      ...after.modules.map(({ id }) => classOf(id)),
    ].toSorted((a, b) => compareTexts(a.module, b.module)),
    undecided: [
      ...changes
        .filter(({ module, change }) => change === 'wording' && judgements[module] === undefined)
        .map(({ module, part }) => ({ module, part, consumers: consumersOf(after.modules, module) })),
      ...undecidedStack(before, after),
    ],
    conventions: conventionChanges(before, after),
  };
}

function directReasons(
  earlier: DesignModule,
  module: DesignModule,
  { before, after }: { readonly before: Design; readonly after: Design },
): string[] {
  const reasons: string[] = [];
  if (!/^(?:same|cosmetic)$/.test(compareText(specOf(earlier), specOf(module))))
    reasons.push('its own file has changed');
  if (earlier.depends.join() !== module.depends.join())
    reasons.push(`its dependencies have changed: ${listed(earlier.depends)} → ${listed(module.depends)}`);
  for (const id of changedApis(before, after)) {
    if (module.apis.includes(id) || earlier.apis.includes(id)) reasons.push(`${id} has changed`);
  }
  if (protocolsOf(before, module.id) !== protocolsOf(after, module.id))
    reasons.push('a protocol that names it has changed');
  const dropped = droppedTechnologies(before, after).filter((term) => mentions(module.text, term));
  if (dropped.length > 0) reasons.push(`the tech stack no longer has ${dropped.join(', ')}`);
  return reasons;
}

/** Without the lines in which a run itself keeps its state. */
function specOf({ text }: DesignModule): string {
  return text
    .split(/\r?\n/)
    .filter((line) => !/\*\*(?:Impl Status|Doc Status|Assignee)/i.test(line))
    .join('\n');
}

function changedApis(before: Design, after: Design): string[] {
  const texts = (design: Design): Map<string, string> => new Map(design.apis.map(({ id, text }) => [id, text]));
  const [old, current] = [texts(before), texts(after)];
  return [...new Set([...old.keys(), ...current.keys()])].filter(
    (id) => !/^(?:same|cosmetic)$/.test(compareText(old.get(id) ?? '', current.get(id) ?? '')),
  );
}

function protocolsOf(design: Design, module: string): string {
  const rows = design.protocols
    .filter(({ from, to }) => from === module || to === module)
    .map(({ text }) => text.replaceAll(/\s+/g, ' '));
  return rows.toSorted(compareTexts).join('\n');
}

interface InterfaceChange {
  readonly module: string;
  readonly part: 'interfaces' | 'data models';
  readonly change: 'wording' | 'semantic';
}

function interfaceChanges(earlier: DesignModule | undefined, module: DesignModule): InterfaceChange[] {
  if (earlier === undefined) return [{ module: module.id, part: 'interfaces', change: 'semantic' }];
  const parts = [
    ['interfaces', compareText(earlier.interfaces, module.interfaces)],
    ['data models', compareText(earlier.dataModels, module.dataModels)],
  ] as const;
  return parts.flatMap(([part, change]) =>
    change === 'wording' || change === 'semantic' ? [{ module: module.id, part, change }] : [],
  );
}

function downstreamReasons(
  modules: readonly DesignModule[],
  semantic: ReadonlySet<string>,
  removed: readonly DesignModule[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (id: string, reason: string): void => void found.set(id, [...(found.get(id) ?? []), reason]);
  for (const { id, depends } of modules) {
    for (const used of dependencyClosure(modules, id).filter((each) => semantic.has(each)))
      add(id, `the interfaces or data models of ${used} have changed their meaning`);
    for (const gone of removed.filter((each) => depends.includes(each.id)))
      add(id, `it uses ${gone.id}, which is gone`);
  }
  return found;
}

function consumersOf(modules: readonly DesignModule[], id: string): string[] {
  return modules.filter((module) => dependencyClosure(modules, module.id).includes(id)).map((module) => module.id);
}

const terms = (text: string): string[] =>
  [...new Set(text.match(/[A-Za-z][\w.+#-]{2,}/g) ?? [])].map((term) => term.replace(/[.-]+$/, ''));

function droppedTechnologies(before: Design, after: Design): string[] {
  const kept = new Set(terms(after.techStack).map((term) => term.toLowerCase()));
  return terms(before.techStack).filter((term) => /^[A-Z]|\./.test(term) && !kept.has(term.toLowerCase()));
}

function mentions(text: string, term: string): boolean {
  const words = text.toLowerCase().match(/[a-z][\w.+#-]*/g) ?? [];
  return words.some((word) => word.replace(/[.-]+$/, '') === term.toLowerCase());
}

function undecidedStack(before: Design, after: Design): UndecidedChange[] {
  if (/^(?:same|cosmetic)$/.test(compareText(before.techStack, after.techStack))) return [];
  const named = new Set(
    droppedTechnologies(before, after).flatMap((term) =>
      after.modules.filter(({ text }) => mentions(text, term)).map(({ id }) => id),
    ),
  );
  const rest = after.modules.filter(({ id }) => !named.has(id)).map(({ id }) => id);
  return rest.length === 0 ? [] : [{ module: '', part: 'tech stack', consumers: rest }];
}

function conventionChanges(before: Design, after: Design): DesignImpact['conventions'] {
  const texts = ({ standards }: Design): string[] =>
    standards.rules.map(({ topic, name, text }) => [topic, name, text].filter((part) => part !== '').join(': '));
  const [old, current] = [new Set(texts(before)), new Set(texts(after))];
  return {
    added: [...current].filter((rule) => !old.has(rule)),
    removed: [...old].filter((rule) => !current.has(rule)),
  };
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(', ');
}
