/**
 * Whether a request may be sent, and as what: with the money for the most it can cost set aside. If that is not
 * there, with a lower limit on its output; then without the provider's own tools; else not at all.
 */
import type { PriceSettings } from '../../policy/prices.ts';
import { type Bound, boundOf, outputThatFits, shortest } from './bound.ts';
import type { ModelRequest, ReadBody } from './model-request.ts';
import type { Deposit, Purse } from './purse.ts';

export interface Admitted {
  readonly request: ModelRequest;
  readonly bound: Bound;
  readonly deposit: Deposit;
  readonly body: Buffer;
}

export async function admit(
  read: ReadBody,
  purse: Purse,
  prices: PriceSettings,
  signal: AbortSignal,
): Promise<Admitted | undefined> {
  const { request } = read;
  const whole = boundOf(request, prices);
  const deposit = await purse.reserve(whole.amount, signal);
  if (deposit !== undefined) return { request, bound: whole, deposit, body: read.render({}) };
  const bare = { ...request, hostedUses: 0 };
  for (const candidate of request.hostedUses === 0 ? [request] : [request, bare]) {
    const maxOutput = outputThatFits(candidate, purse.room(), prices);
    if (maxOutput === undefined) continue;
    const smaller = { ...candidate, maxOutput };
    const bound = boundOf(smaller, prices);
    const paid = await purse.reserve(bound.amount, signal);
    if (paid === undefined) continue;
    const body = read.render({ maxOutput, withoutHostedTools: candidate === bare });
    return { request: smaller, bound, deposit: paid, body };
  }
  // Asked for last, so that what would be needed is said to be no more than it is.
  const last = shortest(bare, prices);
  const bound = boundOf(last, prices);
  const paid = await purse.reserve(bound.amount, signal);
  if (paid === undefined) return undefined;
  return {
    request: last,
    bound,
    deposit: paid,
    body: read.render({ maxOutput: last.maxOutput, withoutHostedTools: request.hostedUses > 0 }),
  };
}
