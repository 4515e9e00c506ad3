/**
 * One agent's turn at a piece of work: its share of the budget is set aside before it starts and settled when it is
 * over, however that is. What a meter counted is known even of a turn that was cut off; of others only what they report
 * is known. A turn that never started costs nothing.
 */
import type { AgentJob, AgentSink } from '../agents/agent.ts';
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import { steadyClock } from '../agents/watchdog.ts';
import type { EffectContext } from '../engine/performer.ts';
import { ForgeError } from '../errors.ts';
import type { AgentOutcome } from '../policy/agent-outcome.ts';
import type { Amount } from '../policy/amount.ts';
import { amountUsed } from '../policy/amount-used.ts';
import { backstopText, limitsFrom } from '../policy/budget-settings.ts';
import { allotmentFor } from '../policy/forecast.ts';
import type { Route } from '../policy/routing.ts';
import type { Settings } from '../policy/settings.ts';
import { describeRoute } from './describe-dispatch.ts';
import type { LeasedMeter, Metering } from './metering.ts';
import { budgetHint } from './run-budget.ts';
import type { BudgetLimits, BudgetShare } from './shared-limits.ts';
import type { WorkHistory } from './work-history.ts';

export interface TurnDeps {
  readonly settings: Settings;
  readonly budget: BudgetLimits;
  readonly metering: Metering;
  readonly history: WorkHistory;
}

export interface AgentTurn {
  readonly role: string;
  readonly task: string | undefined;
  readonly route: Route;
  readonly agent: ConfiguredAgent;
  /** Counts the turns of one dispatch. */
  readonly turn: number;
  readonly sink: AgentSink;
  readonly job: () => Promise<AgentJob>;
}

export async function takeTurn(deps: TurnDeps, at: AgentTurn, context: EffectContext): Promise<AgentOutcome> {
  const { role, task, route, agent, sink } = at;
  // A task that is tried again begins to count its attempts anew.
  const id = `${context.key}@${context.tryNumber}.${context.attempt}.${at.turn}`;
  const metered = agent.metered !== undefined;
  const share = await deps.budget.share({ id, role, task, metered, ...allotment(deps, at) }, context);
  const began = steadyClock.now();
  let started = false;
  let meter: LeasedMeter | undefined;
  let reported: AgentOutcome | undefined;
  try {
    meter = await deps.metering.lease(agent, share.purse, deps.settings.prices);
    if (agent.counted) sink.entry({ type: 'note', text: describeRoute(role, route) });
    const job = { ...(await at.job()), model: route.model, effort: route.effort, thinking: route.thinking, meter };
    const noticing: AgentSink = {
      ...sink,
      started: (process) => {
        started = true;
        return sink.started(process);
      },
      limits: (windows) => deps.metering.note(agent.account, windows),
    };
    reported = await agent.driver.run(job, noticing, context.signal);
  } finally {
    const used = reported === undefined ? {} : usedBy(deps, at, reported);
    await settle(share, { meter, agent, started, reported, used, ms: steadyClock.now() - began });
  }
  refuseOwnLimit(reported, meter);
  const outcome = meter === undefined ? reported : { ...reported, usage: meter.usage() };
  noteUnpriced(deps, meter, context);
  const { usage, durationMs, status } = outcome;
  if (agent.counted && status === 'replied')
    deps.history.add({ role, tier: route.tier, model: route.model, usage, durationMs });
  return outcome;
}

interface TurnEnd {
  readonly meter: LeasedMeter | undefined;
  readonly agent: ConfiguredAgent;
  readonly started: boolean;
  readonly reported: AgentOutcome | undefined;
  readonly used: Amount;
  readonly ms: number;
}

async function settle(share: BudgetShare, { meter, agent, started, reported, used, ms }: TurnEnd): Promise<void> {
  await meter?.close();
  if (!started && reported === undefined) await share.release();
  else if (meter !== undefined) await share.closeMetered(reported?.durationMs ?? ms);
  else if (reported !== undefined) await share.closeWith(used, reported.durationMs);
  else if (agent.counted) await share.forfeit();
  else await share.closeWith({}, ms);
}

function usedBy({ settings }: TurnDeps, { agent, route }: AgentTurn, { usage }: AgentOutcome): Amount {
  const { unpriced, ...used } = amountUsed(usage, route.model, settings.prices);
  return agent.counted ? { ...used, unpriced } : used;
}

/** An agent whose use nobody counts sets nothing aside; it still may not begin once the budget is used up. */
function allotment(
  { settings, history }: TurnDeps,
  { agent, role, task, route }: AgentTurn,
): { want: Amount; min: Amount } {
  const least = { usd: 1e-9, tokens: 1, turns: 1, minutes: 0.001, attempts: 1 };
  if (!agent.counted) return { want: least, min: least };
  const { want, min, priced } = allotmentFor(
    { role, tier: route.tier, model: route.model, task },
    { history: history.past(), prices: settings.prices },
  );
  // A meter sets aside what each request may use, when it knows its model.
  const whole = (amount: Amount): Amount =>
    priced || agent.metered !== undefined
      ? { ...amount, attempts: 1 }
      : { ...amount, attempts: 1, unpriced: amount.tokens };
  return { want: whole(want), min: whole(min) };
}

/** The run's own limit, which the agent saw as its provider's: the work is not to blame, and nobody tries again by itself. */
function refuseOwnLimit(outcome: AgentOutcome, meter: LeasedMeter | undefined): void {
  const refusal = meter?.refusal();
  if (refusal === undefined || outcome.status === 'replied') return;
  throw new ForgeError('limit-reached', refusal.text, { hint: budgetHint(refusal.level) });
}

function noteUnpriced({ budget, settings }: TurnDeps, meter: LeasedMeter | undefined, context: EffectContext): void {
  const models = (meter?.unpriced() ?? []).filter((model) => budget.isNews(model));
  if (models.length === 0) return;
  const backstop = backstopText(limitsFrom(settings.budget, context.snapshot.raised), models);
  context.progress({ note: backstop === '' ? `no price is known for ${models.join(', ')}` : backstop });
}
