/**
 * Gemini: every chunk carries `usageMetadata`, cumulative; a stream without `alt=sse` is one JSON array of chunks.
 * Thinking is counted beside the answer and is output too; what tools put into the prompt is input.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import { countIn, fields, splitInput, type UsageReader } from './usage-reader.ts';

export function readGemini(): UsageReader {
  let known: Partial<TokenCounts> = {};
  let finished = false;
  const takeChunk = (data: unknown) => {
    const chunk = fields(data);
    const candidates = Array.isArray(chunk['candidates']) ? (chunk['candidates'] as readonly unknown[]) : [];
    finished ||=
      candidates.some((each) => typeof fields(each)['finishReason'] === 'string') ||
      typeof fields(chunk['promptFeedback'])['blockReason'] === 'string';
    const usage = fields(chunk['usageMetadata']);
    const prompt = countIn(usage['promptTokenCount']);
    if (prompt === undefined) return;
    const byTools = countIn(usage['toolUsePromptTokenCount']) ?? 0;
    const output = (countIn(usage['candidatesTokenCount']) ?? 0) + (countIn(usage['thoughtsTokenCount']) ?? 0);
    known = { ...splitInput(prompt + byTools, countIn(usage['cachedContentTokenCount'])), output };
  };
  return {
    take(data) {
      if (Array.isArray(data)) data.forEach(takeChunk);
      else takeChunk(data);
    },
    soFar: () => known,
    complete: () => finished && known.output !== undefined,
  };
}
