/**
 * Who begins a piece of work, and who is passed over: agents near the limit of their account, and those that would take
 * over but are not there. Both are noted. Whom the work was meant for is never passed over for not being there.
 */
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import type { EffectContext } from '../engine/performer.ts';
import { type ErrorCode, ForgeError } from '../errors.ts';
import { fallbackAgents, type Route, type RoutingQuestion, routeWork } from '../policy/routing.ts';
import type { Settings } from '../policy/settings.ts';
import { beforeDispatch, type UsageWindow } from '../policy/usage-threshold.ts';
import type { Metering } from './metering.ts';
import type { AccountLimits } from './shared-limits.ts';

interface BeginningDeps {
  readonly gates: AccountLimits;
  readonly settings: Settings;
  readonly metering: Metering;
  readonly agent: (name: string) => Promise<ConfiguredAgent>;
}

interface Beginning {
  readonly question: RoutingQuestion;
  readonly route: Route;
  readonly context: EffectContext;
  /** Agents that are not there, and why. */
  readonly unopened: Map<string, string>;
}

/** New work goes to the next agent before this one's window is full; each is passed over once. */
export async function routeBeforeUsageLimit(deps: BeginningDeps, at: Beginning): Promise<Route> {
  const { question, route, context, unopened } = at;
  const exhausted: string[] = [];
  let { account } = await deps.agent(route.agent);
  for (let current = route; ; ) {
    const decided = beforeDispatch({
      agent: current.agent,
      windows: windowsOf(deps, account, context),
      agents: fallbackAgents(question.agents, route.agent),
      exhausted: [...exhausted, ...unopened.keys()],
      now: context.clock.now().getTime(),
      threshold: deps.settings.trouble.handoffAt,
    });
    // Where all of them are near their limits, it is done by whom it was meant for.
    if (decided.action === 'continue') return isFull(deps, account, context) ? route : current;
    const { window, used } = decided.window;
    const next = await accountOf(deps, decided.agent, at);
    if (next === undefined) continue;
    exhausted.push(current.agent);
    context.progress({
      note: `${current.agent} has used ${Math.round(used)} % of ${window}: ${decided.agent} takes over`,
    });
    current = routeWork({ ...question, agent: decided.agent });
    account = next;
  }
}

/** Undefined for an agent that is not there, which is noted. */
async function accountOf(deps: BeginningDeps, agent: string, { context, unopened }: Beginning) {
  try {
    return (await deps.agent(agent)).account;
  } catch (error) {
    if (!isAgentUnavailable(error)) throw error;
    passOverAgent(unopened, { agent, error, context });
    return undefined;
  }
}

/** What is known of the account's use; one that its provider closed is full until then. */
function windowsOf(
  { metering, gates }: BeginningDeps,
  account: string,
  context: EffectContext,
): readonly UsageWindow[] {
  const resetsAt = gates.closedUntil(account, context);
  const closed = resetsAt === undefined ? [] : [{ window: 'its limit', used: 100, resetsAt }];
  return [...metering.windows(account), ...closed];
}

function isFull(deps: BeginningDeps, account: string, context: EffectContext): boolean {
  const now = context.clock.now().getTime();
  const { settings } = deps;
  return windowsOf(deps, account, context).some(
    ({ used, resetsAt }) => used >= settings.trouble.handoffAt && (resetsAt === undefined || resetsAt > now),
  );
}

/** What it means that an agent is not there: its settings, its key or login, its program. */
const notThere: ReadonlySet<ErrorCode> = new Set(['agent-unavailable', 'bad-config', 'bad-script', 'program-missing']);

export function isAgentUnavailable(error: unknown): error is ForgeError {
  return error instanceof ForgeError && notThere.has(error.code);
}

export function passOverAgent(
  unopened: Map<string, string>,
  { agent, error, context }: { agent: string; error: ForgeError; context: EffectContext },
): void {
  unopened.set(agent, error.message);
  context.progress({ note: `${agent} can not take over: ${error.message}` });
}

export function hintWithUnopened(hint: string, unopened: ReadonlyMap<string, string>): string {
  if (unopened.size === 0) return hint;
  const why = [...unopened].map(([agent, message]) => `${agent} (${message})`);
  return `${hint} Could not take over: ${why.join('; ')}.`;
}
