/**
 * Plans that were written again while the run went on, until a person agrees with them: they approve, ask for other plans in
 * words, edit the files in a checkout, or stop. Nothing is committed before they agree.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import type { PlannerReason } from '../briefs/planner-briefs.ts';
import { type DesignContext, moduleOf } from '../context.ts';
import { placeDocuments, planDocument } from '../keep-delivery.ts';
import { approvePlans } from './approve-plans.ts';
import { takeEdits } from './edit-plans.ts';

/** How often a person may ask for other plans. */
const mostChanges = 5;

export interface RevisedPlans {
  /** With the plans as they were. */
  readonly context: DesignContext;
  readonly revised: ReadonlyMap<string, ModulePlan>;
  readonly trigger: string;
  readonly impact: readonly string[];
  /** One plan again; `suffix` tells the tries apart in keys. Undefined where its planner has no other. */
  readonly planAgain: (
    asked: { readonly id: string; readonly suffix: string; readonly why: PlannerReason },
    context: DesignContext,
  ) => Promise<ModulePlan | undefined>;
}

export type AgreedPlans =
  | { readonly status: 'agreed'; readonly plans: ReadonlyMap<string, ModulePlan> }
  | { readonly status: 'stopped'; readonly reason: string };

export async function agreeOnPlans(bench: Bench, key: string, request: RevisedPlans): Promise<AgreedPlans> {
  const { context, trigger, impact, planAgain } = request;
  const plans = new Map(request.revised);
  const workspace = `edit-${key.replaceAll(/[^\w.-]+/g, '-')}`;
  let problems: readonly string[] = [];
  for (let round = 1; round <= mostChanges; round += 1) {
    const suffix = round === 1 ? '' : `#${round}`;
    const current = { ...context, plans: new Map([...context.plans, ...plans]) };
    const offered = await offerPlans(bench, `${key}/offer${suffix}`, { context, plans, workspace });
    const approval = await approvePlans(bench, `${key}/approve${suffix}`, {
      context: current,
      revision: { trigger, before: context.plans, impact },
      warnings: [],
      problems,
      editAt: offered.path,
    });
    problems = [];
    if (approval.next === 'stop') return { status: 'stopped', reason: approval.reason };
    if (approval.next === 'go') {
      await bench.perform('workspace.drop', `${key}/drop`, { workspace, captured: offered.commit, readOnly: true });
      return { status: 'agreed', plans };
    }
    if (approval.next === 'edited') {
      const asked = { context, workspace, from: offered.commit, modules: [...plans.keys()] };
      const edited = await takeEdits(bench, `${key}/edit${suffix}`, asked);
      ({ problems } = edited);
      if (problems.length === 0)
        for (const id of plans.keys()) plans.set(id, edited.directory.plans.get(id) as ModulePlan);
      continue;
    }
    const why: PlannerReason = { kind: 'changes', text: approval.text };
    for (const id of plans.keys()) {
      const known = { ...context, plans: new Map([...context.plans, ...plans]) };
      const plan = await planAgain({ id, suffix: `${suffix}/changes`, why }, known);
      if (plan !== undefined) plans.set(id, plan);
    }
  }
  return { status: 'stopped', reason: `no plans were agreed on in ${mostChanges} rounds` };
}

/** The plan directory as it would be, checked out for whoever wants to edit it. */
async function offerPlans(
  bench: Bench,
  key: string,
  about: {
    readonly context: DesignContext;
    readonly plans: ReadonlyMap<string, ModulePlan>;
    readonly workspace: string;
  },
): Promise<{ readonly commit: string; readonly path: string }> {
  const { context, plans, workspace } = about;
  const files = [...plans].flatMap(([id, plan]) => planDocument(moduleOf(context, id), plan, { kept: new Set() }));
  const prepared = await bench.perform('documents.prepare', `${key}/prepare`, {
    message: 'docs(plan): plans to agree on',
    files: [...placeDocuments(context, files)],
  });
  const { commit } =
    prepared.status === 'empty' ? await bench.perform('integration.read', `${key}/head`, {}) : prepared;
  const { path } = await bench.perform('workspace.offer', key, { workspace, commit });
  return { commit, path: `${path}/${context.input.plan.dir}` };
}
