/** Sections that the briefs of `design` share: the design, the standards, the module and its plan. Pure. */
import type { Design } from '../../../design/design.ts';
import type { Section } from '../../../policy/sections.ts';
import { unlessEmpty } from '../../moves/brief-parts.ts';
import type { BuiltModule, DesignContext } from '../context.ts';
import { renderConventions } from '../plan/conventions.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import { renderModulePlan } from '../plan/render-module-plan.ts';

/** What every gate enforces, in the words of whoever has to keep it. */
export const deliveryRules: Section = {
  title: 'Delivery rules, checked by Forge',
  text: [
    'A test asserts one outcome that can fail: no assertion that accepts several outcomes, no empty test, no test without an assertion, no catch around what is tested, no early return, no warning instead of a failure.',
    'That no error came, that something was logged, or that a mock was called is no proof where a result can be seen.',
    'A skipped test needs `// SKIP: reason; tracked in owner/repo#123`. TODO, FIXME, HACK and XXX need an issue too.',
    "A test's name is a contract: it tests what it says. Names carry the id of the criterion they prove.",
    'A write checks how many rows it changed. An error is not reported as success, and nobody is let in when the context is missing.',
    'A model, route or middleware that is written is also registered, mounted and reachable.',
    'What another module of the design owes is built, never stubbed or waited for.',
    'Work that is put off has an issue, a reason and a clear item; a criterion is either claimed or put off.',
  ]
    .map((rule) => `- ${rule}`)
    .join('\n'),
  budget: 4000,
};

/** Every rule with where it comes from; the first ones win. */
export function standardsSection({ standards }: Design): readonly Section[] {
  const rules = standards.rules.map(
    ({ topic, name, text, file, line }) =>
      `- ${[topic, name, text].filter((part) => part !== '').join(': ')} (${file}:${line})`,
  );
  return unlessEmpty({ title: 'Coding standards', text: rules.join('\n'), budget: 16_000 });
}

export function designSections(design: Design): readonly Section[] {
  const index = design.modules.map(
    ({ id, name, depends, responsibility }) =>
      `- ${id} ${name}: ${responsibility}${depends.length === 0 ? '' : ` (needs ${depends.join(', ')})`}`,
  );
  const protocols = design.protocols.map(({ text }) => `- ${text}`);
  const extra = design.extra.map(({ title, text }) => `### ${title}\n\n${text}`);
  return [
    { title: `The design: ${design.name}`, text: `${design.objective}\n\n${index.join('\n')}`, budget: 12_000 },
    ...unlessEmpty({ title: 'Interaction protocols', text: protocols.join('\n'), budget: 8000 }),
    ...unlessEmpty({ title: 'Tech stack', text: design.techStack, budget: 6000 }),
    ...unlessEmpty({ title: 'Test strategy', text: design.testStrategy, budget: 6000 }),
    ...unlessEmpty({ title: 'Also in the design', text: extra.join('\n\n'), budget: 8000 }),
  ];
}

/** The module's own text, the interfaces it implements, and the features it comes from. */
export function moduleSections(design: Design, module: BuiltModule): readonly Section[] {
  const own = design.modules.find(({ id }) => id === module.id);
  const apis = design.apis.filter(({ id }) => own?.apis.includes(id) === true);
  const features = (design.prd?.features ?? []).filter(({ id }) => module.features.includes(id));
  const criteria = features.flatMap((feature) => feature.criteria.map(({ id, text }) => `- ${id}: ${text}`));
  const edges = features.flatMap(({ id, edgeCases }) => edgeCases.map((text) => `- ${id}: ${text}`));
  const draft = draftOf(module);
  const ui = [
    ...(draft === undefined
      ? []
      : [`There is a draft at ${draft}: ${module.ui?.action} it in place instead of writing it anew.`]),
    ...design.promotions.filter(({ module: id }) => id === module.id).map(({ text }) => `- ${text}`),
  ].join('\n');
  return [
    { title: `${module.id}: ${module.name}`, text: module.text || module.responsibility, budget: 30_000 },
    ...unlessEmpty({ title: 'Promotion', text: ui, budget: 4000 }),
    ...unlessEmpty({
      title: 'Interfaces it implements',
      text: apis.map(({ text }) => text).join('\n\n'),
      budget: 20_000,
    }),
    ...unlessEmpty({ title: 'Acceptance criteria of its features', text: criteria.join('\n'), budget: 12_000 }),
    ...unlessEmpty({ title: 'Edge cases of its features', text: edges.join('\n'), budget: 6000 }),
  ];
}

/** The draft that a module of the user interface keeps; undefined where it is written anew. */
export function draftOf({ ui }: Pick<BuiltModule, 'ui'>): string | undefined {
  return ui?.action === 'promote' || ui?.action === 'extend' ? ui.draftPath : undefined;
}

/** The PRD's own text about the features that a module comes from. */
export function featureSections({ prd }: Design, { features }: BuiltModule): readonly Section[] {
  const own = (prd?.features ?? []).filter(({ id }) => features.includes(id));
  return unlessEmpty({
    title: 'Its features in the PRD',
    text: own.map(({ id, name, text }) => `### ${id}: ${name}\n\n${text}`).join('\n\n'),
    budget: 30_000,
  });
}

export function conventionsSection({ conventions }: Pick<DesignContext, 'conventions'>): Section {
  return { title: 'Conventions', text: renderConventions(conventions), budget: 20_000 };
}

export function planSection(module: BuiltModule, plan: ModulePlan, title = 'The plan'): Section {
  return { title, text: renderModulePlan({ module, phase: module.phase, plan }), budget: 40_000 };
}

export function sourcesSection(
  title: string,
  {
    files,
    omitted,
  }: { readonly files: readonly { path: string; text: string; cut: boolean }[]; readonly omitted: readonly string[] },
): readonly Section[] {
  const texts = files.map(({ path, text, cut }) => `### ${path}${cut ? ' (beginning only)' : ''}\n\n${text}`);
  const left = omitted.length === 0 ? [] : [`Not shown, read them yourself: ${omitted.join(', ')}`];
  return unlessEmpty({ title, text: [...texts, ...left].join('\n\n'), budget: 80_000 });
}
