/**
 * Amounts of what a run can use up: dollars, tokens, model turns, wall-clock minutes, attempts; and, of the tokens, those
 * of which nobody knows what they cost. Pure arithmetic on a grid fine enough for any price, so that sums do not drift: what was set aside and given back leaves exactly
 * what was there before. In a limit a measure that is left out is unlimited; in anything else it is zero.
 */
export const amountMeasures = ['usd', 'tokens', 'turns', 'minutes', 'attempts', 'unpriced'] as const;
export type Measure = (typeof amountMeasures)[number];
export type Amount = { readonly [M in Measure]?: number | undefined };

export const emptyAmount: Amount = {};

export function addAmounts(a: Amount, b: Amount): Amount {
  return perMeasure((measure) => (a[measure] ?? 0) + (b[measure] ?? 0));
}

/** What is left of `a` without `b`; never less than nothing. */
export function subtractAmount(a: Amount, b: Amount): Amount {
  return perMeasure((measure) => Math.max(0, (a[measure] ?? 0) - (b[measure] ?? 0)));
}

export function largestAmount(a: Amount, b: Amount): Amount {
  return perMeasure((measure) => Math.max(a[measure] ?? 0, b[measure] ?? 0));
}

/** Whether `a` is enough for `b` in every measure. */
export function coversAmount(a: Amount, b: Amount): boolean {
  return amountMeasures.every((measure) => onGrid(a[measure] ?? 0, measure) >= onGrid(b[measure] ?? 0, measure));
}

/** What a limit still allows; a limit between two steps of the grid is the lower one. */
export function leftOf(limit: number, used: number, measure: Measure): number {
  const steps = Math.floor(limit * grid[measure] + 1e-3) - Math.round(used * grid[measure]);
  return Math.max(0, steps) / grid[measure];
}

/** The amount on the grid, without measures of which there is nothing. A negative or endless one is a bug. */
export function perMeasure(of: (measure: Measure) => number): Amount {
  const entries = amountMeasures.map((measure) => [measure, onGrid(of(measure), measure)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== 0));
}

/** Steps per unit: a billionth of a dollar, a millisecond, one of anything that is counted. */
const grid: Readonly<Record<Measure, number>> = {
  usd: 1e9,
  tokens: 1,
  turns: 1,
  minutes: 60_000,
  attempts: 1,
  unpriced: 1,
};

function onGrid(value: number, measure: Measure): number {
  if (!(value >= 0 && value <= 1e13)) throw new Error(`not an amount of ${measure}: ${value}`);
  return Math.round(value * grid[measure]) / grid[measure];
}
