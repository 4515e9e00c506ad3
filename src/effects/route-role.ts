/** The question of who does a piece of work, from the settings and what the run was begun with. */
import type { EffectContext } from '../engine/performer.ts';
import type { RunSnapshot } from '../engine/run-snapshot.ts';
import { routedAgents } from '../policy/routed-agent.ts';
import { type Route, type RoutingQuestion, routeWork } from '../policy/routing.ts';
import { type Settings, settingsOfRole } from '../policy/settings.ts';

export interface RoutingDeps {
  readonly settings: Settings;
  /** The user's environment, for variables that name models. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RoutedWork {
  readonly role: string;
  /** Whoever began the run chose it; everything else is the settings'. */
  readonly agent: string;
  readonly task: string | undefined;
  readonly attempt: number;
  /** The model that the role's file asks for; the settings go first. */
  readonly model?: string | undefined;
  /** What the workflow gives this work where nothing else says anything. */
  readonly usual?: RoutingQuestion['usual'];
  readonly risk?: string | undefined;
  readonly isWriter?: boolean | undefined;
  readonly escalate?: RoutingQuestion['escalate'];
}

export function routingQuestion(
  { settings, env }: RoutingDeps,
  { role, agent, task: id, attempt, model: ofRole, usual, risk, isWriter, escalate }: RoutedWork,
  { plan, agent: now }: Pick<RunSnapshot, 'plan' | 'agent'>,
): RoutingQuestion {
  const { model, ...own } = settingsOfRole(settings, role);
  // A model that was named for another agent means nothing to this one.
  const named = model === undefined || (own.agent !== undefined && own.agent !== agent) ? {} : { model };
  const task = plan?.tasks.find((one) => one.id === id);
  return {
    role,
    ...(task === undefined ? {} : { task: { tag: task.kind, risk: task.risk, tier: task.tier, effort: task.effort } }),
    attempt,
    agents: routedAgents(settings.agents),
    usual,
    risk,
    isWriter,
    roles: {
      ...settings.roles,
      [role]: { ...(ofRole === undefined ? {} : { model: ofRole }), ...own, ...named, agent },
    },
    why: own.agent === agent ? undefined : whyAgent(settings, agent, { wanted: task?.agent, now }),
    env,
    ...(escalate === undefined ? {} : { escalate }),
  };
}

function whyAgent(
  { agents }: Settings,
  agent: string,
  { wanted, now }: { readonly wanted: string | undefined; readonly now: string | undefined },
): string {
  if (agent === now) return 'chosen when the run was resumed';
  if (agent === wanted) return 'the plan gives it this task';
  return agent === Object.keys(agents)[0] ? 'the first that is configured' : 'chosen for this run';
}

/** Who would do a role's work now, as the run was begun. */
export function routeRole(
  deps: RoutingDeps,
  role: string,
  { run, snapshot }: Pick<EffectContext, 'run' | 'snapshot'>,
): Route {
  const input = run.input as { agents?: Readonly<Record<string, unknown>> } | null | undefined;
  const agent = snapshot.agent ?? input?.agents?.[role];
  const [first = ''] = Object.keys(deps.settings.agents);
  const work = { role, agent: typeof agent === 'string' ? agent : first, task: undefined, attempt: 1 };
  return routeWork(routingQuestion(deps, work, snapshot));
}
