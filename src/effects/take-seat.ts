/**
 * Who begins a piece of work: the agent it was meant for on the account in use, or where that is near its limit the next
 * account, then the agents that take over. Where all of them are full it waits for the first reset and looks again now
 * and then, because an account may be added meanwhile. Every decision is noted. An agent that the work was meant for is
 * never passed over for not being there, but one of its accounts can be.
 */
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import { steadyClock } from '../agents/watchdog.ts';
import type { EffectContext } from '../engine/performer.ts';
import { type ErrorCode, ForgeError } from '../errors.ts';
import { fallbackAgents, type Route, type RoutingQuestion, routeWork } from '../policy/routing.ts';
import type { Settings } from '../policy/settings.ts';
import {
  chooseSeat,
  type SeatChoice,
  type SeatUsage,
  tightestWindow,
  type UsageWindow,
} from '../policy/usage-threshold.ts';
import type { Metering } from './metering.ts';
import type { AccountLimits } from './shared-limits.ts';

/** An agent on one of its accounts; without an account it uses what the settings and the environment give it. */
export interface Seat {
  readonly agent: string;
  readonly account: string | undefined;
}

export interface SeatDeps {
  readonly gates: AccountLimits;
  readonly settings: Settings;
  readonly metering: Metering;
  readonly agent: (name: string, account?: string) => Promise<ConfiguredAgent>;
  /** The accounts that an agent can work on, in the order in which they are tried; undefined: it has no choice. */
  readonly accountsFor?: (agent: string) => Promise<readonly (string | undefined)[]>;
}

export interface SeatRequest {
  readonly question: RoutingQuestion;
  readonly route: Route;
  readonly context: EffectContext;
  /** Seats that are not there, and why. */
  readonly unopened: Map<string, string>;
}

export interface TakenSeat {
  readonly route: Route;
  readonly account: string | undefined;
}

export function seatName({ agent, account }: Seat): string {
  return account === undefined ? agent : `${agent} (account ${account})`;
}

/** A sleeping machine's timers are late, and accounts come and go. */
const lookAgainMs = 5000;

export async function takeSeat(deps: SeatDeps, at: SeatRequest): Promise<TakenSeat> {
  const { question, route, context } = at;
  for (let noted = ''; ; ) {
    context.signal.throwIfAborted();
    const found = await seatsToChoose(deps, at);
    const [first, ...rest] = found;
    if (first === undefined) {
      throw new ForgeError('agent-unavailable', `${route.agent} cannot be used on any account`, {
        hint: hintWithUnopened('Run `forge accounts` and `forge agents` to see why.', at.unopened),
      });
    }
    const now = context.clock.now().getTime();
    const choice = chooseSeat({
      seats: [first.usage, ...rest.map(({ usage }) => usage)],
      now,
      threshold: deps.settings.trouble.handoffAt,
      longestWaitMs: deps.settings.trouble.longestWait * 60_000,
    });
    const chosen = found.find(({ usage }) => usage.seat === choice.seat) ?? first;
    if (choice.action !== 'wait') {
      if (choice.action === 'handoff') noteHandover(deps, first.usage.seat, { choice, context });
      else handovers.get(deps)?.delete(first.usage.seat);
      const { agent, account } = chosen.seat;
      return { route: agent === route.agent ? route : routeWork({ ...question, agent }), account };
    }
    const until = new Date(choice.until).toISOString();
    if (until !== noted) {
      const note = `${seatName(chosen.seat)} has used ${Math.round(choice.window.used)} % of ${choice.window.window}, and nobody else can take over: waiting until ${until}`;
      context.progress({ note, wait: { account: chosen.label, until } });
      noted = until;
    }
    await steadyClock.wait(Math.min(choice.until - now, lookAgainMs), context.signal);
  }
}

/** By process: who took over from whom. Said when it changes, not for every piece of work that goes the same way. */
const handovers = new WeakMap<SeatDeps, Map<string, string>>();

function noteHandover(
  deps: SeatDeps,
  from: string,
  about: { readonly choice: Extract<SeatChoice, { action: 'handoff' }>; readonly context: EffectContext },
): void {
  const { seat, window } = about.choice;
  const known = handovers.get(deps) ?? new Map<string, string>();
  handovers.set(deps, known);
  if (known.get(from) === seat) return;
  known.set(from, seat);
  const used = `${Math.round(window.used)} % of ${window.window}`;
  about.context.progress({ note: `${from} has used ${used}: ${seat} takes over` });
}

/** The agent's own seats, then those of the agents that take over from it. */
export async function seatsOf(deps: SeatDeps, { question, route }: Pick<SeatRequest, 'question' | 'route'>) {
  const names = [route.agent, ...fallbackAgents(question.agents, route.agent)];
  const seats = await Promise.all(
    names.map(async (agent): Promise<readonly Seat[]> => {
      const accounts = (await deps.accountsFor?.(agent)) ?? [];
      return accounts.length === 0 ? [{ agent, account: undefined }] : accounts.map((account) => ({ agent, account }));
    }),
  );
  return seats.flat();
}

/** Whether new work may begin on an account. */
export function isFull(deps: SeatDeps, label: string, context: EffectContext): boolean {
  const tightest = tightestWindow(windowsOf(deps, label, context), context.clock.now().getTime());
  return tightest !== undefined && tightest.used >= deps.settings.trouble.handoffAt;
}

interface FoundSeat {
  readonly seat: Seat;
  readonly label: string;
  readonly usage: SeatUsage;
}

/** In order, up to the first that is free: nobody else has to be there. */
async function seatsToChoose(deps: SeatDeps, at: SeatRequest): Promise<readonly FoundSeat[]> {
  const { route, context, unopened } = at;
  const found: FoundSeat[] = [];
  let missing: ForgeError | undefined;
  for (const seat of await seatsOf(deps, at)) {
    const name = seatName(seat);
    // Nobody of the agent the work was meant for is there.
    if (seat.agent !== route.agent && found.length === 0 && missing !== undefined) throw missing;
    if (unopened.has(name)) continue;
    try {
      const { account: label } = await deps.agent(seat.agent, seat.account);
      const windows = windowsOf(deps, label, context);
      found.push({ seat, label, usage: { seat: name, windows } });
      if (!isFull(deps, label, context)) break;
    } catch (error) {
      if (!isAgentUnavailable(error)) throw error;
      missing ??= error;
      if (seat.account === undefined && seat.agent === route.agent && found.length === 0) continue;
      passOverAgent(unopened, { agent: name, error, context });
    }
  }
  if (found.length === 0 && missing !== undefined) throw missing;
  return found;
}

/** What is known of the account's use; one that its provider closed is full until then. */
function windowsOf({ metering, gates }: SeatDeps, label: string, context: EffectContext): readonly UsageWindow[] {
  const resetsAt = gates.closedUntil(label, context);
  const closed = resetsAt === undefined ? [] : [{ window: 'its limit', used: 100, resetsAt }];
  return [...metering.windows(label), ...closed];
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
  context.progress({ note: `${agent} cannot take over: ${error.message}` });
}

export function hintWithUnopened(hint: string, unopened: ReadonlyMap<string, string>): string {
  if (unopened.size === 0) return hint;
  const why = [...unopened].map(([agent, message]) => `${agent} (${message})`);
  return `${hint} Could not take over: ${why.join('; ')}.`;
}
