/**
 * A plan that turned out to be wrong is put right, by its kind: this module's text alone, every plan it touches with a
 * person's approval, or first of all the missing part, built by whoever owns it. Other modules go on meanwhile. What a
 * module lacks is never replaced by a stub: where nothing helps, a person decides.
 */
import type { Bench, ScheduleLane } from '../../../engine/bench.ts';
import type { TaskOutcome } from '../../../engine/facts.ts';
import { dependencyClosure } from '../../../plan/graph.ts';
import { type Task, taskSchema } from '../../../plan/plan.ts';
import type { PlannerReason } from '../briefs/planner-briefs.ts';
import { type BuiltModule, type DesignContext, moduleId, moduleOf } from '../context.ts';
import { notePlan, planDocument, readStanding, recordDelivery } from '../keep-delivery.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import type { PlanIssue } from '../role-results.ts';
import { placeOfOwner, plansToRevise, revisionRoute } from '../rules/revision-route.ts';
import { allocateOwner } from './allocate-owner.ts';
import { agreeOnPlans } from './agree-on-plans.ts';
import { moduleWrites, planModule } from './plan-modules.ts';
import { recordDecided, recordRevision } from './record-module.ts';

export interface RevisionRequest {
  readonly context: DesignContext;
  readonly task: Task;
  readonly module: BuiltModule;
  readonly lane: ScheduleLane;
  /** Of this go at the module. */
  readonly name: string;
  readonly issue: PlanIssue;
  readonly commit: string;
}

export type RevisedPlan = { readonly status: 'revised' } | { readonly status: 'over'; readonly outcome: TaskOutcome };

export async function revisePlan(bench: Bench, request: RevisionRequest): Promise<RevisedPlan> {
  const { context, module, issue, name } = request;
  const outcomes = {
    'this-plan': 'Its planner corrects the plan.',
    'from-here': 'The plans it touches are written again, and a person approves them.',
    'owner-first': 'What is missing is built first.',
  };
  const route = revisionRoute(issue.type);
  const affected = affectedPlans(context, module, issue);
  const told = { key: `${name}/revise`, id: module.id, issue, affected, outcome: outcomes[route] };
  await recordRevision(bench, context, told);
  const start = { kind: 'plan', title: `Plan revision: ${issue.type}` };
  return bench.step(`${name}/revise`, start, () => {
    if (route === 'this-plan') return reviseThisPlan(bench, request);
    return route === 'from-here' ? reviseFromHere(bench, request) : buildOwnerFirst(bench, request);
  });
}

function affectedPlans(context: DesignContext, module: BuiltModule, issue: PlanIssue): readonly string[] {
  const route = revisionRoute(issue.type);
  if (route === 'from-here')
    return plansToRevise(context.modules, { requester: module.id, upstream: upstreamOf(context, module, issue) });
  const owner = route === 'owner-first' ? ownerOf(context, issue) : undefined;
  return owner === undefined ? [module.id] : [owner, module.id];
}

async function reviseThisPlan(bench: Bench, request: RevisionRequest): Promise<RevisedPlan> {
  const { context, module, issue, name } = request;
  const why: PlannerReason = { kind: 'revision', requester: module.id, issue, isWhole: false };
  const planned = await replan(bench, `${name}/revise/plan`, request, { module, why });
  if (planned === undefined) return decide(bench, request, 'its planner found no better plan');
  await keepPlans(bench, request, new Map([[module.id, planned]]), context);
  return { status: 'revised' };
}

async function replan(
  bench: Bench,
  key: string,
  { context }: Pick<RevisionRequest, 'context'>,
  { module, why }: { readonly module: BuiltModule; readonly why: PlannerReason },
): Promise<ModulePlan | undefined> {
  const { commit } = await bench.perform('integration.read', `${key}/base`, {});
  const paths = ({ id }: BuiltModule): readonly string[] =>
    [...dependencyClosure(context.modules, id), id].flatMap((other) => context.plans.get(other)?.files ?? []);
  const planned = await planModule(bench, key, { context, why: () => why, code: { commit, paths } }, module);
  return planned.status === 'planned' ? planned.plan : undefined;
}

/** For everybody who starts on one of the modules from now on, and in the plan directory. */
async function keepPlans(
  bench: Bench,
  { name, module, issue }: Pick<RevisionRequest, 'name' | 'module' | 'issue'>,
  plans: ReadonlyMap<string, ModulePlan>,
  context: DesignContext,
): Promise<void> {
  for (const [id, plan] of plans) await notePlan(bench, `${name}/revise/${id}`, moduleOf(context, id), plan);
  const ids = [...plans.keys()];
  await recordDelivery(bench, context, `${name}/revise/told`, {
    message: `docs(plan): re-plan from phase ${module.phase} — ${issue.type}`,
    event: () => ({
      title: `Plan revised: ${ids.join(', ') || 'none'}`,
      context: module.id,
      event: 'Plan revised',
      details: ids.map((id) => `${id}: ${plans.get(id)?.steps.length ?? 0} steps`),
      outcome: `${module.id} starts again.`,
      modules: Object.fromEntries([...ids, module.id].map((id) => [id, { plan: 'Done', notes: '' }])),
    }),
    files: ids.flatMap((id) => planDocument(moduleOf(context, id), plans.get(id), { kept: new Set() })),
  });
}

async function reviseFromHere(bench: Bench, request: RevisionRequest): Promise<RevisedPlan> {
  const { context, module, issue, name, lane } = request;
  const upstream = upstreamOf(context, module, issue);
  const revised = new Map<string, ModulePlan>();
  let current = context;
  for (const id of plansToRevise(context.modules, { requester: module.id, upstream })) {
    const why: PlannerReason = { kind: 'revision', requester: module.id, issue, isWhole: true };
    const plan = await replan(
      bench,
      `${name}/revise/plan/${id}`,
      { context: current },
      { module: moduleOf(context, id), why },
    );
    if (plan === undefined) return decide(bench, request, `there is no revised plan for ${id}`);
    if (JSON.stringify(plan) === JSON.stringify(context.plans.get(id))) continue;
    revised.set(id, plan);
    current = { ...current, plans: new Map([...current.plans, [id, plan]]) };
  }
  const { standing } = await readStanding(bench, `${name}/revise/known`, context);
  const isMerged = (id: string): boolean => standing.modules.get(id)?.merged === 'Yes';
  const reopened = [...revised.keys()].filter((id) => id !== module.id && isMerged(id));
  if (revised.size === 0) return decide(bench, request, 'no planner would change a plan');
  const agreed = await agreeOnPlans(bench, `${name}/revise`, {
    context,
    revised,
    trigger: `${issue.type} in ${module.id}: ${issue.evidence}`,
    impact: [
      ...reopened.map((id) => `${id} is merged and will be changed`),
      ...[...revised.keys()].filter((id) => !isMerged(id)).map((id) => `${id} will be built as the new plan says`),
      ...context.modules.filter(({ id }) => !revised.has(id)).map(({ id }) => `${id} is unchanged`),
    ],
    planAgain: ({ id, suffix, why }, known) =>
      replan(bench, `${name}/revise/plan/${id}${suffix}`, { context: known }, { module: moduleOf(context, id), why }),
  });
  if (agreed.status === 'stopped') return decide(bench, request, agreed.reason);
  const known = { ...context, plans: new Map([...context.plans, ...agreed.plans]) };
  await keepPlans(bench, request, agreed.plans, known);
  return buildAgain(bench, request, { ids: reopened, context: known, lane });
}

function upstreamOf({ modules }: DesignContext, module: BuiltModule, issue: PlanIssue): readonly string[] {
  const named = modules.filter(({ id }) => id !== module.id && issue.module.includes(id)).map(({ id }) => id);
  return named.length > 0 ? named : module.depends;
}

/** Merged modules whose plan changed are built again before the one that asked goes on. */
async function buildAgain(
  bench: Bench,
  request: RevisionRequest,
  {
    ids,
    context,
    lane,
  }: { readonly ids: readonly string[]; readonly context: DesignContext; readonly lane: ScheduleLane },
): Promise<RevisedPlan> {
  const tasks = ids.map((id) => againTask(context, id, request));
  if (tasks.length === 0) return { status: 'revised' };
  await lane.add(tasks);
  const outcomes = await lane.waitFor(tasks.map(({ id }) => id));
  const failed = outcomes.find(({ status, data }) => status !== 'done' || kindOf(data) === 'skipped');
  return failed === undefined
    ? { status: 'revised' }
    : decide(bench, request, `${failed.task} was not built: ${failed.reason || 'left out'}`);
}

function againTask(context: DesignContext, id: string, { name, task }: Pick<RevisionRequest, 'name' | 'task'>): Task {
  const go = /@(\d+)$/.exec(name)?.[1];
  const plan = context.plans.get(id);
  return taskSchema.parse({
    id: `${id}-for-${moduleId(task.id)}${go === undefined ? '' : `-${go}`}`,
    title: `${moduleOf(context, id).name}, again for ${moduleId(task.id)}`,
    writes: plan === undefined ? [] : [...moduleWrites(context.conventions, id, plan)],
  });
}

function kindOf(data: unknown): string {
  return (data as { kind?: string } | null | undefined)?.kind ?? '';
}

async function buildOwnerFirst(bench: Bench, request: RevisionRequest): Promise<RevisedPlan> {
  const { context, module, issue, name, lane } = request;
  const known = await readStanding(bench, `${name}/revise/known`, context);
  const owner = ownerOf(context, issue);
  const place = placeOfOwner({
    requester: module.id,
    owner,
    modules: context.modules.map(({ id, phase }) => ({
      id,
      phase,
      isMerged: known.standing.modules.get(id)?.merged === 'Yes',
    })),
    ownerNeeds: owner === undefined ? [] : dependencyClosure(context.modules, owner),
  });
  const capability = issue.capability === '' ? issue.evidence : issue.capability;
  if (place === 'allocate' || owner === undefined) {
    const allocated = await allocateOwner(bench, { ...request, capability, standing: known.standing });
    if (allocated.status === 'none') return decide(bench, request, allocated.reason);
    await lane.add([allocated.task]);
    return waitForOwner(bench, request, allocated.task.id);
  }
  if (place !== 'reopen') {
    const why: PlannerReason = { kind: 'missing', requester: module.id, capability };
    const isOpen = known.standing.modules.get(owner)?.dev === undefined;
    const plan = isOpen
      ? await replan(bench, `${name}/revise/plan`, request, { module: moduleOf(context, owner), why })
      : undefined;
    if (plan !== undefined) await keepPlans(bench, request, new Map([[owner, plan]]), context);
    return waitForOwner(bench, request, owner);
  }
  const why: PlannerReason = { kind: 'missing', requester: module.id, capability };
  const plan = await replan(bench, `${name}/revise/plan`, request, { module: moduleOf(context, owner), why });
  if (plan === undefined) return decide(bench, request, `there is no plan to add it to ${owner}`);
  const current = { ...context, plans: new Map([...context.plans, [owner, plan]]) };
  await keepPlans(bench, request, new Map([[owner, plan]]), current);
  return buildAgain(bench, request, { ids: [owner], context: current, lane });
}

function ownerOf({ modules }: DesignContext, { module }: PlanIssue): string | undefined {
  return modules.find(({ id }) => module.includes(id))?.id;
}

async function waitForOwner(bench: Bench, request: RevisionRequest, task: string): Promise<RevisedPlan> {
  const [outcome] = await request.lane.waitFor([task]);
  if (outcome?.status === 'done' && kindOf(outcome.data) !== 'skipped') return { status: 'revised' };
  return decide(bench, request, `${task} was not built: ${outcome?.reason ?? 'left out'}`);
}

/** No plan helps: a person says whether the module is left out, or how it should go on. */
async function decide(bench: Bench, request: RevisionRequest, reason: string): Promise<RevisedPlan> {
  const { context, module, task, name, commit } = request;
  const key = `${name}/revise/decision`;
  const answer = await bench.ask(key, {
    title: `The plan of ${module.id} ${module.name} cannot be corrected. What should happen next?`,
    detail: `${request.issue.type}: ${request.issue.evidence}\n${reason}`,
    options: [
      { id: 'again', label: 'Try the module again (say how)' },
      { id: 'skip', label: `Leave ${module.id} out`, recommended: true },
      { id: 'abort', label: 'Stop the run' },
    ],
    freeText: true,
    topic: 'decision',
  });
  if (answer.option === 'skip') {
    await recordDecided(bench, context, {
      key,
      id: module.id,
      choice: 'leave it out',
      outcome: 'The module is skipped.',
      row: { plan: 'Done', dev: 'Skipped', notes: reason.slice(0, 160) },
    });
    const data = { kind: 'skipped', reason };
    return {
      status: 'over',
      outcome: { task: task.id, status: 'done', reason: '', detail: `left out: ${reason}`, commit, data },
    };
  }
  if (answer.option === 'abort')
    return { status: 'over', outcome: { task: task.id, status: 'failed', reason, commit, data: { kind: 'failed' } } };
  const text = answer.text ?? reason;
  await recordDecided(bench, context, { key, id: module.id, choice: text, outcome: 'The module starts again.' });
  const why: PlannerReason = { kind: 'changes', text };
  const plan = await replan(bench, `${name}/revise/asked`, request, { module, why });
  if (plan !== undefined) await notePlan(bench, `${name}/revise/asked`, module, plan);
  return { status: 'revised' };
}
