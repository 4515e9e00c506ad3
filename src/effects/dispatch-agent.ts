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
import { otherModel, type Route, routeWork, tierUp } from '../policy/routing.ts';
import type { Settings } from '../policy/settings.ts';
import { addUsage, noUsage } from '../policy/usage.ts';
import { describeAction } from './describe-dispatch.ts';
import { type RoutedWork, type RoutingDeps, routingQuestion } from './route-role.ts';
import {
  hintWithUnopened,
  isFull,
  isAgentUnavailable,
  passOverAgent,
  type Seat,
  type SeatDeps,
  seatName,
  seatsOf,
  takeSeat,
  type TakenSeat,
} from './take-seat.ts';
import { takeTurn, type TurnDeps } from './take-turn.ts';

export interface DispatchDeps extends RoutingDeps, TurnDeps, SeatDeps {
  readonly settings: Settings;
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
  const toBegin = () => takeSeat(deps, { question, route: routeWork(question), context, unopened });
  let { route, account: seated } = await toBegin();
  let usage = noUsage;
  let before: EarlierTurn | undefined;
  let last: Troubled | undefined;
  let handedTo: string;
  for (let turn = 1; ; turn += 1) {
    const seat = { agent: route.agent, account: seated };
    const taken = await turnOf(deps, { request, route, seat, turn, before }, context);
    if (taken.status === 'unopened') {
      // Whom the work was meant for has to be there; who would only take over is passed over.
      const isOfAgent = seated === undefined || taken.error.code === 'program-missing';
      if (isOfAgent && route.agent === (last?.route ?? routeWork(question)).agent) throw taken.error;
      passOverAgent(unopened, { agent: seatName(seat), error: taken.error, context });
      history.pop();
      if (last === undefined) {
        ({ route, account: seated } = await toBegin());
        continue;
      }
    } else {
      usage = addUsage(usage, taken.outcome.usage);
      if (taken.outcome.status !== 'trouble') return { outcome: { ...taken.outcome, usage }, route };
      last = { outcome: taken.outcome, account: taken.account, route, seated };
    }
    const { outcome, account } = last;
    const { trouble } = outcome;
    ({ route, seated } = last);
    const name = seatName({ agent: route.agent, account: seated });
    const others = (await seatsOf(deps, { question, route: routeWork(question) })).filter(
      (one) => seatName(one) !== name && !unopened.has(seatName(one)),
    );
    const action = afterTrouble({
      trouble,
      history,
      agent: name,
      now: context.clock.now().getTime(),
      jitter: Math.random(),
      alternatives: {
        tierUp: tierUp(question, route)?.tier,
        otherModel: otherModel(question, route)?.model,
        accounts: await freeAccounts(deps, { seats: others, agent: route.agent }, context),
        agents: others.filter(({ agent }) => agent !== route.agent).map(seatName),
      },
      limits: limitsOf(deps.settings),
    });
    history.push({ agent: name, code: trouble.code, action: action.action });
    context.progress({ note: describeAction(name, trouble, action) });
    // Whoever takes over has no use for the session, and one in which a model refused only repeats itself.
    before = { session: outcome.session };
    switch (action.action) {
      case 'retry':
        await steadyClock.wait(action.delayMs, context.signal);
        context.signal.throwIfAborted();
        break;
      case 'wait':
        await deps.gates.close(account, action.until);
        if (action.until - context.clock.now().getTime() > troubleLimits.shortWaitMs) {
          const next: TakenSeat = await toBegin();
          if (next.route.agent !== route.agent || next.account !== seated) before = { session: undefined };
          ({ route, account: seated } = next);
        }
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
        ({ agent: handedTo, account: seated } = others.find((one) => seatName(one) === action.agent) ?? seat);
        route = handedTo === route.agent ? route : routeWork({ ...question, agent: handedTo });
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
  readonly seated: string | undefined;
}

/** Other accounts of the agent on which work could begin now. */
async function freeAccounts(
  deps: DispatchDeps,
  { seats, agent }: { readonly seats: readonly Seat[]; readonly agent: string },
  context: EffectContext,
): Promise<readonly string[]> {
  const own = seats.filter((seat) => seat.agent === agent);
  const free = await Promise.all(
    own.map(async (seat) => {
      try {
        return isFull(deps, (await deps.agent(agent, seat.account)).account, context) ? [] : [seatName(seat)];
      } catch (error) {
        if (!isAgentUnavailable(error)) throw error;
        return [];
      }
    }),
  );
  return free.flat();
}

type Taken =
  | { readonly status: 'taken'; readonly outcome: AgentOutcome; readonly account: string }
  | { readonly status: 'unopened'; readonly error: ForgeError };

async function turnOf(
  deps: DispatchDeps,
  at: { request: DispatchRequest; route: Route; seat: Seat; turn: number; before: EarlierTurn | undefined },
  context: EffectContext,
): Promise<Taken> {
  const { request, route, seat, turn, before } = at;
  try {
    const agent = await deps.agent(seat.agent, seat.account);
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
