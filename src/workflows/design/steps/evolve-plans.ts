/**
 * The next delivery: what a changed design means for every module, agreed with a person; modules that are gone removed;
 * conventions brought up to date; and plans written again only for what is touched. Everything else stays as it was built.
 */

import type { Design } from '../../../design/design.ts';
import { type DesignImpact, designImpact, type Judgements } from '../../../design/design-impact.ts';
import type { SourceTree } from '../../../design/source-tree.ts';
import type { Bench } from '../../../engine/bench.ts';
import { dependencyClosure } from '../../../plan/graph.ts';
import { dayMark } from '../../../policy/document-marks.ts';
import { countText } from '../../../views/figures.ts';
import { fieldSection, listSection } from '../../moves/plan-page.ts';
import { impactBrief } from '../briefs/planner-briefs.ts';
import type { BuiltModule } from '../context.ts';
import type { EvolveInput } from '../design-input.ts';
import { deliveryTagName, type DocumentFile, writeDocuments } from '../keep-delivery.ts';
import { readMaterial } from '../material.ts';
import type { Conventions } from '../plan/conventions.ts';
import { type Evolution, impactCounts, renderImpact } from '../plan/evolution-documents.ts';
import type { HistoryRow } from '../plan/plan-readme.ts';
import type { PlanDirectory } from '../plan/read-plan-directory.ts';
import { planFileName } from '../plan/render-module-plan.ts';
import { askDesignRole } from '../roles.ts';
import { type ImpactOverride, impactDraft, overrideImpact, readWishes } from '../rules/impact-override.ts';
import { backfillLegacy, extraModules } from './backfill-legacy.ts';
import { approveMadePlans, type PlansMade } from './make-plans.ts';
import { commitPlans, type PlannedContext } from './plan-context.ts';
import { planModules } from './plan-modules.ts';
import { removeModules } from './remove-modules.ts';

export interface EvolveRequest {
  readonly basis: Omit<PlannedContext, 'conventions'>;
  readonly directory: PlanDirectory;
  readonly tree: SourceTree;
}

export async function evolvePlans(bench: Bench, { basis, directory }: EvolveRequest): Promise<PlansMade> {
  const { input, design } = basis;
  const { evolve } = input;
  if (evolve === undefined) throw new Error('an evolution says what it starts from');
  const legacy = await backfillLegacy(bench, { basis, directory, evolve });
  if (legacy.status === 'stopped') return legacy;
  const { baseline, history } = legacy;
  const old = await readMaterial(bench, 'evolve/material', { input, commit: baseline.commit });
  const judged = await judgeImpact(bench, { basis, before: old.design, after: design });
  const agreed = await agreeOnImpact(bench, { basis, impact: judged, baseline, target: evolve.target });
  if (agreed.status === 'stopped') return agreed;
  const evolution: Evolution = {
    delivery: input.plan.delivery,
    baseline: baseline.name,
    target: evolve.target.name,
    tag: deliveryTagName(input),
    branch: `forge/${bench.run.id}`,
    modules: agreed.modules,
    overrides: agreed.overrides,
    conventions: [
      ...judged.conventions.added.map((rule) => `added: ${rule}`),
      ...judged.conventions.removed.map((rule) => `removed: ${rule}`),
    ],
    removed: agreed.modules.filter(({ impact }) => impact === 'removed').map(({ module }) => module),
  };
  const of = (...classes: readonly string[]): ReadonlySet<string> =>
    new Set(agreed.modules.filter(({ impact }) => classes.includes(impact)).map(({ module }) => module));
  const touched = of('added', 'revised-direct', 'revised-downstream');
  const ofDesigns = [...basis.modules, ...old.design.modules, ...legacy.hotfixes].map(({ id }) => id);
  const extra = [...legacy.hotfixes, ...extraModules(directory, ofDesigns)];
  const context: PlannedContext = {
    ...basis,
    modules: [...basis.modules, ...extra],
    plans: new Map([...directory.plans].filter(([id]) => !evolution.removed.includes(id))),
    conventions: refreshed(directory.conventions, judged),
    kept: new Set([...of('kept'), ...extra.map(({ id }) => id)]),
    evolving: of('revised-direct', 'revised-downstream'),
    history: [...history, historyRow(evolution)],
    evolution,
  };
  await bench.exclusive('integrate', () =>
    writeDocuments(bench, 'evolve/impact', context, {
      message: `docs(plan): record impact of delivery-${input.plan.delivery}`,
      files: [
        { path: `.evolve-${input.plan.delivery}/impact.md`, text: renderImpact(evolution) },
        ...renamedPlans(context, directory),
      ],
    }),
  );
  await removeModules(bench, { context, directory, isLate: false });
  if (evolution.conventions.length > 0)
    await commitPlans(
      bench,
      'evolve/conventions',
      context,
      `docs(plan): refresh conventions for delivery-${input.plan.delivery}`,
    );
  const { commit } = await bench.perform('integration.read', 'evolve/base', {});
  const paths = ({ id }: BuiltModule): readonly string[] =>
    [...dependencyClosure(context.modules, id), id].flatMap((other) => context.plans.get(other)?.files ?? []);
  const reasons = new Map(agreed.modules.map(({ module, reasons: why }) => [module, why]));
  const planned = await planModules(bench, {
    context,
    key: 'plan',
    only: touched,
    why: (id) => ({
      kind: 'evolve',
      delivery: input.plan.delivery,
      reasons: reasons.get(id) ?? [],
      removed: evolution.removed,
    }),
    code: { commit, paths },
  });
  if (planned.status === 'stopped') return planned;
  const ready = { ...context, plans: planned.plans, conventions: planned.conventions };
  await commitPlans(
    bench,
    'plan/documents',
    ready,
    `docs(plan): re-plan for delivery-${input.plan.delivery} — ${evolve.target.name || 'the changed design'}`,
  );
  return approveMadePlans(bench, ready, {
    only: touched,
    revision: {
      trigger: `The design changed: ${baseline.name || 'the last delivery'} → ${evolve.target.name || 'now'}`,
      before: directory.plans,
      impact: agreed.modules.map(({ module, impact, reasons: why }) => `${module} ${impact}: ${why.join('; ')}`),
    },
  });
}

/** A module whose name changed keeps its plan under the new name. */
function renamedPlans({ modules }: PlannedContext, { files, texts }: PlanDirectory): readonly DocumentFile[] {
  return modules.flatMap((module): DocumentFile[] => {
    const file = files.get(module.id);
    if (file === undefined || file === planFileName(module)) return [];
    const text = texts.plans.get(module.id) ?? '';
    return [{ path: `plans/${file}` }, { path: `plans/${planFileName(module)}`, text }];
  });
}

/** What the texts cannot tell is asked of an agent, one change at a time. */
async function judgeImpact(
  bench: Bench,
  { basis, before, after }: { readonly basis: EvolveRequest['basis']; readonly before: Design; readonly after: Design },
): Promise<DesignImpact> {
  const first = designImpact(before, after);
  const judgements: Record<string, 'semantic' | 'cosmetic'> = {};
  for (const { module, part } of first.undecided.filter((each) => each.part !== 'tech stack')) {
    const textOf = (design: Design): string => {
      const found = design.modules.find(({ id }) => id === module);
      return (part === 'interfaces' ? found?.interfaces : found?.dataModels) ?? '';
    };
    const workspace = `impact-${module}`;
    const answer = await askDesignRole(bench, `impact/${module}/${part.replaceAll(' ', '-')}`, {
      input: basis.input,
      role: 'impact-judge',
      workspace,
      commit: bench.run.base,
      brief: (recovery) => impactBrief({ module, part, before: textOf(before), after: textOf(after) }, recovery),
    });
    // Nobody could tell: then it counts as a change of meaning.
    const change = answer.status === 'accepted' ? answer.result.change : 'semantic';
    judgements[module] = judgements[module] === 'semantic' ? 'semantic' : change;
  }
  return designImpact(before, after, judgements satisfies Judgements);
}

type Agreed =
  | {
      readonly status: 'agreed';
      readonly modules: DesignImpact['modules'];
      readonly overrides: readonly ImpactOverride[];
    }
  | { readonly status: 'stopped'; readonly reason: string };

const mostEdits = 5;

async function agreeOnImpact(
  bench: Bench,
  about: {
    readonly basis: EvolveRequest['basis'];
    readonly impact: DesignImpact;
    readonly baseline: EvolveInput['target'];
    readonly target: EvolveInput['target'];
  },
): Promise<Agreed> {
  const { impact, baseline, target } = about;
  const isCosmetic = impact.modules.every((module) => module.impact === 'kept');
  let problems: readonly string[] = [];
  for (let round = 1; round <= mostEdits; round += 1) {
    const answer = await bench.ask(round === 1 ? 'impact' : `impact#${round}`, {
      title: isCosmetic ? 'No module has to change. Deliver it all the same?' : 'Is this what the new design touches?',
      detail: problems.join('\n'),
      options: [
        { id: 'yes', label: isCosmetic ? 'Yes, test and accept it as it is' : 'Yes', recommended: !isCosmetic },
        { id: 'no', label: 'No, stop here', recommended: isCosmetic },
      ],
      freeText: true,
      topic: 'impact',
      page: impactPage(about),
      draft: impactDraft(impact.modules),
    });
    if (answer.option === 'no')
      return {
        status: 'stopped',
        reason: isCosmetic ? 'the design changed no module' : 'the impact was not agreed to',
      };
    const text = answer.text ?? '';
    const overridden =
      answer.option === 'yes' ? overrideImpact(impact.modules, text) : readWishes(impact.modules, text);
    if (overridden.status === 'usable') return { ...overridden, status: 'agreed' };
    problems = overridden.problems;
  }
  return { status: 'stopped', reason: `no impact was agreed on between ${baseline.name} and ${target.name}` };
}

function impactPage({ basis, impact, baseline, target }: Parameters<typeof agreeOnImpact>[1]) {
  const touched = impact.modules.filter((module) => module.impact !== 'kept').length;
  return {
    title: `Delivery ${basis.input.plan.delivery}: ${basis.design.name}`,
    sections: [
      ...fieldSection(
        'Design',
        [
          ['from', baseline.name.replace(/^([0-9a-f]{10})[0-9a-f]{30}$/, 'commit $1')],
          ['to', target.name || 'the design as it is'],
          ['touches', `${countText(touched, 'module')} of ${impact.modules.length}`],
        ],
        true,
      ),
      {
        title: 'Modules',
        isBrief: true,
        blocks: [
          {
            type: 'table' as const,
            head: ['id', 'class', 'why'],
            rows: impact.modules.map(({ module, impact: kind, reasons }) => ({
              cells: [module, kind, reasons.join('; ')],
              fields: [],
            })),
          },
        ],
      },
      ...listSection('Conventions', [
        ...impact.conventions.added.map((rule) => `+ ${rule}`),
        ...impact.conventions.removed.map((rule) => `- ${rule}`),
      ]),
      ...listSection(
        'Decide for yourself',
        impact.undecided
          .filter(({ part }) => part === 'tech stack')
          .map(({ consumers }) => `The tech stack changed. It may force a change on ${consumers.join(', ')}.`),
        true,
      ),
    ],
  };
}

/** Rules that came with the design are added to the conventions; rules that went are taken out. */
function refreshed({ topics, commands }: Conventions, { conventions }: DesignImpact): Conventions {
  const gone = new Set(conventions.removed);
  const kept = Object.fromEntries(
    Object.entries(topics).map(([topic, rules]) => [topic, rules.filter((rule) => !gone.has(rule))]),
  ) as Conventions['topics'];
  const news = conventions.added.filter((rule) => !kept.imports.includes(rule));
  return { topics: { ...kept, imports: [...kept.imports, ...news] }, commands };
}

function historyRow(evolution: Evolution): HistoryRow {
  return {
    delivery: String(evolution.delivery),
    date: dayMark,
    baseline: evolution.baseline,
    target: evolution.target,
    tag: evolution.tag,
    modules: impactCounts(evolution),
    verdict: '',
    summary: `See .evolve-${evolution.delivery}/impact.md`,
  };
}
