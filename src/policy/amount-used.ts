/** What the work of an agent counts for against a budget. Pure. */
import type { Amount } from './amount.ts';
import { costOf, type PriceSettings } from './prices.ts';
import type { Usage } from './usage.ts';

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

/** A price of nothing is a price. What an agent paid for less than all its input at the full rate, nobody knows. */
function isFree(model: string | undefined, settings: PriceSettings): boolean {
  if (model === undefined) return false;
  const million = { input: 1e6, cacheRead: 1e6, cacheWrite: 1e6, cacheWriteLong: 1e6, output: 1e6 };
  const cost = costOf(model, million, { settings });
  return cost.known && cost.usd === 0;
}
