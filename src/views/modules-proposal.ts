/**
 * The plan of a `modules` run as far as it is known: as approved, as shown for approval, or only as the architect gave
 * it; with what a person has to know before they say yes: the order and the risks. Which modules overlap is worked out
 * only where it is shown (plan/overlapping-pairs.ts).
 */
import { z } from 'zod';
import { stages } from '../plan/graph.ts';
import type { Task } from '../plan/plan.ts';
import type { ModulePlanResult } from '../policy/module-results.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';
import { requirementOf } from './proposal.ts';

export interface ModulesProposal {
  readonly requirement: string;
  readonly tasks: readonly Task[];
  readonly order: readonly (readonly string[])[];
  readonly techStack: Readonly<Record<string, string>>;
  readonly decisions: readonly string[];
  readonly warnings: readonly string[];
  /** What the architect sees coming, and what went wrong in earlier runs. */
  readonly risks: readonly string[];
  readonly remembered: readonly string[];
  readonly knowledgeApplied: readonly string[];
  /** Files with uncommitted changes of the user's that the plan would change. */
  readonly dirtyOverlap: readonly string[];
  readonly lite: boolean;
  readonly parallel: number;
  readonly barriers: boolean;
  readonly isApproved: boolean;
}

/** Undefined until the architect gave a plan. */
export function modulesProposal(chronicle: Chronicle): ModulesProposal | undefined {
  const { state, modules: note } = chronicle;
  const architect = lastPlan(chronicle);
  const plan = state.plan ?? note?.plan;
  const tasks = plan?.tasks ?? architect?.tasks;
  if (tasks === undefined) return undefined;
  const input = inputSchema.safeParse(state.created?.input);
  const {
    parallel,
    options: { barriers, lite },
  } = input.success ? input.data : noInput;
  return {
    requirement: note?.requirement || requirementOf(chronicle),
    tasks,
    order: orderOf(tasks),
    techStack: plan?.techStack ?? architect?.techStack ?? {},
    decisions: plan?.decisions ?? architect?.decisions ?? [],
    warnings: note?.warnings ?? [],
    risks: plan?.risks ?? architect?.risks ?? [],
    remembered: note?.knownRisks ?? [],
    knowledgeApplied: note?.knowledgeApplied ?? [],
    dirtyOverlap: note?.dirtyOverlap ?? [],
    lite: lite || answeredLite(chronicle) || note?.lite === true,
    parallel,
    barriers,
    isApproved: state.plan !== undefined,
  };
}

/** A plan that was only proposed may still have a cycle: then its modules stand in the order they came. */
export function orderOf(tasks: readonly Ordered[]): readonly (readonly string[])[] {
  const before = orders.get(tasks);
  if (before !== undefined) return before;
  const nodes = tasks.map(({ id, depends }) => ({ id, depends: [...depends] }));
  const order = safely(() => stages(nodes), [tasks.map((task) => task.id)]);
  orders.set(tasks, order);
  return order;
}

interface Ordered {
  readonly id: string;
  readonly depends: readonly string[];
}

/** Worked out once per list: a display asks with every fact. */
const orders = new WeakMap<readonly Ordered[], readonly (readonly string[])[]>();

function safely<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

function lastPlan(chronicle: Chronicle): ModulePlanResult | undefined {
  let found: ModulePlanResult | undefined;
  for (let round = 1; chronicle.state.effects.has(`plan#${round}`); round += 1) {
    found = replyOf(lastReading(chronicle, `plan#${round}`), 'architect') ?? found;
  }
  return found;
}

/** The person chose it when they were told of their uncommitted changes. */
function answeredLite({ state }: Chronicle): boolean {
  return [...state.questions].some(([key, { answer }]) => /^dirty(#|$)/.test(key) && answer?.option === 'lite');
}

const inputSchema = z.object({
  parallel: z.number().catch(1),
  options: z.object({ barriers: z.boolean().catch(false), lite: z.boolean().catch(false) }).catch({
    barriers: false,
    lite: false,
  }),
});
const noInput = { parallel: 1, options: { barriers: false, lite: false } };
