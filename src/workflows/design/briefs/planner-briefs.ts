/** What planners are told: the module, the design around it, and of other plans only those it depends on. Pure. */
import type { Issue } from '../../../plan/refusal.ts';
import { renderSections, type Section } from '../../../policy/sections.ts';
import { finalSection, unlessEmpty } from '../../moves/brief-parts.ts';
import type { BuiltModule, DesignContext } from '../context.ts';
import { conventionTopics } from '../plan/conventions.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import type { PlanIssue } from '../role-results.ts';
import {
  conventionsSection,
  deliveryRules,
  designSections,
  featureSections,
  moduleSections,
  planSection,
  sourcesSection,
  standardsSection,
} from './shared-sections.ts';

export interface PlannerSubject {
  readonly context: Pick<DesignContext, 'design' | 'conventions' | 'input'>;
  readonly module: BuiltModule;
  /** Plans of everything the module needs, directly or not. */
  readonly closure: readonly { readonly module: BuiltModule; readonly plan: ModulePlan }[];
  /** Code of what it needs that is merged already: it counts more than any plan. */
  readonly sources?: Parameters<typeof sourcesSection>[1];
  readonly faults: readonly Issue[];
  /** The plan that is to be written again. */
  readonly before?: ModulePlan | undefined;
  readonly why?: PlannerReason;
}

export type PlannerReason =
  | { readonly kind: 'changes'; readonly text: string }
  | { readonly kind: 'revision'; readonly requester: string; readonly issue: PlanIssue; readonly isWhole: boolean }
  | { readonly kind: 'missing'; readonly requester: string; readonly capability: string }
  | {
      readonly kind: 'evolve';
      readonly delivery: number;
      readonly reasons: readonly string[];
      readonly removed: readonly string[];
    }
  | { readonly kind: 'acceptance'; readonly failures: readonly string[] };

export function plannerBrief(
  subject: PlannerSubject,
  { isFirst }: { readonly isFirst: boolean },
  recovery?: string,
): string {
  const { context, module, closure, faults, before, why, sources } = subject;
  return renderSections([
    ...designSections(context.design),
    ...standardsSection(context.design),
    ...(isFirst ? [] : [conventionsSection(context)]),
    deliveryRules,
    ...moduleSections(context.design, module),
    ...featureSections(context.design, module),
    ...closure.map((each) => planSection(each.module, each.plan, `Plan of ${each.module.id}, which it needs`)),
    ...(sources === undefined ? [] : sourcesSection('Code that is there', sources)),
    ...(before === undefined ? [] : [planSection(module, before, 'The plan so far')]),
    ...(why === undefined ? [] : reasonSections(why)),
    ...faultSections(faults),
    ...finalSection(`${taskFor(why)} ${isFirst ? conventionsTask(context) : additionsTask}`, recovery),
  ]);
}

function taskFor(why: PlannerReason | undefined): string {
  switch (why?.kind) {
    case undefined:
      return 'Plan this module: atomic steps with files, what it exposes and consumes, what has to be wired, and a test with a strict assertion for every criterion it serves.';
    case 'changes':
      return 'Write the plan again so that it does what the person asks for.';
    case 'revision':
      return 'Write the plan again from where things stand now. Code that is merged is the truth. Set isUnchanged if nothing about this plan has to change.';
    case 'missing':
      return 'Extend the plan so that this module provides what is missing, completely. A stub is not an answer.';
    case 'evolve':
      return 'The design has changed. Write the plan of this module again: only what brings the code from where it is to the new design.';
    case 'acceptance':
      return 'The design did not say how to handle this. Extend the plan so that the criteria pass.';
  }
}

const additionsTask = 'Follow the conventions. If they lack a rule that other modules need, give it under additions.';

function conventionsTask({ input }: Pick<DesignContext, 'input'>): string {
  const topics = Object.values(conventionTopics).join(', ');
  const commands = input.hasSource
    ? 'The project exists: take its commands as they are.'
    : 'The project is new: name the commands that will exist once it is set up.';
  return `You are the first planner: also write the conventions that all modules follow, with at least one rule for every topic (${topics}). ${commands} Keep the folders of module tests, phase tests and end-to-end tests apart from each other and from unit tests.`;
}

function reasonSections(why: PlannerReason): readonly Section[] {
  switch (why.kind) {
    case 'changes':
      return [{ title: 'What the person asks for', text: why.text, budget: 8000 }];
    case 'revision':
      return [
        {
          title: `Why: ${why.issue.type}, found while ${why.requester} was built`,
          text: [why.issue.evidence, why.issue.suggestion].filter((text) => text !== '').join('\n\n'),
          budget: 8000,
        },
      ];
    case 'missing':
      return [{ title: `What ${why.requester} needs and nobody provides`, text: why.capability, budget: 6000 }];
    case 'evolve':
      return [
        {
          title: `Why it changes in delivery ${why.delivery}`,
          text: why.reasons.map((each) => `- ${each}`).join('\n'),
          budget: 6000,
        },
        ...unlessEmpty({ title: 'Modules that are gone', text: why.removed.join(', '), budget: 1000 }),
      ];
    case 'acceptance':
      return [{ title: 'Criteria that fail', text: why.failures.map((each) => `- ${each}`).join('\n'), budget: 8000 }];
  }
}

export function faultSections(faults: readonly Issue[]): readonly Section[] {
  return unlessEmpty({
    title: 'Why the last plan came back',
    text: faults.map(({ where, problem, fix }) => `- ${where}: ${problem} ${fix}`).join('\n'),
    budget: 12_000,
  });
}

export function allocatorBrief(
  about: {
    readonly context: Pick<DesignContext, 'design' | 'conventions' | 'input'>;
    readonly requester: BuiltModule;
    readonly capability: string;
    readonly plans: readonly { readonly module: BuiltModule; readonly plan: ModulePlan }[];
    readonly faults: readonly Issue[];
  },
  recovery?: string,
): string {
  const { context, requester, capability, plans, faults } = about;
  return renderSections([
    ...designSections(context.design),
    conventionsSection(context),
    ...plans.map(({ module, plan }) => planSection(module, plan, `Plan of ${module.id}`)),
    { title: `What ${requester.id} needs and no module owns`, text: capability, budget: 6000 },
    ...faultSections(faults),
    ...finalSection(
      'Give it to the module that should own it, or split off a new one (owner "new"). Then write the whole plan of that module with what is missing added. A module that needs the one that asks cannot own it.',
      recovery,
    ),
  ]);
}

export function impactBrief(
  about: { readonly module: string; readonly part: string; readonly before: string; readonly after: string },
  recovery?: string,
): string {
  return renderSections([
    { title: `The ${about.part} of ${about.module} before`, text: about.before, budget: 30_000 },
    { title: 'And now', text: about.after, budget: 30_000 },
    ...finalSection(
      'Only the wording changed as far as a program can tell. Say whether the meaning did: a signature, a type, what something means, or an error contract (semantic), or only typing and phrasing (cosmetic).',
      recovery,
    ),
  ]);
}
