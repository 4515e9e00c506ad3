/**
 * The most a request can cost, before it is sent. A token is at least a byte of the body, so input is bounded by
 * its size, what a provider adds around messages, images at their largest and, for what is only referred to, the
 * whole window of the model; output by the limit in the request or the model's own. Pure. Where a model's price is
 * not known the bound has no dollars; its tokens are set aside as unpriced instead.
 */
import type { Amount } from '../../policy/amount.ts';
import {
  costAt,
  type PriceLookup,
  type PriceSettings,
  priceOf,
  ratesFor,
  type TokenCounts,
} from '../../policy/prices.ts';
import type { ModelRequest } from './model-request.ts';
import { noTokens } from './read-usage/usage-reader.ts';

export interface Bound {
  readonly amount: Amount;
  readonly tokens: TokenCounts;
  readonly priced: boolean;
}

/** An answer shorter than this is of no use to an agent that asked for more. */
export const leastUsefulOutput = 4000;

export function boundOf(request: ModelRequest, prices: PriceSettings = {}): Bound {
  const found = priceOf(request.model, prices);
  return boundAt(request, found, request.maxOutput ?? mostOutput(found));
}

/** The largest limit on the output with which the request fits into `room`, if that is of use; for each answer. */
export function outputThatFits(request: ModelRequest, room: Amount, prices: PriceSettings = {}): number | undefined {
  const found = priceOf(request.model, prices);
  const asked = request.maxOutput ?? mostOutput(found);
  const least = leastOutput(request, asked);
  const bare = boundAt(request, found, 0).amount;
  const unpriced = (room.unpriced ?? Infinity) - (bare.unpriced ?? 0);
  const byTokens = Math.min((room.tokens ?? Infinity) - (bare.tokens ?? 0), unpriced);
  const perToken = found.known ? outputPrice(request, found) : 0;
  const byUsd = perToken === 0 ? Infinity : ((room.usd ?? Infinity) - (bare.usd ?? 0)) / perToken;
  // One less: dollars are compared on a grid.
  const fits = Math.min(asked, Math.floor(Math.min(byTokens, byUsd) / request.answers) - 1);
  return fits >= least ? fits : undefined;
}

/** The same request with the shortest answer that is of use. */
export function shortest(request: ModelRequest, prices: PriceSettings = {}): ModelRequest & { maxOutput: number } {
  const asked = request.maxOutput ?? mostOutput(priceOf(request.model, prices));
  return { ...request, maxOutput: leastOutput(request, asked) };
}

function leastOutput({ thinking }: ModelRequest, asked: number): number {
  return Math.min(asked, Math.max(leastUsefulOutput, thinking + 1000));
}

/** What is known of what a request used. */
export interface KnownUse {
  readonly tokens: Partial<TokenCounts>;
  /** Of tools that run at the provider. */
  readonly uses: number;
  readonly complete: boolean;
}

/** What it used: what is known of it, and the bound for what is not. */
export function usedTokens(bound: Bound, known: KnownUse): TokenCounts {
  const { tokens, complete } = known;
  const input = tokens.input === undefined ? bound.tokens : { ...noTokens, ...tokens };
  return { ...input, output: complete ? (tokens.output ?? 0) : Math.max(tokens.output ?? 0, bound.tokens.output) };
}

export function costOfUse(request: ModelRequest, bound: Bound, known: KnownUse, prices: PriceSettings): Amount {
  const tokens = usedTokens(bound, known);
  const found = priceOf(request.model, prices);
  const fee = feePerUse * (known.complete ? known.uses : request.hostedUses);
  const all = allTokens(tokens);
  const paid = found.known ? { usd: costAt(found.price, tokens, request.rush) + fee } : { unpriced: all };
  return { tokens: all, turns: 1, ...paid };
}

export function allTokens({ input, cacheRead, cacheWrite, cacheWriteLong, output }: TokenCounts): number {
  return input + cacheRead + cacheWrite + cacheWriteLong + output;
}

/** Around messages and tools, beyond the bytes that describe them. */
const hiddenPrompt = 2000;
const largestImage = 6000;
const usualContext = 1_050_000;
const usualMaxOutput = 128_000;
/** Dollars for one use of a tool that runs at the provider, such as a search. */
const feePerUse = 0.01;

function boundAt(request: ModelRequest, found: PriceLookup, output: number): Bound {
  const context = found.known ? found.price.context : usualContext;
  const elsewhere = request.byReference || request.hostedUses > 0 ? context : 0;
  const input = request.bytes + hiddenPrompt + request.images * largestImage + elsewhere;
  const kind = cacheKinds[request.cacheWrite];
  const tokens: TokenCounts = { ...noTokens, [dearest(found, input, kind)]: input, output: output * request.answers };
  const all = allTokens(tokens);
  const paid = found.known ? { usd: costAt(found.price, tokens, request.rush) + fees(request) } : { unpriced: all };
  return { amount: { tokens: all, turns: 1, ...paid }, tokens, priced: found.known };
}

const cacheKinds = { none: 'input', short: 'cacheWrite', long: 'cacheWriteLong' } as const;
type InputKind = Exclude<keyof TokenCounts, 'output'>;

/** Of the ways its input may be counted, the one that costs most: a person's own prices may have any order. */
function dearest(found: PriceLookup, input: number, written: InputKind): InputKind {
  if (!found.known) return 'input';
  const rates = ratesFor(found.price, input);
  const kinds: readonly InputKind[] = ['input', 'cacheRead', written];
  return kinds.reduce((dear, kind) => (rates[kind] > rates[dear] ? kind : dear));
}

function outputPrice(request: ModelRequest, found: PriceLookup & { known: true }): number {
  const { tokens } = boundAt(request, found, 0);
  const rates = ratesFor(found.price, allTokens(tokens));
  return (rates.output / 1e6) * (request.rush ? found.price.rush : 1);
}

function mostOutput(found: PriceLookup): number {
  return found.known ? found.price.maxOutput : usualMaxOutput;
}

function fees(request: ModelRequest): number {
  return request.hostedUses * feePerUse;
}
