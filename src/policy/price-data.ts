/**
 * What model providers publish: US dollars per million tokens, and how much a model reads and writes at most.
 * Data only, as of 2026-11-16. Introductory prices that are announced to end are entered at the price that
 * follows, and where a provider has several rates for a faster answer the dearest counts, so that a budget errs on the
 * safe side. A model that is not here is unknown, and is treated as that.
 *
 * Each entry names its source, and the date since when or at which it said so. A large letter: the provider's own page was
 * read; a small one: readings of it that others have published.
 * [A] platform.claude.com/docs/en/about-claude/pricing and the pages of the models below /docs/en/models;
 * [O] developers.openai.com/api/docs/pricing and the pages of the models below /api/docs/models;
 * [G] ai.google.dev/gemini-api/docs/pricing.
 */

/** Dollars per million tokens. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** The usual lifetime of a cache entry; the longer one costs `cacheWriteLong`. */
  readonly cacheWrite: number;
  readonly cacheWriteLong: number;
}

export interface ModelPrice extends Rates {
  /** The rates of a request whose input is over so many tokens. */
  readonly long?: Rates & { readonly over: number };
  /** How many times as much a faster answer costs, where that can be asked for. */
  readonly rush: number;
  readonly context: number;
  readonly maxOutput: number;
}

/** Models by the name they have without a provider in front and a date behind; dots and dashes are the same. */
export const publishedPrices: Readonly<Record<string, ModelPrice>> = {
  // [A] 2026-09-01; from 4.6 on the whole window at the same rates.
  ...family(['claude-fable-5-1', 'claude-mythos-5-1'], anthropic(10, 50, { cacheRead: 0.25 })),
  ...family(['claude-fable-5', 'claude-mythos-5'], anthropic(10, 50)),
  // [A] 2026-09-22, its cache [a]; a faster answer is twice as much.
  ...family(['claude-opus-5-5'], anthropic(4, 20, { cacheRead: 0.2 })),
  // [A] 2026-07-24; a faster answer is twice as much.
  ...family(['claude-opus-5', 'claude-opus-4-8'], anthropic(5, 25)),
  // [A] 2026-07; a faster answer of these was six times as much.
  ...family(['claude-opus-4-7', 'claude-opus-4-6'], anthropic(5, 25, { rush: 6 })),
  // [A] 2026-07.
  ...family(['claude-opus-4-5'], anthropic(5, 25, { context: 200_000, maxOutput: 64_000 })),
  // [A] 2026-07; retired but at other clouds.
  ...family(
    ['claude-opus-4-1', 'claude-opus-4', 'claude-opus-4-0'],
    anthropic(15, 75, { context: 200_000, maxOutput: 32_000 }),
  ),
  // [A] 2026-09-28; [a] 2026-10-07: reading from the cache became cheaper.
  ...family(['claude-sonnet-5-5'], anthropic(2, 10, { cacheRead: 0.1 })),
  // [A] 2026-09-01: the introductory price has become the price.
  ...family(['claude-sonnet-5'], anthropic(2, 10)),
  // [A] 2026-02.
  ...family(['claude-sonnet-4-6'], anthropic(3, 15)),
  // [A] 2026-02; dearer over 200,000 tokens.
  ...family(['claude-sonnet-4-5', 'claude-sonnet-4', 'claude-sonnet-4-0'], {
    ...anthropic(3, 15, { maxOutput: 64_000 }),
    long: { over: 200_000, ...anthropicRates(6, 22.5) },
  }),
  // [A] 2026-02; deprecated.
  ...family(['claude-3-7-sonnet'], anthropic(3, 15, { context: 200_000, maxOutput: 128_000 })),
  // [A] 2026-10-07; [a] dearer over 100,000 tokens.
  ...family(['claude-haiku-5-5'], { ...anthropic(0.1, 0.5), long: { over: 100_000, ...anthropicRates(0.5, 2.5) } }),
  // [A] 2026-02.
  ...family(['claude-haiku-4-5'], anthropic(1, 5, { context: 200_000, maxOutput: 64_000 })),
  // [A] 2026-02.
  ...family(['claude-3-5-haiku'], anthropic(0.8, 4, { context: 200_000, maxOutput: 8192 })),

  // [o] Over 272,000 tokens of input twice as much, and one and a half times for the output.
  // [o] 2026-09-05.
  ...family(['gpt-6-astra'], openai(10, 50, { cacheRead: 1, cacheWrite: 12.5 })),
  // [o] 2026-09-30.
  ...family(['gpt-6-1-sol'], openai(2, 10, { cacheRead: 0.1, cacheWrite: 2.5 })),
  // [o] 2026-09-22.
  ...family(['gpt-6-sol'], openai(2, 10, { cacheRead: 0.2, cacheWrite: 2.5 })),
  // [o] 2026-10-26.
  ...family(['gpt-6-1-terra'], openai(1, 5, { cacheRead: 0.05, cacheWrite: 1.25 })),
  // [o] 2026-09-22.
  ...family(['gpt-6-luna'], openai(0.1, 0.5, { cacheRead: 0.01, cacheWrite: 0.125 })),
  // [o] 2026-08-21: lower than the 5 and 30 it began with.
  ...family(['gpt-5-6-sol', 'gpt-5-6'], openai(4, 20, { cacheRead: 0.4, cacheWrite: 5 })),
  // [o] 2026-07-30.
  ...family(['gpt-5-6-terra'], openai(2, 12, { cacheRead: 0.2, cacheWrite: 2.5 })),
  ...family(['gpt-5-6-luna'], openai(0.2, 1.2, { cacheRead: 0.02, cacheWrite: 0.25 })),
  // [o] 2026-11.
  ...family(['gpt-5-5'], openai(5, 30)),
  ...family(['gpt-5-4'], openai(2.5, 15)),
  ...family(['gpt-5-4-mini'], { ...openai(0.75, 4.5), context: 400_000 }),
  // [o] 2026-09-30.
  ...family(['gpt-5-2', 'gpt-5-2-codex', 'gpt-5-3-codex'], short(openai(1.75, 14))),
  // [o] 2026-09-30.
  ...family(['gpt-5', 'gpt-5-1', 'gpt-5-codex', 'gpt-5-1-codex', 'gpt-5-1-codex-max'], short(openai(1.25, 10))),
  ...family(['gpt-5-mini'], short(openai(0.25, 2))),
  ...family(['gpt-5-nano'], short(openai(0.05, 0.4))),
  // [o] 2026-11.
  ...family(['gpt-4-1'], { ...short(openai(2, 8, { cacheRead: 0.5 })), context: 1_047_576, maxOutput: 32_768 }),
  ...family(['gpt-4-1-mini'], {
    ...short(openai(0.4, 1.6, { cacheRead: 0.1 })),
    context: 1_047_576,
    maxOutput: 32_768,
  }),
  ...family(['gpt-4o'], { ...short(openai(2.5, 10, { cacheRead: 1.25 })), context: 128_000, maxOutput: 16_384 }),
  ...family(['gpt-4o-mini'], {
    ...short(openai(0.15, 0.6, { cacheRead: 0.075 })),
    context: 128_000,
    maxOutput: 16_384,
  }),
  ...family(['o3'], { ...short(openai(2, 8, { cacheRead: 0.5 })), context: 200_000, maxOutput: 100_000 }),
  ...family(['o4-mini'], { ...short(openai(1.1, 4.4, { cacheRead: 0.275 })), context: 200_000, maxOutput: 100_000 }),

  // [g] 2026-10-07; half of it until 2026-12-31.
  ...family(['gemini-3-8-flash', 'gemini-3-7-flash', 'gemini-3-6-flash'], google(1.5, 7.5)),
  // [g] 2026-05-19.
  ...family(['gemini-3-5-flash'], google(1.5, 9)),
  // [g] 2026-05-07, text; dearer over 200,000 tokens for the large ones.
  ...family(['gemini-3-flash'], google(0.5, 3)),
  ...family(['gemini-3-1-flash-lite'], google(0.25, 1.5)),
  ...family(['gemini-3-1-pro', 'gemini-3-1-pro-preview-customtools', 'gemini-3-pro'], {
    ...google(2, 12),
    long: { over: 200_000, ...googleRates(4, 18) },
  }),
  // [g] 2026-05.
  ...family(['gemini-2-5-pro'], { ...google(1.25, 10), long: { over: 200_000, ...googleRates(2.5, 15) } }),
  ...family(['gemini-2-5-flash'], google(0.3, 2.5)),
  ...family(['gemini-2-5-flash-lite'], google(0.1, 0.4)),
};

type Differing = Partial<Omit<ModelPrice, 'input' | 'output' | 'long'>>;

function family(names: readonly string[], price: ModelPrice): Readonly<Record<string, ModelPrice>> {
  return Object.fromEntries(names.map((name) => [name, price]));
}

function anthropicRates(input: number, output: number): Rates {
  return { input, output, cacheRead: input / 10, cacheWrite: input * 1.25, cacheWriteLong: input * 2 };
}

function anthropic(input: number, output: number, differing: Differing = {}): ModelPrice {
  return { ...anthropicRates(input, output), rush: 2, context: 1_000_000, maxOutput: 128_000, ...differing };
}

function openai(input: number, output: number, differing: Differing = {}): ModelPrice {
  const { cacheRead = input / 10, cacheWrite = input } = differing;
  const rates = { input, output, cacheRead, cacheWrite, cacheWriteLong: cacheWrite };
  const long = {
    over: 272_000,
    input: input * 2,
    output: output * 1.5,
    cacheRead: cacheRead * 2,
    cacheWrite: cacheWrite * 2,
    cacheWriteLong: cacheWrite * 2,
  };
  return { ...rates, long, rush: 2.5, context: 1_050_000, maxOutput: 128_000 };
}

/** Without a rate for long input, which it cannot take. */
function short({ long: _long, ...price }: ModelPrice): ModelPrice {
  return { ...price, context: 400_000 };
}

function googleRates(input: number, output: number): Rates {
  return { input, output, cacheRead: input / 10, cacheWrite: input, cacheWriteLong: input };
}

function google(input: number, output: number): ModelPrice {
  return { ...googleRates(input, output), rush: 2, context: 1_048_576, maxOutput: 65_536 };
}
