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
import type { WireProtocol } from './wire.ts';

export interface CostBound {
  readonly amount: Amount;
  readonly tokens: TokenCounts;
  readonly priced: boolean;
}

/** An answer shorter than this is of no use to an agent that asked for more. */
export const leastUsefulOutput = 4000;

export function costBoundOf(request: ModelRequest, prices: PriceSettings = {}): CostBound {
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
  const fits = Math.min(asked, Math.floor(Math.min(byTokens, byUsd) / outputsOf(request)) - 1);
  return fits >= least ? fits : undefined;
}

/** The same request with the shortest answer that is of use. */
export function withShortestAnswer(
  request: ModelRequest,
  prices: PriceSettings = {},
): ModelRequest & { maxOutput: number } {
  const asked = request.maxOutput ?? mostOutput(priceOf(request.model, prices));
  return { ...request, maxOutput: leastOutput(request, asked) };
}

function leastOutput({ thinking }: ModelRequest, asked: number): number {
  return Math.min(asked, Math.max(leastUsefulOutput, thinking + 1000));
}

/** What is known of what a request used. */
export interface KnownUse {
  readonly tokens: Partial<TokenCounts>;
  readonly complete: boolean;
  /** Of tools that run at the provider, by name. */
  readonly uses?: Readonly<Record<string, number>> | undefined;
  /** Whether it was answered faster, for more money; undefined: nothing was said. */
  readonly rush?: boolean | undefined;
  /** Whether it was answered in a region that costs more. */
  readonly region?: boolean | undefined;
  /** Which model says that it answered. */
  readonly model?: string | undefined;
  /** What the provider says that it charged. */
  readonly usd?: number | undefined;
}

/** What it used: what is known of it, and the bound for what is not. */
export function usedTokens(request: ModelRequest, bound: CostBound, { tokens, complete }: KnownUse): TokenCounts {
  const output = complete ? (tokens.output ?? 0) : Math.max(tokens.output ?? 0, bound.tokens.output);
  // Of an answer that was cut, later passes over the input may be missing.
  const inputKnown = tokens.input !== undefined && (complete || passesOf(request) === 1);
  if (!inputKnown) return { ...bound.tokens, output };
  const { cacheWrite = 0, cacheWriteLong } = tokens;
  const written =
    cacheWriteLong === undefined && request.cacheWrite === 'long' ? { cacheWrite: 0, cacheWriteLong: cacheWrite } : {};
  return { ...noTokens, ...tokens, ...written, output };
}

export interface UsePrices {
  readonly prices: PriceSettings;
  /** Dollars for one use of a tool that runs at the provider. */
  readonly fees: Readonly<Record<string, number>>;
}

/** Charged is the dearest of what can be meant: of two models, and of the provider's own sum. */
export function costOfUse(
  request: ModelRequest,
  bound: CostBound,
  known: KnownUse,
  { prices, fees }: UsePrices,
): Amount {
  const tokens = usedTokens(request, bound, known);
  const scale = known.region === true ? dearerRegion : known.complete ? 1 : regionOf(request);
  const paidFees = known.complete ? feesOf(known.uses ?? {}, fees) : request.fees;
  const computed = [request.model, known.model ?? request.model]
    .map((model) => priceOf(model, prices))
    .flatMap((found) =>
      found.known ? [costAt(found.price, tokens, known.rush ?? request.rush) * scale + paidFees] : [],
    );
  const all = allTokens(tokens);
  const usd = Math.max(...computed, known.usd ?? 0, 0);
  const priced = priceOf(request.model, prices).known;
  return { tokens: all, turns: 1, ...(usd > 0 || priced ? { usd } : {}), ...(priced ? {} : { unpriced: all }) };
}

/** A tool that nobody has set a fee for should not have been used; if it was, it counts as a dear one. */
function feesOf(uses: Readonly<Record<string, number>>, fees: Readonly<Record<string, number>>): number {
  return Object.entries(uses).reduce((sum, [name, count]) => {
    return sum + count * (Object.hasOwn(fees, name) ? (fees[name] ?? 0) : unknownFee);
  }, 0);
}

export function allTokens({ input, cacheRead, cacheWrite, cacheWriteLong, output }: TokenCounts): number {
  return input + cacheRead + cacheWrite + cacheWriteLong + output;
}

/** Around messages and tools, beyond the bytes that describe them. */
const hiddenPrompt = 4000;
/** Some count an image by its pixels, however few bytes it has. */
const largestImage: Readonly<Record<WireProtocol, number>> = {
  anthropic: 6000,
  'openai-responses': 60_000,
  'openai-chat': 60_000,
  gemini: 60_000,
};
/** What a model has thought, kept for the provider alone, may be packed: so many tokens more for each character. */
const packed = 3;
const usualContext = 1_050_000;
const usualMaxOutput = 128_000;
const unknownFee = 0.05;
/** Anthropic answers in a single country for a tenth more; an account may have that as its default. */
const dearerRegion = 1.1;

/** How often the model may read the input: for the answer, after each tool of the provider's, and for summaries. */
function passesOf({ hostedUses, compacts }: ModelRequest): number {
  return (hostedUses + 1) * (compacts ? 2 : 1);
}

function regionOf({ wire }: ModelRequest): number {
  return wire === 'anthropic' ? dearerRegion : 1;
}

function boundAt(request: ModelRequest, found: PriceLookup, output: number): CostBound {
  const context = found.known ? found.price.context : usualContext;
  const { bytes, images, opaque, byReference, hostedUses, compacts } = request;
  const body = bytes + hiddenPrompt + images * largestImage[request.wire] + opaque * packed;
  const once = body + (byReference || hostedUses > 0 ? context : 0);
  const input = once * passesOf(request);
  const summaries = compacts ? mostOutput(found) * (hostedUses + 1) : 0;
  const kind = cacheKinds[request.cacheWrite];
  const tokens: TokenCounts = {
    ...noTokens,
    [dearest(found, input, kind)]: input,
    output: (output + request.besides) * outputsOf(request) + summaries,
  };
  const all = allTokens(tokens);
  const scale = regionOf(request);
  const paid = found.known
    ? { usd: costAt(found.price, tokens, request.rush) * scale + request.fees }
    : { unpriced: all };
  return { amount: { tokens: all, turns: 1, ...paid }, tokens, priced: found.known };
}

/** How many outputs of the limited length there may be. */
function outputsOf({ answers, hostedUses }: ModelRequest): number {
  return answers * (hostedUses + 1);
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
  const rates = ratesFor(found.price, allTokens({ ...tokens, output: 0 }));
  return (rates.output / 1e6) * (request.rush ? found.price.rush : 1) * regionOf(request);
}

function mostOutput(found: PriceLookup): number {
  return found.known ? found.price.maxOutput : usualMaxOutput;
}
