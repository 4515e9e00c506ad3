/**
 * What holds a limit in dollars where nobody can count dollars: tokens. Pure. Wherever dollars are limited and tokens are
 * not (the run, each task, a role), so many tokens of models without a known price stand for each dollar as in the limit
 * of a run for which nothing is set. Work whose price is known is not held by them.
 */
import type { Usage } from './usage.ts';
import type { Amount } from './amount.ts';
import type { BudgetLimits } from './budget.ts';
import { costOf, type PriceSettings } from './prices.ts';

/** For a run for which nobody said anything. */
export const defaultRunLimit = { usd: 10, tokens: 20_000_000, minutes: 480 } as const satisfies Amount;

export const unpricedPerUsd = defaultRunLimit.tokens / defaultRunLimit.usd;

export function withBackstop({ run, task, roles }: BudgetLimits): BudgetLimits {
  return {
    run: backed(run),
    task: backed(task),
    roles: Object.fromEntries(Object.entries(roles).map(([role, limit]) => [role, backed(limit)])),
  };
}

/** What an agent's own account of its work comes to: tokens count as unpriced unless dollars are known for them. */
export function amountUsed(
  { inputTokens, outputTokens, costUsd, turns }: Usage,
  model: string | undefined,
  prices: PriceSettings,
): Amount {
  const tokens = inputTokens + outputTokens;
  const known = costUsd > 0 || isFree(model, prices);
  return { usd: costUsd, tokens, turns, ...(known ? {} : { unpriced: tokens }) };
}

function backed(limit: Amount): Amount {
  const { usd, tokens } = limit;
  if (usd === undefined || tokens !== undefined) return limit;
  return { ...limit, unpriced: Math.min(Math.floor(usd * unpricedPerUsd), 1e12) };
}

/** A price of nothing is a price. What an agent paid for less than all its input at the full rate, nobody knows. */
function isFree(model: string | undefined, settings: PriceSettings): boolean {
  if (model === undefined) return false;
  const million = { input: 1e6, cacheRead: 1e6, cacheWrite: 1e6, cacheWriteLong: 1e6, output: 1e6 };
  const cost = costOf(model, million, { settings });
  return cost.known && cost.usd === 0;
}
