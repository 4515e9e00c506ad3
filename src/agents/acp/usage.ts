/**
 * What an agent says it used, read the way its record says its figures are meant. Pure but for the sum it keeps. Input
 * counts everything that was sent, cached or not. Figures of the last call only are a lower bound; a meter, where there
 * is one, knows better.
 */
import { z } from 'zod';
import { addUsage, noUsage, type Usage } from '../../policy/usage.ts';
import type { SessionUpdate } from './decode.ts';
import type { AcpRecord } from './record.ts';

export interface UsageReader {
  update(update: SessionUpdate): void;
  /** The answer to a prompt. */
  turn(answer: unknown): void;
  total(): Usage;
}

const count = z.number().nonnegative().nullish().catch(0);
const countsSchema = z
  .object({
    inputTokens: count,
    cachedReadTokens: count,
    cachedWriteTokens: count,
    cachedInputTokens: count,
    cacheWriteInputTokens: count,
    outputTokens: count,
    input_tokens: count,
    output_tokens: count,
  })
  .catch({
    inputTokens: 0,
    cachedReadTokens: 0,
    cachedWriteTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    input_tokens: 0,
    output_tokens: 0,
  });
const quotaSchema = z
  .object({
    token_count: z.unknown().optional(),
    model_usage: z.array(z.object({ token_count: z.unknown().optional() }).catch({ token_count: {} })).catch([]),
  })
  .catch({ token_count: {}, model_usage: [] });
const answerSchema = z
  .object({
    usage: z.unknown().optional(),
    _meta: z.object({ quota: z.unknown().optional() }).nullish().catch(undefined),
  })
  .catch({ usage: undefined, _meta: undefined });

/** `continued`: the agent reports the cost of the whole session, and what earlier jobs cost is not this one's. */
export function usageReader(kind: AcpRecord['usage'], continued: boolean): UsageReader {
  let tokens: Usage = noUsage;
  let paid: { readonly before: number; readonly now: number } | undefined = continued
    ? undefined
    : { before: 0, now: 0 };

  const ofAnswer = (answer: unknown): Usage => {
    const { usage, _meta } = answerSchema.parse(answer);
    const quota = quotaSchema.parse(_meta?.quota);
    const byModel = quota.model_usage.map((row) => tokensOf(row.token_count)).reduce(addUsage, noUsage);
    const whole = larger(tokensOf(quota.token_count), byModel);
    if (kind === 'meta-quota') return whole;
    // Calls beside the main loop are only in the figures by model.
    return larger(tokensOf(usage), kind === 'turn' ? byModel : noUsage);
  };
  return {
    update(update) {
      const { _meta: meta } = update;
      if (kind === 'meta-chunks') tokens = addUsage(tokens, tokensOf(meta?.['usage']));
      if (update.sessionUpdate !== 'usage_update' || update.cost?.currency.toUpperCase() !== 'USD') return;
      paid = { before: paid?.before ?? update.cost.amount, now: update.cost.amount };
    },
    turn(answer) {
      if (kind === 'none') return;
      const used = kind === 'meta-chunks' ? noUsage : ofAnswer(answer);
      tokens = addUsage(tokens, used);
      if (tokens.inputTokens + tokens.outputTokens > 0) tokens = { ...tokens, turns: tokens.turns + 1 };
    },
    total: () => ({ ...tokens, costUsd: paid === undefined ? 0 : Math.max(0, paid.now - paid.before) }),
  };
}

function tokensOf(value: unknown): Usage {
  const read = countsSchema.parse(value ?? {});
  const sum = (...names: readonly (keyof typeof read)[]) => names.reduce((total, name) => total + (read[name] ?? 0), 0);
  return {
    ...noUsage,
    inputTokens: sum(
      'inputTokens',
      'cachedReadTokens',
      'cachedWriteTokens',
      'cachedInputTokens',
      'cacheWriteInputTokens',
      'input_tokens',
    ),
    outputTokens: sum('outputTokens', 'output_tokens'),
  };
}

function larger(a: Usage, b: Usage): Usage {
  return a.inputTokens + a.outputTokens >= b.inputTokens + b.outputTokens ? a : b;
}
