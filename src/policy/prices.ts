/**
 * What tokens cost. Pure: a model's name and counts in, dollars or "unknown" out; nothing is guessed from a name
 * that looks similar. Settings go before what providers publish, so that a person's own contract or a local model
 * that costs nothing can be named.
 */
import { z } from 'zod';
import { type ModelPrice, publishedPrices, type Rates } from './price-data.ts';

/** Disjoint counts: every token of input is in exactly one of the first four. */
export interface TokenCounts {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWriteLong: number;
  readonly output: number;
}

const rate = z.number().nonnegative().max(1e6);

/** Under `prices`, by the model's name; a `*` at its end stands for anything. Dollars per million tokens. */
export const priceSettingsSchema = z
  .record(
    z.string().min(1),
    z.strictObject({
      input: rate,
      output: rate,
      cacheRead: rate.optional(),
      cacheWrite: rate.optional(),
      context: z.int().positive().max(1e9).optional(),
      maxOutput: z.int().positive().max(1e9).optional(),
    }),
  )
  .default({});
export type PriceSettings = z.infer<typeof priceSettingsSchema>;

export type PriceLookup = { readonly known: true; readonly price: ModelPrice } | { readonly known: false };

export function priceOf(model: string, settings: PriceSettings = {}): PriceLookup {
  const own = ownPrice(model, settings);
  if (own !== undefined) return { known: true, price: own };
  const name = familyOf(model);
  return Object.hasOwn(publishedPrices, name) && publishedPrices[name] !== undefined
    ? { known: true, price: publishedPrices[name] }
    : { known: false };
}

export type RequestCost = { readonly known: true; readonly usd: number } | { readonly known: false };

export interface CostTerms {
  readonly settings?: PriceSettings;
  /** A faster answer was asked for. */
  readonly rush?: boolean;
}

export function costOf(model: string, tokens: TokenCounts, terms: CostTerms = {}): RequestCost {
  const found = priceOf(model, terms.settings);
  return found.known ? { known: true, usd: costAt(found.price, tokens, terms.rush ?? false) } : { known: false };
}

export function costAt(price: ModelPrice, tokens: TokenCounts, rush: boolean): number {
  const rates = ratesFor(price, tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.cacheWriteLong);
  const millionths =
    tokens.input * rates.input +
    tokens.cacheRead * rates.cacheRead +
    tokens.cacheWrite * rates.cacheWrite +
    tokens.cacheWriteLong * rates.cacheWriteLong +
    tokens.output * rates.output;
  return (millionths / 1e6) * (rush ? price.rush : 1);
}

export function ratesFor(price: ModelPrice, inputTokens: number): Rates {
  return price.long !== undefined && inputTokens > price.long.over ? price.long : price;
}

function ownPrice(model: string, settings: PriceSettings): ModelPrice | undefined {
  const exact = Object.hasOwn(settings, model) ? settings[model] : undefined;
  const byStart = Object.keys(settings)
    .filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)))
    .toSorted((a, b) => b.length - a.length)[0];
  const own = exact ?? (byStart === undefined ? undefined : settings[byStart]);
  if (own === undefined) return undefined;
  const { input, output, cacheRead = input, context = 1_050_000, maxOutput = 128_000 } = own;
  // What is not said is taken at the most that providers ask.
  const cacheWrite = own.cacheWrite ?? input * 1.25;
  const cacheWriteLong = own.cacheWrite === undefined ? input * 2 : own.cacheWrite * 1.6;
  return { input, output, cacheRead, cacheWrite, cacheWriteLong, rush: rushOf(model), context, maxOutput };
}

/** How many times as much haste costs: as published for that model, else the most that any provider asks. */
function rushOf(model: string): number {
  const name = familyOf(model);
  return (Object.hasOwn(publishedPrices, name) ? publishedPrices[name]?.rush : undefined) ?? 6;
}

/** `anthropic/claude-sonnet-4.5-20250929[1m]` → `claude-sonnet-4-5`. Only a date and words for "the newest" are taken off. */
function familyOf(model: string): string {
  return model
    .toLowerCase()
    .replace(/^(?:[a-z0-9-]{1,40}\/){1,2}/, '')
    .replace(/\[1m\]$/, '')
    .replace(/\./g, '-')
    .replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)$/, '')
    .replace(/-(?:preview(?:-\d\d-\d\d(?:\d\d)?)?|latest)$/, '');
}
