/**
 * One piece of work given to an agent, whatever its provider does: who does it is routed, its share of the budget is set
 * aside, its requests are metered, and passing trouble is put up with as the policies say (again, later, with another
 * model, by another agent). Every decision is recorded with its reason. What comes out is an outcome of the work; a
 * limit or a provider that does not serve says nothing about the work and suspends the run.
 */
import type { AgentJob, AgentSink } from '../agents/agent.ts';
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import { steadyClock } from '../agents/watchdog.ts';
import type { EffectContext } from '../engine/performer.ts';
import { type ErrorCode, ForgeError } from '../errors.ts';
import { afterTrouble, type PastTrouble, troubleLimits } from '../policy/after-trouble.ts';
import type { AgentOutcome } from '../policy/agent-outcome.ts';
import { fallbackAgents, otherModel, type Route, routeWork, tierUp } from '../policy/routing.ts';
import type { Settings } from '../policy/settings.ts';
import { addUsage, noUsage } from '../policy/usage.ts';
import { describeAction } from './describe-dispatch.ts';
import { hintWithUnopened, isAgentUnavailable, passOverAgent, routeBeforeUsageLimit } from './pass-over.ts';
import { type RoutedWork, type RoutingDeps, routingQuestion } from './route-role.ts';
import type { AccountLimits } from './shared-limits.ts';
import { type TurnDeps, takeTurn } from './take-turn.ts';

export interface DispatchDeps extends RoutingDeps, TurnDeps {
  readonly settings: Settings;
  readonly agent: (name: string) => Promise<ConfiguredAgent>;
  readonly gates: AccountLimits;
}

export interface DispatchRequest extends RoutedWork {
  /** The job for that agent, but for what the dispatch decides. */
  readonly jobFor: (agent: ConfiguredAgent, name: string, before: EarlierTurn | undefined) => Promise<AgentJob>;
  readonly sink: AgentSink;
}

/** What a turn of the same dispatch left that ended in trouble. */
export interface EarlierTurn {
  /** To be continued; undefined: another session has to find its way. */
  readonly session: string | undefined;
}

export interface Dispatched {
  readonly outcome: AgentOutcome;
  readonly route: Route;
}

type TroubleOutcome = Extract<AgentOutcome, { status: 'trouble' }>;

export async function dispatchAgent(
  deps: DispatchDeps,
  request: DispatchRequest,
  context: EffectContext,
): Promise<Dispatched> {
  const question = routingQuestion(deps, request, context.snapshot);
  const history: PastTrouble[] = [];
  const unopened = new Map<string, string>();
  const toBegin = () => routeBeforeUsageLimit(deps, { question, route: routeWork(question), context, unopened });
  let route = await toBegin();
  let usage = noUsage;
  let before: EarlierTurn | undefined;
  let last: Troubled | undefined;
  for (let turn = 1; ; turn += 1) {
    const taken = await turnOf(deps, { request, route, turn, before }, context);
    if (taken.status === 'unopened') {
      // Whom the work was meant for has to be there; who would only take over is passed over.
      if (route.agent === (last?.route ?? routeWork(question)).agent) throw taken.error;
      passOverAgent(unopened, { agent: route.agent, error: taken.error, context });
      history.pop();
      if (last === undefined) {
        route = await toBegin();
        continue;
      }
    } else {
      usage = addUsage(usage, taken.outcome.usage);
      if (taken.outcome.status !== 'trouble') return { outcome: { ...taken.outcome, usage }, route };
      last = { outcome: taken.outcome, account: taken.account, route };
    }
    const { outcome, account } = last;
    const { trouble } = outcome;
    route = last.route;
    const action = afterTrouble({
      trouble,
      history,
      agent: route.agent,
      now: context.clock.now().getTime(),
      jitter: Math.random(),
      alternatives: {
        tierUp: tierUp(question, route)?.tier,
        otherModel: otherModel(question, route)?.model,
        agents: fallbackAgents(question.agents, request.agent).filter((name) => !unopened.has(name)),
      },
      limits: limitsOf(deps.settings),
    });
    history.push({ agent: route.agent, code: trouble.code, action: action.action });
    context.progress({ note: describeAction(route.agent, trouble, action) });
    // Whoever takes over has no use for the session, and one in which a model refused only repeats itself.
    before = { session: outcome.session };
    switch (action.action) {
      case 'retry':
        await steadyClock.wait(action.delayMs, context.signal);
        context.signal.throwIfAborted();
        break;
      case 'wait':
        await deps.gates.close(account, action.until);
        break;
      case 'tier-up':
        route = tierUp(question, route) ?? route;
        break;
      case 'other-model':
        route = otherModel(question, route) ?? route;
        before = { session: undefined };
        break;
      case 'handoff':
        // New work does not begin on an account that its provider has closed for a while.
        if (trouble.code === 'rate_limit' && trouble.retryAfterMs !== undefined)
          await deps.gates.close(account, context.clock.now().getTime() + trouble.retryAfterMs);
        route = routeWork({ ...question, agent: action.agent });
        before = { session: undefined };
        break;
      case 'stop':
        return { outcome: stopped({ ...outcome, usage }, hintWithUnopened(action.hint, unopened)), route };
    }
  }
}

/** A turn that ended in trouble, and on whose account. */
interface Troubled {
  readonly outcome: TroubleOutcome;
  readonly account: string;
  readonly route: Route;
}

type Taken =
  | { readonly status: 'taken'; readonly outcome: AgentOutcome; readonly account: string }
  | { readonly status: 'unopened'; readonly error: ForgeError };

async function turnOf(
  deps: DispatchDeps,
  at: { request: DispatchRequest; route: Route; turn: number; before: EarlierTurn | undefined },
  context: EffectContext,
): Promise<Taken> {
  const { request, route, turn, before } = at;
  try {
    const agent = await deps.agent(route.agent);
    await deps.gates.pass(agent.account, context);
    const job = () => request.jobFor(agent, route.agent, before);
    const outcome = await takeTurn(deps, { ...request, route, agent, turn, job }, context);
    return { status: 'taken', outcome, account: agent.account };
  } catch (error) {
    if (!isAgentUnavailable(error)) throw error;
    return { status: 'unopened', error };
  }
}

function limitsOf({ trouble }: Settings) {
  return { ...troubleLimits, retries: trouble.retries, longestWaitMs: trouble.longestWait * 60_000 };
}

/** Trouble that a person has to fix, or time: the run is suspended, and the same key is performed again later. */
const suspends: ReadonlyMap<string, ErrorCode> = new Map([
  ['rate_limit', 'limit-reached'],
  ['authentication', 'agent-unavailable'],
  ['billing', 'agent-unavailable'],
  ['model_not_found', 'agent-unavailable'],
  ['tool_missing', 'agent-unavailable'],
  ['network', 'agent-unavailable'],
  ['overloaded', 'agent-unavailable'],
  ['server', 'agent-unavailable'],
  ['stream_cut', 'agent-unavailable'],
]);

function stopped(outcome: TroubleOutcome, hint: string): AgentOutcome {
  const { code, message } = outcome.trouble;
  const kind = suspends.get(code);
  if (kind !== undefined) throw new ForgeError(kind, `${code}: ${message}`.trim(), { hint });
  return { ...outcome, trouble: { ...outcome.trouble, message: `${sentence(message)} ${hint}`.trim() } };
}

function sentence(text: string): string {
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`;
}
