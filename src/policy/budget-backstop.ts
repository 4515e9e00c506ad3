/**
 * What holds a limit in dollars where nobody can count dollars: tokens. Pure. Wherever dollars are limited and tokens are
 * not (the run, each task, a role), so many tokens of models without a known price stand for each dollar as in the limit
 * of a run for which nothing is set. Work whose price is known is not held by them.
 */
import type { Amount } from './amount.ts';
import type { BudgetLimits } from './budget.ts';

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

function backed(limit: Amount): Amount {
  const { usd, tokens } = limit;
  if (usd === undefined || tokens !== undefined) return limit;
  return { ...limit, unpriced: Math.min(Math.floor(usd * unpricedPerUsd), 1e12) };
}
