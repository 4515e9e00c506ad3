/** What a turn used, in ACP's words. Pure. Cached tokens are counted apart from the input, as ACP's other agents do. */
import type { LanguageModelUsage } from 'ai';

export interface TurnUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly thoughtTokens: number;
  readonly cachedReadTokens: number;
  readonly cachedWriteTokens: number;
  /** Model calls. */
  readonly calls: number;
}

export const noTurnUsage: TurnUsage = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  thoughtTokens: 0,
  cachedReadTokens: 0,
  cachedWriteTokens: 0,
  calls: 0,
};

export function usageOfStep(usage: LanguageModelUsage): TurnUsage {
  const { inputTokens: sent = 0, outputTokens = 0 } = usage;
  const { cacheReadTokens: cachedReadTokens = 0, cacheWriteTokens: cachedWriteTokens = 0 } = usage.inputTokenDetails;
  return {
    inputTokens: Math.max(0, sent - cachedReadTokens - cachedWriteTokens),
    outputTokens,
    totalTokens: sent + outputTokens,
    thoughtTokens: usage.outputTokenDetails.reasoningTokens ?? 0,
    cachedReadTokens,
    cachedWriteTokens,
    calls: 1,
  };
}

export function addTurnUsage(a: TurnUsage, b: TurnUsage): TurnUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    thoughtTokens: a.thoughtTokens + b.thoughtTokens,
    cachedReadTokens: a.cachedReadTokens + b.cachedReadTokens,
    cachedWriteTokens: a.cachedWriteTokens + b.cachedWriteTokens,
    calls: a.calls + b.calls,
  };
}
