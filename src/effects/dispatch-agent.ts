/**
 * One piece of work given to an agent, whatever its provider does: who does it is routed, its share of the budget is set
 * aside, its requests are metered, and passing trouble is put up with as the policies say (again, later, with another
 * model, by another agent). Every decision is a fact with its reason. What comes out is an outcome; a limit that waiting
 * does not end suspends the run.
 */
import type { AgentJob, AgentSink } from '../agents/agent.ts';
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import { steadyClock } from '../agents/watchdog.ts';
import type { EffectContext } from '../engine/performer.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import { addUsage, type AgentOutcome, noUsage } from '../policy/agent-outcome.ts';
import { afterTrouble, type PastTrouble, type TroubleAction, troubleLimits } from '../policy/after-trouble.ts';
import type { Amount } from '../policy/amount.ts';
import { allotmentFor } from '../policy/forecast.ts';
import {
  fallbackAgents,
  otherModel,
  type Route,
  type RoutedAgent,
  type RoutingQuestion,
  routeWork,
  tierUp,
} from '../policy/routing.ts';
import type { Settings } from '../policy/settings.ts';
import { beforeDispatch } from '../policy/usage-threshold.ts';
import type { AccountGates } from './account-gates.ts';
import type { LeasedMeter, Metering } from './metering.ts';
import type { RunBudget, Share } from './run-budget.ts';
import type { WorkHistory } from './work-history.ts';

export interface DispatchDeps {
  readonly settings: Settings;
  /** The user's environment, for variables that name models. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agent: (name: string) => Promise<ConfiguredAgent>;
  readonly gates: AccountGates;
  readonly budget: RunBudget;
  readonly metering: Metering;
  readonly history: WorkHistory;
}

export interface DispatchRequest {
  readonly role: string;
  readonly agent: string;
  readonly task: string | undefined;
  readonly attempt: number;
  /** The job for that agent, but for what the dispatch decides. */
  readonly jobFor: (agent: ConfiguredAgent, name: string) => Promise<AgentJob>;
  readonly sink: AgentSink;
}

export interface Dispatched {
  readonly outcome: AgentOutcome;
  readonly route: Route;
}

export async function dispatchAgent(
  deps: DispatchDeps,
  request: DispatchRequest,
  context: EffectContext,
): Promise<Dispatched> {
  const question = questionOf(deps, request, context);
  const history: PastTrouble[] = [];
  let route = routeWork(question);
  let usage = noUsage;
  for (let turn = 1; ; turn += 1) {
    const agent = await deps.agent(route.agent);
    const ahead = aheadOfTheWall(deps, { agent, route, context });
    if (ahead !== undefined) {
      context.progress({ note: ahead.note });
      route = routeWork({ ...question, agent: ahead.agent });
      continue;
    }
    await deps.gates.pass(agent.account, context);
    context.progress({ note: describeRoute(request.role, route) });
    const outcome = await takeTurn(deps, { request, route, agent, turn }, context);
    usage = addUsage(usage, outcome.usage);
    if (outcome.status !== 'trouble') return { outcome: { ...outcome, usage }, route };
    const action = afterTrouble({
      trouble: outcome.trouble,
      history,
      agent: route.agent,
      now: context.clock.now().getTime(),
      jitter: Math.random(),
      alternatives: {
        tierUp: tierUp(question, route)?.tier,
        otherModel: otherModel(question, route)?.model,
        agents: fallbackAgents(question.agents, request.agent),
      },
      limits: limitsOf(deps.settings),
    });
    history.push({ agent: route.agent, code: outcome.trouble.code, action: action.action });
    context.progress({ note: describeAction(route.agent, outcome.trouble.code, action) });
    switch (action.action) {
      case 'retry':
        await steadyClock.wait(action.delayMs, context.signal);
        context.signal.throwIfAborted();
        break;
      case 'wait':
        deps.gates.close(agent.account, action.until);
        break;
      case 'tier-up':
        route = tierUp(question, route) ?? route;
        break;
      case 'other-model':
        route = otherModel(question, route) ?? route;
        break;
      case 'handoff':
        route = routeWork({ ...question, agent: action.agent });
        break;
      case 'stop':
        return { outcome: stopped({ ...outcome, usage }, action.hint), route };
    }
  }
}

interface Turn {
  readonly request: DispatchRequest;
  readonly route: Route;
  readonly agent: ConfiguredAgent;
  readonly turn: number;
}

async function takeTurn(deps: DispatchDeps, at: Turn, context: EffectContext): Promise<AgentOutcome> {
  const { request, route, agent, turn } = at;
  const { role, task } = request;
  const id = `${context.key}@${context.attempt}.${turn}`;
  const share = await deps.budget.share({ id, role, task, ...allotment(deps, at) }, context);
  const began = steadyClock.now();
  let meter: LeasedMeter | undefined;
  let reported: AgentOutcome | undefined;
  try {
    meter = await deps.metering.lease(agent, share.purse, deps.settings.prices);
    const job = { ...(await request.jobFor(agent, route.agent)), model: route.model, effort: route.effort, meter };
    reported = await agent.driver.run(job, request.sink, context.signal);
  } finally {
    await settle(share, { meter, agent, reported, ms: steadyClock.now() - began });
  }
  refuseOwnLimit(reported, meter);
  const outcome = meter === undefined ? reported : { ...reported, usage: meter.usage() };
  const { usage, durationMs } = outcome;
  deps.history.add({ role, tier: route.tier, model: route.model, usage, durationMs });
  return outcome;
}

/** The meter knows what was used, cut off or not; of others only what they report is known, and else nothing. */
async function settle(
  share: Share,
  end: {
    meter: LeasedMeter | undefined;
    agent: ConfiguredAgent;
    reported: AgentOutcome | undefined;
    ms: number;
  },
): Promise<void> {
  const { meter, agent, reported, ms } = end;
  if (meter !== undefined) {
    await meter.close();
    await share.closeMetered(reported?.durationMs ?? ms);
  } else if (reported !== undefined) await share.closeWith(reported.usage, reported.durationMs);
  else if (agent.counted) await share.forfeit();
  else await share.closeWith(noUsage, 0);
}

/** An agent whose use nobody counts sets nothing aside; it still may not begin once the budget is used up. */
function allotment(
  { settings, history }: DispatchDeps,
  { agent, request, route }: Turn,
): { want: Amount; min: Amount } {
  const least = { usd: 1e-9, tokens: 1, turns: 1, minutes: 0.001, attempts: 1 };
  if (!agent.counted) return { want: least, min: least };
  const { role, task } = request;
  const { want, min } = allotmentFor(
    { role, tier: route.tier, model: route.model, task },
    { history: history.past(), prices: settings.prices },
  );
  return { want: { ...want, attempts: 1 }, min: { ...min, attempts: 1 } };
}

/** The run's own limit, which the agent saw as its provider's: the work is not to blame, and nobody tries again by itself. */
function refuseOwnLimit(outcome: AgentOutcome, meter: LeasedMeter | undefined): void {
  const refusal = meter?.refusal();
  if (refusal === undefined || outcome.status === 'replied') return;
  throw new ForgeError('limit-reached', `The budget does not allow more. ${refusal}`, {
    hint: 'Nothing is lost. Go on with a higher limit: forge resume <run> --budget <limit>.',
  });
}

/** Who would do a role's work now, as the run was begun. */
export function routeRole(deps: DispatchDeps, role: string, state: Readonly<RunState>): Route {
  const input = state.created?.input as { agents?: Readonly<Record<string, unknown>> } | null | undefined;
  const agent = input?.agents?.[role];
  const [first = ''] = Object.keys(deps.settings.agents);
  const asked = { role, agent: typeof agent === 'string' ? agent : first, task: undefined, attempt: 1 };
  return routeWork(questionOf(deps, asked, { state }));
}

function questionOf(
  deps: DispatchDeps,
  request: Pick<DispatchRequest, 'role' | 'agent' | 'task' | 'attempt'>,
  { state }: Pick<EffectContext, 'state'>,
): RoutingQuestion {
  const { agents, roles } = deps.settings;
  const own = roles[request.role];
  const task = state.plan?.tasks.find(({ id }) => id === request.task);
  return {
    role: request.role,
    ...(task === undefined ? {} : { task: { tag: task.kind } }),
    attempt: request.attempt,
    agents: Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, routed(agent)])),
    // Whoever began the run chose the agent; everything else is the settings'.
    roles: { ...roles, [request.role]: { ...(typeof own === 'string' ? {} : own), agent: request.agent } },
    env: deps.env,
  };
}

function routed(agent: Settings['agents'][string]): RoutedAgent {
  if (agent.driver === 'scripted' || agent.driver === 'command') return {};
  const provider = agent.driver === 'builtin' ? agent.provider : agent.agent === 'claude' ? 'anthropic' : undefined;
  const { model, tiers, effort, next } = agent;
  return { model, tiers, effort, next, provider };
}

/** New work goes to the next agent before this one's window is full. */
function aheadOfTheWall(
  deps: DispatchDeps,
  { agent, route, context }: { agent: ConfiguredAgent; route: Route; context: EffectContext },
): { agent: string; note: string } | undefined {
  const { agents, trouble } = deps.settings;
  const chain = fallbackAgents(
    Object.fromEntries(Object.entries(agents).map(([name, one]) => [name, routed(one)])),
    route.agent,
  );
  const decided = beforeDispatch({
    agent: route.agent,
    windows: deps.metering.windows(agent.account),
    agents: chain,
    now: context.clock.now().getTime(),
    threshold: trouble.handoffAt,
  });
  if (decided.action === 'continue') return undefined;
  const { window, used } = decided.window;
  return {
    agent: decided.agent,
    note: `${route.agent} has used ${Math.round(used)} % of ${window}: ${decided.agent} takes over`,
  };
}

function limitsOf({ trouble }: Settings) {
  return { ...troubleLimits, retries: trouble.retries, longestWaitMs: trouble.longestWait * 60_000 };
}

/** A limit of the provider's says nothing about the work: the run is suspended, and the same key is performed again later. */
function stopped(outcome: Extract<AgentOutcome, { status: 'trouble' }>, hint: string): AgentOutcome {
  const { trouble } = outcome;
  if (trouble.code === 'rate_limit') {
    throw new ForgeError('limit-reached', `The agent's provider limits its rate. ${trouble.message}`.trim(), {
      hint: `${hint} Resume the run when the limit is over: nothing is lost.`.trim(),
    });
  }
  return { ...outcome, trouble: { ...trouble, message: `${trouble.message} ${hint}`.trim() } };
}

function describeRoute(role: string, { agent, model, tier, effort, reasons }: Route): string {
  const parts = [model, `tier ${tier}`, effort === undefined ? undefined : `effort ${effort}`]
    .filter(Boolean)
    .join(', ');
  return `${role} by ${agent} (${parts}): ${reasons.join('; ')}`;
}

function describeAction(agent: string, code: string, action: TroubleAction): string {
  const what = {
    retry: () => `again in ${Math.ceil((action as { delayMs: number }).delayMs / 1000)} s`,
    wait: () => `waiting until ${new Date((action as { until: number }).until).toISOString()}`,
    'tier-up': () => 'one tier up',
    'other-model': () => 'with another model',
    handoff: () => `${(action as { agent: string }).agent} takes over`,
    stop: () => 'stopped',
  }[action.action]();
  return `${agent}: ${code}; ${what}`;
}
