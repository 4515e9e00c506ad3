/**
 * What Forge serves to some roles while they work, through the bridge: planners may ask memory and have a plan
 * judged, those who look at a failure may see how their module went so far and what their own run wrote down. Reading
 * only. Arguments come from an agent and are untrusted; answers are bounded and redacted.
 */
import { z } from 'zod';
import type { JobTool } from '../agents/agent.ts';
import type { EffectContext } from '../engine/performer.ts';
import { ownerOf } from '../engine/reopen.ts';
import { validateModulePlan } from '../plan/module-plan.ts';
import { chronicleOf } from '../views/chronicle.ts';
import { filterEvents, logEvents, logSeverities } from '../views/log-entries.ts';
import { taskAttempts } from '../views/task-attempts.ts';
import { recordTools } from './record-tools.ts';
import { type RoleToolDeps, roleTool, type ToolMaker } from './role-tool.ts';

/** Tools that a workflow may want for a piece of work, whoever does it. */
export type ToolSet = keyof typeof toolSets;

export function roleTools(
  role: string,
  context: EffectContext,
  deps: RoleToolDeps,
  wanted: readonly ToolSet[] = [],
): readonly JobTool[] {
  const makers = [...(toolsOf.get(role) ?? []), ...wanted.flatMap((name) => toolSets[name])];
  return makers.map((make) => make(context, deps));
}

const toolSets = { records: recordTools };

const memoryRecall: ToolMaker = (_context, deps) =>
  roleTool(deps, {
    name: 'memory_recall',
    description: 'Lessons of earlier runs that have to do with a query, best first: conventions, commands, failures.',
    input: z.strictObject({ query: z.string().min(1).max(2000), limit: z.number().int().min(1).max(30).default(10) }),
    async call({ query, limit }) {
      const { lessons } = await deps.memory.recall(query, limit);
      const memories = lessons.map(({ id, category, text, scope, date }) => ({
        id,
        category,
        pattern: text,
        scope,
        date,
      }));
      return { memories };
    },
  });

const validatePlan: ToolMaker = (_context, deps) =>
  roleTool(deps, {
    name: 'validate_plan',
    description:
      'Whether a plan can be used: schema, dependencies, paths, commands; and which tasks would write the same files at once. Pass the plan as you would submit it.',
    input: z.strictObject({ plan: z.record(z.string(), z.unknown()) }),
    call: async ({ plan }) => {
      const { valid, errors, warnings } = validateModulePlan(plan);
      return { valid, errors, warnings };
    },
  });

const iterationState: ToolMaker = (context, deps) =>
  roleTool(deps, {
    name: 'iteration_state',
    description: 'How often a module of this run was validated so far, with scores, issues and known root causes.',
    input: z.strictObject({ moduleId: z.string().max(128).optional(), action: z.literal('get').default('get') }),
    call: async ({ moduleId }) => {
      const chronicle = chronicleOf(await context.facts());
      const { tasks } = chronicle.state;
      const module = moduleId ?? tasks.get(ownerOf(context.key, tasks) ?? '')?.task ?? '';
      return { moduleId: module, ...taskAttempts(chronicle, module) };
    },
  });

const forgeLogs: ToolMaker = (context, deps) =>
  roleTool(deps, {
    name: 'forge_logs',
    description: 'What this run wrote down, newest last: filter by module, phase and severity.',
    input: z.strictObject({
      moduleId: z.string().max(128).optional(),
      phase: z.string().max(64).optional(),
      severity: z.enum(logSeverities).optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    call: async (filter) => {
      const entries = filterEvents(logEvents(await context.facts()), filter);
      return { runId: context.run.id, entries, total: entries.length };
    },
  });

const toolsOf: ReadonlyMap<string, readonly ToolMaker[]> = new Map([
  ['architect', [memoryRecall, validatePlan]],
  ['planner', [memoryRecall, validatePlan]],
  ['overseer', [iterationState, forgeLogs]],
  ['debugger', [iterationState, forgeLogs]],
]);
