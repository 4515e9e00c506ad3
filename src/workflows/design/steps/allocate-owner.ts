/**
 * Something is missing that no module owns. A planner on a strong model gives it to one, or splits off a new module; either
 * way with a whole plan, which becomes a task of the schedule. The commit says for whom.
 */
import type { Bench } from '../../../engine/bench.ts';
import { dependencyClosure } from '../../../plan/graph.ts';
import { type Task, taskSchema } from '../../../plan/plan.ts';
import type { Issue } from '../../../plan/refusal.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import { allocatorBrief } from '../briefs/planner-briefs.ts';
import type { BuiltModule, DesignContext } from '../context.ts';
import { notePlan, planDocument, recordDelivery } from '../keep-delivery.ts';
import type { DeliveryStanding } from '../plan/delivery-state.ts';
import { oneLine } from '../plan/markdown-text.ts';
import { askDesignRole } from '../roles.ts';
import { nextModuleId } from '../rules/revision-route.ts';
import { faultsOf, moduleWrites } from './plan-modules.ts';

export interface AllocationRequest {
  readonly context: DesignContext;
  readonly module: BuiltModule;
  readonly name: string;
  readonly capability: string;
  readonly standing: DeliveryStanding;
}

export type AllocatedOwner =
  | { readonly status: 'owned'; readonly task: Task }
  | { readonly status: 'none'; readonly reason: string };

const mostRounds = 3;

export async function allocateOwner(bench: Bench, request: AllocationRequest): Promise<AllocatedOwner> {
  const { context, module, name, capability } = request;
  const { commit } = await bench.perform('integration.read', `${name}/allocate/base`, {});
  const plans = context.modules.flatMap((each) => {
    const plan = context.plans.get(each.id);
    return plan === undefined ? [] : [{ module: each, plan }];
  });
  let faults: readonly Issue[] = [];
  for (let round = 1; round <= mostRounds; round += 1) {
    const known = faults;
    const answer = await askDesignRole(bench, `${name}/allocate#${round}`, {
      input: context.input,
      role: 'allocator',
      task: module.id,
      workspace: `allocate-${module.id}`,
      commit,
      brief: (recovery) => allocatorBrief({ context, requester: module, capability, plans, faults: known }, recovery),
    });
    if (answer.status !== 'accepted')
      return { status: 'none', reason: `nobody could be found to own it: ${explainAnswer(answer)}` };
    const owner = ownerFrom(request, answer.result);
    faults = [...ownerFaults(request, owner), ...faultsOf(context, owner, answer.result.plan)];
    if (faults.length > 0) continue;
    await bench.perform('workspace.drop', `${name}/allocate/drop`, {
      workspace: `allocate-${module.id}`,
      captured: commit,
      readOnly: true,
    });
    return keep(bench, request, owner, answer.result);
  }
  return { status: 'none', reason: `no module could be found to own it: ${faults[0]?.problem ?? ''}` };
}

interface Allocation {
  readonly owner: string;
  readonly name: string;
  readonly responsibility: string;
  readonly depends: readonly string[];
  readonly plan: Parameters<typeof faultsOf>[2];
  readonly reason: string;
}

function ownerFrom(
  { context, module }: AllocationRequest,
  { owner, name, responsibility, depends }: Allocation,
): BuiltModule {
  const known = context.modules.find(({ id }) => id === owner);
  if (known !== undefined) return known;
  return {
    id: nextModuleId(context.modules.map(({ id }) => id)),
    name: oneLine(name) || `Split off for ${module.id}`,
    file: '',
    features: module.features,
    depends: depends.filter((id) => context.modules.some((each) => each.id === id)),
    ui: undefined,
    responsibility,
    text: responsibility,
    phase: module.phase,
  };
}

function ownerFaults({ context, module }: AllocationRequest, owner: BuiltModule): readonly Issue[] {
  const modules = context.modules.some(({ id }) => id === owner.id) ? context.modules : [...context.modules, owner];
  const needs = dependencyClosure(modules, owner.id);
  if (owner.id !== module.id && !needs.includes(module.id)) return [];
  const problem =
    owner.id === module.id ? `${owner.id} is the module that asks.` : `${owner.id} needs ${module.id} itself.`;
  return [{ where: 'owner', problem, fix: 'Name another module, or "new".' }];
}

async function keep(
  bench: Bench,
  request: AllocationRequest,
  owner: BuiltModule,
  { plan, reason }: Allocation,
): Promise<AllocatedOwner> {
  const { context, module, name, capability, standing } = request;
  const isThere = standing.modules.get(owner.id)?.merged === 'Yes';
  const go = /@(\d+)$/.exec(name)?.[1];
  const isNew = !context.modules.some(({ id }) => id === owner.id);
  const id = isNew ? owner.id : `${owner.id}-for-${module.id}${go === undefined ? '' : `-${go}`}`;
  await notePlan(bench, `${name}/allocate`, owner, plan);
  await recordDelivery(bench, context, `${name}/allocate/told`, {
    message: `docs(plan): allocate ${oneLine(capability).slice(0, 60)} to ${owner.id} for ${module.id}`,
    event: () => ({
      title: `${owner.id} owns what ${module.id} needs`,
      context: module.id,
      event: 'Plan revised',
      details: [capability, ...(reason === '' ? [] : [reason])],
      outcome: `${owner.id} is built, then ${module.id} starts again.`,
      modules: { [owner.id]: { plan: 'Done', ...(isThere ? {} : { notes: `for ${module.id}` }) } },
    }),
    files: planDocument(owner, plan, { kept: new Set() }),
  });
  const task = taskSchema.parse({
    id,
    title: isNew ? owner.name : `${owner.name}, again for ${module.id}`,
    depends: isNew ? owner.depends : [],
    writes: [...moduleWrites(context.conventions, owner.id, plan)],
  });
  return { status: 'owned', task };
}
