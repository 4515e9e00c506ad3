/**
 * A plan directory from before deliveries were counted is brought up to date: a person says which design it was built from,
 * plans that nobody lists are settled, and the README gets what later deliveries need. One commit.
 */
import type { Bench } from '../../../engine/bench.ts';
import { type BuiltModule } from '../context.ts';
import type { EvolveInput } from '../design-input.ts';
import { readmeHead, writeDocuments } from '../keep-delivery.ts';
import { nothingDone } from '../plan/delivery-state.ts';
import type { HistoryRow } from '../plan/plan-readme.ts';
import { renderPlanReadme } from '../plan/plan-readme.ts';
import type { OrphanPlan, PlanDirectory } from '../plan/read-plan-directory.ts';
import type { PlannedContext } from './plan-context.ts';

export type BackfilledPlans =
  | {
      readonly status: 'ready';
      readonly baseline: EvolveInput['target'];
      readonly history: readonly HistoryRow[];
      readonly hotfixes: readonly BuiltModule[];
    }
  | { readonly status: 'stopped'; readonly reason: string };

export async function backfillLegacy(
  bench: Bench,
  {
    basis,
    directory,
    evolve,
  }: {
    readonly basis: Omit<PlannedContext, 'conventions'>;
    readonly directory: PlanDirectory;
    readonly evolve: EvolveInput;
  },
): Promise<BackfilledPlans> {
  const chosen = evolve.baseline ?? (await askBaseline(bench, evolve));
  const settled = await settleOrphans(bench, directory, basis);
  if (settled.status === 'stopped') return settled;
  const history =
    directory.history.length > 0 ? directory.history : [firstRow(directory, basis, chosen.name, evolve.isLegacy)];
  if (evolve.isLegacy || settled.changed) {
    const files = [
      ...settled.dropped.map(({ file }) => ({ path: `plans/${file}` })),
      {
        path: 'README.md',
        text: legacyReadme(bench, { basis, directory, hotfixes: settled.hotfixes, history, baseline: chosen.name }),
      },
    ];
    await bench.exclusive('integrate', () =>
      writeDocuments(bench, 'evolve/backfill', basis, {
        message: 'docs(plan): backfill evolve-mode fields for legacy delivery-1',
        files,
      }),
    );
  }
  return { status: 'ready', baseline: chosen, history, hotfixes: settled.hotfixes };
}

async function askBaseline(bench: Bench, { candidates }: EvolveInput): Promise<EvolveInput['target']> {
  const answer = await bench.ask('delivered-design', {
    title: 'Which design was the last delivery built from?',
    detail: 'The plan directory does not say. The earliest delivery tag is the likely one.',
    options: candidates.map(({ name, commit, at }, place) => ({
      id: String(place + 1),
      label: `${name} (${commit.slice(0, 7)}, ${at.slice(0, 10)})`,
      recommended: place === 0,
    })),
    topic: 'baseline',
  });
  const chosen = candidates[Number(answer.option ?? '1') - 1] ?? candidates[0];
  if (chosen === undefined) throw new Error('a legacy plan directory has candidates');
  return chosen;
}

type Settled =
  | {
      readonly status: 'settled';
      readonly hotfixes: readonly BuiltModule[];
      readonly dropped: readonly OrphanPlan[];
      readonly changed: boolean;
    }
  | { readonly status: 'stopped'; readonly reason: string };

/** A plan that nobody lists is work that was done on the side, or something a person has to tell. */
async function settleOrphans(
  bench: Bench,
  { orphans }: PlanDirectory,
  basis: Omit<PlannedContext, 'conventions'>,
): Promise<Settled> {
  const hotfixes: BuiltModule[] = [];
  const dropped: OrphanPlan[] = [];
  for (const orphan of orphans) {
    if (basis.modules.some(({ id }) => id === orphan.module))
      return {
        status: 'stopped',
        reason: `The design adds ${orphan.module}, but ${basis.input.plan.dir}/plans/${orphan.file} already has a plan with that id. Give the new module another id in the design, or rename the existing plan.`,
      };
    const choice = orphan.source === '' ? await askAboutOrphan(bench, orphan) : 'hotfix';
    if (choice === 'stop') return { status: 'stopped', reason: `${orphan.file} has to be sorted out first` };
    if (choice === 'drop') dropped.push(orphan);
    else hotfixes.push(hotfixModule(orphan));
  }
  return { status: 'settled', hotfixes, dropped, changed: orphans.length > 0 };
}

async function askAboutOrphan(
  bench: Bench,
  { module, file, beginning }: OrphanPlan,
): Promise<'hotfix' | 'drop' | 'stop'> {
  const answer = await bench.ask(`orphan/${module}`, {
    title: `${file} is a plan that no table lists. What is it?`,
    detail: beginning,
    options: [
      { id: 'hotfix', label: 'Work that was done: list it as a hotfix' },
      { id: 'drop', label: 'Remove the file' },
      { id: 'stop', label: 'Stop, I sort it out', recommended: true },
    ],
    topic: 'orphan',
  });
  return answer.option === 'hotfix' || answer.option === 'drop' ? answer.option : 'stop';
}

function hotfixModule({ module, source, file }: OrphanPlan): BuiltModule {
  const responsibility = source === '' ? 'hotfix' : `hotfix for ${source}`;
  return { ...plannedOnly(module, file), responsibility, isHotfix: true };
}

/** Modules of earlier deliveries that no design names: split off while they were built, or done as a hotfix. They stay. */
export function extraModules({ rows, files }: PlanDirectory, known: readonly string[]): readonly BuiltModule[] {
  return rows.flatMap(({ module, phase, notes }) => {
    const file = files.get(module);
    if (file === undefined || known.includes(module)) return [];
    const isHotfix = /^hotfix/i.test(phase);
    const number = Math.max(1, Number.parseInt(phase, 10) || 1);
    return [{ ...plannedOnly(module, file), responsibility: notes, phase: number, ...(isHotfix ? { isHotfix } : {}) }];
  });
}

/** A module of which only its plan is known. */
function plannedOnly(module: string, file: string): BuiltModule {
  const words = file.replace(/^plan-M-\d+-?/, '').replace(/\.md$/, '');
  return {
    id: module,
    name: words.replaceAll('-', ' ') || module,
    file: '',
    features: [],
    depends: [],
    ui: undefined,
    responsibility: '',
    text: '',
    phase: 1,
  };
}

function firstRow(
  directory: PlanDirectory,
  { modules, input }: Pick<PlannedContext, 'modules' | 'input'>,
  target: string,
  isLegacy: boolean,
): HistoryRow {
  return {
    delivery: '1',
    // What an old directory says about its day is not to be relied on.
    date: isLegacy ? '' : input.plan.date,
    baseline: '',
    target,
    tag: '',
    modules: `— / ${directory.rows.length || modules.length} / — / —`,
    verdict: directory.verdict,
    summary: isLegacy ? 'Legacy delivery (pre-evolve)' : 'First delivery',
  };
}

function legacyReadme(
  bench: Bench,
  about: {
    readonly basis: Omit<PlannedContext, 'conventions'>;
    readonly directory: PlanDirectory;
    readonly hotfixes: readonly BuiltModule[];
    readonly history: readonly HistoryRow[];
    readonly baseline: string;
  },
): string {
  const { basis, directory, hotfixes, history, baseline } = about;
  const done = { plan: 'Done', dev: 'Done', test: 'Done', review: 'Approved', merged: 'Yes' };
  const listed = basis.modules.filter(({ id }) => directory.plans.has(id));
  const rows = new Map([
    ...listed.map(({ id }) => [id, done] as const),
    ...hotfixes.map(({ id, responsibility }) => [id, { ...done, notes: responsibility }] as const),
  ]);
  return renderPlanReadme({
    ...readmeHead(bench, basis),
    designDelivery: baseline,
    delivery: 1,
    deliveryTag: '',
    modules: [
      ...listed.map((module) => ({ ...module, plan: directory.plans.get(module.id) })),
      ...hotfixes.map((module) => ({ ...module, plan: directory.plans.get(module.id) })),
    ],
    standing: { ...nothingDone, modules: rows },
    history,
  });
}
