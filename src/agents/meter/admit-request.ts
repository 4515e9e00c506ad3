/**
 * Whether a request may be sent, and as what: with the money for the most it can cost set aside. If that is not
 * there, with a lower limit on its output; else not at all.
 */
import type { PriceSettings } from '../../policy/prices.ts';
import { type CostBound, costBoundOf, outputThatFits, withShortestAnswer } from './bound.ts';
import type { ModelRequest, ReadRequest } from './model-request.ts';
import type { Deposit, JobPurse } from './purse.ts';

export interface AdmittedRequest {
  readonly request: ModelRequest;
  readonly bound: CostBound;
  readonly deposit: Deposit;
  readonly body: Buffer;
}

export async function admitRequest(
  read: ReadRequest & { readonly ok: true },
  purse: JobPurse,
  prices: PriceSettings,
  signal: AbortSignal,
): Promise<AdmittedRequest | undefined> {
  const { request } = read;
  const whole = costBoundOf(request, prices);
  const deposit = await purse.reserve(whole.amount, signal);
  if (deposit !== undefined) return { request, bound: whole, deposit, body: read.render() };
  if (!request.limitable) return undefined;
  const fitting = outputThatFits(request, purse.room(), prices);
  // The shortest is asked for last, so that what would be needed is said to be no more than it is.
  for (const maxOutput of [fitting, withShortestAnswer(request, prices).maxOutput]) {
    if (maxOutput === undefined) continue;
    const smaller = { ...request, maxOutput };
    const bound = costBoundOf(smaller, prices);
    const paid = await purse.reserve(bound.amount, signal);
    if (paid !== undefined) return { request: smaller, bound, deposit: paid, body: read.render(maxOutput) };
  }
  return undefined;
}
