/**
 * A person looks at the plans before anything is built: every module with its steps, decisions and integration points, what
 * the modules share, the risks, and for plans that were written again what changed and why. They approve, ask for changes in
 * words, edit the files, or stop.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { PageInput } from '../../../policy/page.ts';
import { countText } from '../../../views/figures.ts';
import { fieldSection, listSection } from '../../moves/plan-page.ts';
import type { BuiltModule, DesignContext } from '../context.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';

export interface PlansToApprove {
  readonly context: Pick<DesignContext, 'input' | 'design' | 'modules' | 'plans' | 'conventions' | 'kept'>;
  /** Only for plans that were written again. */
  readonly revision?: {
    readonly trigger: string;
    /** Plans as they were. */
    readonly before: ReadonlyMap<string, ModulePlan>;
    readonly impact: readonly string[];
  };
  readonly warnings: readonly string[];
  /** Where the plan directory is checked out for editing. */
  readonly editAt?: string | undefined;
  readonly problems?: readonly string[];
}

export type PlanApproval =
  | { readonly next: 'go' }
  | { readonly next: 'edited' }
  | { readonly next: 'changes'; readonly text: string }
  | { readonly next: 'stop'; readonly reason: string };

export async function approvePlans(bench: Bench, key: string, plans: PlansToApprove): Promise<PlanApproval> {
  const { editAt, problems = [], revision } = plans;
  const answer = await bench.ask(key, {
    title: revision === undefined ? 'Go ahead with these plans?' : 'Go on with the revised plans?',
    detail: [
      ...(problems.length === 0 ? [] : ['The edited plans cannot be used:', ...problems]),
      ...(editAt === undefined ? [] : [`To edit the plans, change the files in ${editAt} and answer "edited".`]),
    ].join('\n'),
    options: [
      { id: 'yes', label: 'Yes, start', recommended: true },
      ...(editAt === undefined ? [] : [{ id: 'edited', label: 'I have edited the plans' }]),
      { id: 'modify', label: 'Plan it differently (say how)' },
      { id: 'no', label: 'No, stop here (say why if you like)' },
    ],
    freeText: true,
    topic: 'approval',
    page: plansPage(plans),
    ...(editAt === undefined ? {} : { checkout: { path: editAt, option: 'edited' } }),
  });
  if (answer.option === 'no') return { next: 'stop', reason: reasonOf(answer.text) };
  if (answer.option === 'edited') return { next: 'edited' };
  if (answer.option === 'modify' || (answer.option === undefined && (answer.text ?? '') !== ''))
    return { next: 'changes', text: answer.text ?? 'Plan it differently.' };
  return { next: 'go' };
}

function reasonOf(text: string | undefined): string {
  return text === undefined || text === '' ? 'the plans were not approved' : `the plans were not approved: ${text}`;
}

function plansPage({ context, revision, warnings }: PlansToApprove): PageInput {
  const { input, design, modules, plans, conventions, kept } = context;
  const phases = [...new Set(modules.map(({ phase }) => phase))].toSorted((a, b) => a - b);
  const planned = modules.filter(({ id }) => !kept.has(id));
  const risks = planned.flatMap(({ id }) => (plans.get(id)?.risks ?? []).map((risk) => `${id}: ${risk}`));
  return {
    title: `${revision === undefined ? 'Plans' : 'Revised plans'}: ${design.name}`,
    sections: [
      ...fieldSection(
        'Delivery',
        [
          ['modules', `${countText(modules.length, 'module')} in ${countText(phases.length, 'phase')}`],
          ['plans', input.plan.dir],
          ['delivery', String(input.plan.delivery)],
          ['kept', [...kept].join(', ')],
        ],
        true,
      ),
      ...(revision === undefined
        ? []
        : [
            ...listSection('Why', [revision.trigger], true),
            ...listSection('What changed', changesOf(modules, plans, revision.before), true),
            ...listSection('Impact', revision.impact),
          ]),
      ...phases.flatMap((phase) => {
        const rows = planned.filter((module) => module.phase === phase);
        return rows.length === 0 ? [] : [{ title: `Phase ${phase}`, isBrief: true, blocks: [phaseTable(rows, plans)] }];
      }),
      ...listSection('Shared types', conventions.topics.sharedTypes),
      ...listSection(
        'Flow',
        design.protocols.map(({ name }) => name),
      ),
      ...listSection('Risks', risks, true),
      ...listSection('Warnings', warnings, true),
    ].filter(({ blocks }) => blocks.length > 0),
  };
}

function phaseTable(modules: readonly BuiltModule[], plans: ReadonlyMap<string, ModulePlan>) {
  return {
    type: 'table' as const,
    head: ['id', 'module', 'steps', 'criteria', 'after'],
    rows: modules.map(({ id, name, depends }) => {
      const plan = plans.get(id);
      const points = (plan?.integration ?? []).map(
        (each) => `${each.direction === 'exposes' ? '→' : '←'} ${each.module} ${each.interface}`,
      );
      const field = (title: string, values: readonly string[]) =>
        values.length === 0 ? [] : [{ name: title, value: values.join('; ') }];
      return {
        cells: [
          id,
          name,
          String(plan?.steps.length ?? 0),
          String(plan?.criteria.length ?? 0),
          depends.join(', ') || '-',
        ],
        fields: [
          ...field('decided', plan?.decisions ?? []),
          ...field('meets', points),
          ...field('files', plan?.files ?? []),
          ...field(
            'deferred',
            (plan?.deferred ?? []).map(({ item, issue }) => `${item} (${issue})`),
          ),
        ],
      };
    }),
  };
}

function changesOf(
  modules: readonly BuiltModule[],
  plans: ReadonlyMap<string, ModulePlan>,
  before: ReadonlyMap<string, ModulePlan>,
): readonly string[] {
  return modules.flatMap(({ id }) => {
    const [old, current] = [before.get(id), plans.get(id)];
    if (current === undefined || JSON.stringify(old) === JSON.stringify(current)) return [];
    if (old === undefined) return [`${id}: new`];
    const steps = (plan: ModulePlan): readonly string[] => plan.steps.map(({ title }) => title);
    const added = steps(current).filter((title) => !steps(old).includes(title));
    const removed = steps(old).filter((title) => !steps(current).includes(title));
    const points = ({ integration }: ModulePlan): readonly string[] =>
      integration.map((each) => `${each.direction === 'exposes' ? '→' : '←'} ${each.module} ${each.interface}`);
    const joined = points(current).filter((point) => !points(old).includes(point));
    const parted = points(old).filter((point) => !points(current).includes(point));
    const parts = [
      ...(joined.length === 0 ? [] : [`now meets ${joined.join(', ')}`]),
      ...(parted.length === 0 ? [] : [`no longer meets ${parted.join(', ')}`]),
      ...(added.length === 0 ? [] : [`added ${added.join(', ')}`]),
      ...(removed.length === 0 ? [] : [`removed ${removed.join(', ')}`]),
    ];
    return [`${id}: ${parts.join('; ') || 'steps changed'}`];
  });
}
