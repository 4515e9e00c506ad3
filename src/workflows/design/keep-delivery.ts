/**
 * Keeps the plan directory in step with the run: every event is a fact, an entry of the log and the tables of the README, in
 * one commit on the run's own branch. Documents are drawn from facts; nothing here reads them back. One at a time, like merges.
 */
import type { Bench } from '../../engine/bench.ts';
import { thresholdOf } from './design-input.ts';
import { type BuiltModule, criteriaCount, type DesignContext, moduleId } from './context.ts';
import {
  advanceStanding,
  type DeliveryEventInput,
  type DeliveryStanding,
  deliveryEventSchema,
  nothingDone,
} from './plan/delivery-state.ts';
import { markImplemented } from './plan/design-readme.ts';
import { logEntry, logTitle } from './plan/execution-log.ts';
import { oneLine } from './plan/markdown-text.ts';
import { type ModulePlan, modulePlanSchema } from '../../delivery/module-plan.ts';
import { renderPlanReadme } from './plan/plan-readme.ts';
import { planFileName, renderModulePlan } from './plan/render-module-plan.ts';
import { coverageText } from './rules/coverage.ts';

export interface DocumentFile {
  /** Relative to the plan directory, unless it starts with a slash: then to the repository. */
  readonly path: string;
  readonly text?: string;
  readonly append?: string;
}

export interface DeliveryNews {
  /** The commit's subject; without one it is a line of the log. */
  readonly message?: string;
  readonly event: (standing: DeliveryStanding) => DeliveryEventInput;
  readonly files?: readonly DocumentFile[];
}

/** `key` names the event, below the task's own where it happens in one. */
export async function recordDelivery(
  bench: Bench,
  context: DesignContext,
  key: string,
  told: DeliveryNews,
): Promise<DeliveryStanding> {
  return bench.exclusive('integrate', async () => {
    const { standing: before, ...known } = await readStanding(bench, `${key}/known`, context);
    const event = deliveryEventSchema.parse(told.event(before));
    const standing = advanceStanding(before, event);
    await bench.record(`${key}/event`, 'note.recorded', {
      text: event.title,
      data: event as never,
      ...standingOf(context, standing),
    });
    const files = [
      { path: 'execution-log.md', append: logEntry(event) },
      { path: 'README.md', text: readmeText(bench, { ...context, ...known }, standing) },
      ...(told.files ?? []),
    ];
    await writeDocuments(bench, key, context, { message: told.message ?? `log: ${oneLine(event.title)}`, files });
    return standing;
  });
}

/** How many criteria have a passing test right now: the line about the whole run. */
function standingOf({ design }: DesignContext, { coverage }: DeliveryStanding) {
  const total = criteriaCount(design);
  if (total === 0) return {};
  const isBad = Object.keys(coverage.weakened).length > 0;
  return { standing: { text: coverageText({ ...coverage, total }), isBad } };
}

/** Inside the queue of those who move the integration head. */
export async function writeDocuments(
  bench: Bench,
  key: string,
  context: Pick<DesignContext, 'input'> & { readonly conventions?: DesignContext['conventions'] | undefined },
  { message: subject, files }: { readonly message: string; readonly files: readonly DocumentFile[] },
): Promise<void> {
  const footer = context.conventions?.commands.commitFooter ?? '';
  const message = footer === '' ? subject : `${subject}\n\n${footer}`;
  const placed = [...placeDocuments(context, files)];
  for (let round = 1; ; round += 1) {
    const prepared = await bench.perform('documents.prepare', `${key}/prepare#${round}`, { message, files: placed });
    if (prepared.status === 'empty') return;
    const { commit, before } = prepared;
    const landed = await bench.perform('documents.land', `${key}/land#${round}`, { commit, before });
    if (landed.status === 'landed') return;
  }
}

/** With paths of the repository. */
export function placeDocuments(
  { input }: Pick<DesignContext, 'input'>,
  files: readonly DocumentFile[],
): readonly DocumentFile[] {
  return files.map(({ path, ...content }) => ({
    path: path.startsWith('/') ? path.slice(1) : `${input.plan.dir}/${path}`,
    ...content,
  }));
}

export interface KnownPlans extends Pick<DesignContext, 'modules' | 'plans'> {
  readonly standing: DeliveryStanding;
}

/** What the run noted so far: events, plans that were revised, modules that were split off. */
export async function readStanding(bench: Bench, key: string, context: DesignContext): Promise<KnownPlans> {
  const { notes } = await bench.perform('notes.read', key, { endings: ['/event', '/plan'] });
  let standing = startingStanding(context);
  const plans = new Map(context.plans);
  const modules = [...context.modules];
  for (const note of notes) {
    if (note.key.endsWith('/event')) standing = advanceStanding(standing, deliveryEventSchema.parse(note.data));
    else {
      const { module, plan } = note.data as unknown as { module: BuiltModule; plan: ModulePlan };
      plans.set(module.id, modulePlanSchema.parse(plan));
      if (!modules.some(({ id }) => id === module.id)) modules.push(module);
    }
  }
  return { standing, plans, modules };
}

/** A plan that was written again, for everybody who starts on the module from now on. */
export async function notePlan(bench: Bench, key: string, module: BuiltModule, plan: ModulePlan): Promise<void> {
  const { id, name, file, features, depends, ui, responsibility, text, phase } = module;
  const kept = { id, name, file, features, depends, ui: ui ?? null, responsibility, text, phase };
  await bench.record(`${key}/plan`, 'note.recorded', {
    text: `The plan of ${module.id} was revised`,
    data: { module: kept, plan } as never,
  });
}

function startingStanding(context: DesignContext): DeliveryStanding {
  const { kept, settled, plans, testedPhases, earlierCommits } = context;
  const rows = new Map(
    [...plans.keys()].map((id) => {
      if (kept.has(id))
        return [id, { plan: 'Kept', dev: 'Kept', test: 'Kept', review: 'Kept', merged: 'Yes' }] as const;
      const before = settled.get(id);
      if (before === 'Yes')
        return [id, { plan: 'Done', dev: 'Done', test: 'Done', review: 'Approved', merged: 'Yes' }] as const;
      return [id, before === 'Skipped' ? { plan: 'Done', dev: 'Skipped' } : { plan: 'Done' }] as const;
    }),
  );
  // What was merged before stays behind the code, also of a module that changes now.
  const modules = new Map(
    [...rows].map(([id, row]) => {
      const commits = earlierCommits.get(id) ?? [];
      return [id, commits.length === 0 ? row : { ...row, commits: [...commits] }] as const;
    }),
  );
  const phases = new Map([...testedPhases].map((phase) => [String(phase), { integration: 'Pass' }]));
  return { ...nothingDone, modules, phases };
}

export function readmeText(bench: Bench, context: DesignContext, standing: DeliveryStanding): string {
  const { input, modules, plans, history } = context;
  return renderPlanReadme({
    ...readmeHead(bench, context),
    designDelivery: input.plan.designDelivery,
    delivery: input.plan.delivery,
    deliveryTag: input.evolve === undefined ? '' : deliveryTagName(input),
    modules: modules.map((module) => ({ ...module, plan: plans.get(module.id) })),
    standing,
    history,
  });
}

/** What the README of every delivery of a design says alike. */
export function readmeHead(bench: Bench, { input, design }: Pick<DesignContext, 'input' | 'design'>) {
  return {
    name: design.name,
    planDir: input.plan.dir,
    designDir: input.design.dir,
    prdDir: input.design.prd,
    date: input.plan.date,
    branchFamily: input.plan.family,
    branch: `forge/${bench.run.id}`,
    threshold: thresholdOf(input),
    designCommit: bench.run.base,
  };
}

export function deliveryTagName({ plan, evolve }: DesignContext['input']): string {
  return `autoforge-delivery-${plan.delivery}-${evolve?.slug ?? 'first'}`;
}

/** The files of the plans, conventions and log when planning is over. */
export function planDocuments(bench: Bench, context: DesignContext, conventions: string): readonly DocumentFile[] {
  const isFirst = context.input.mode === 'full';
  return [
    { path: 'README.md', text: readmeText(bench, context, startingStanding(context)) },
    ...(isFirst ? [{ path: 'execution-log.md', text: logTitle }] : []),
    { path: 'plans/conventions.md', text: conventions },
    ...context.modules.flatMap((module) => planDocument(module, context.plans.get(module.id), context)),
  ];
}

export function planDocument(
  module: BuiltModule,
  plan: ModulePlan | undefined,
  { kept }: Pick<DesignContext, 'kept'>,
): readonly DocumentFile[] {
  if (plan === undefined || kept.has(module.id)) return [];
  return [{ path: `plans/${planFileName(module)}`, text: renderModulePlan({ module, phase: module.phase, plan }) }];
}

/** The design's own table of what is implemented. */
export function designDocument(
  { input, design, designReadme }: DesignContext,
  standing: DeliveryStanding,
  status: 'Implementing' | 'Implemented',
): readonly DocumentFile[] {
  const done = [...standing.modules].filter(([, { merged }]) => merged === 'Yes').map(([id]) => moduleId(id));
  const text = markImplemented(designReadme, { design, done, status });
  return text === designReadme ? [] : [{ path: `/${input.design.dir}/README.md`, text }];
}
