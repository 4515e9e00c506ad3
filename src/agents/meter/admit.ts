/**
 * Whether a request may be sent, and as what: with the money for the most it can cost set aside. If that is not
 * there, with a lower limit on its output; else not at all.
 */
import type { PriceSettings } from '../../policy/prices.ts';
import { type Bound, boundOf, outputThatFits, shortest } from './bound.ts';
import type { ModelRequest, ReadRequest } from './model-request.ts';
import type { Deposit, JobPurse } from './purse.ts';

export interface Admitted {
  readonly request: ModelRequest;
  readonly bound: Bound;
  readonly deposit: Deposit;
  readonly body: Buffer;
}

export async function admit(
  read: ReadRequest & { readonly ok: true },
  purse: JobPurse,
  prices: PriceSettings,
  signal: AbortSignal,
): Promise<Admitted | undefined> {
  const { request } = read;
  const whole = boundOf(request, prices);
  const deposit = await purse.reserve(whole.amount, signal);
  if (deposit !== undefined) return { request, bound: whole, deposit, body: read.render() };
  if (!request.limitable) return undefined;
  const fitting = outputThatFits(request, purse.room(), prices);
  // The shortest is asked for last, so that what would be needed is said to be no more than it is.
  for (const maxOutput of [fitting, shortest(request, prices).maxOutput]) {
    if (maxOutput === undefined) continue;
    const smaller = { ...request, maxOutput };
    const bound = boundOf(smaller, prices);
    const paid = await purse.reserve(bound.amount, signal);
    if (paid !== undefined) return { request: smaller, bound, deposit: paid, body: read.render(maxOutput) };
  }
  return undefined;
}
