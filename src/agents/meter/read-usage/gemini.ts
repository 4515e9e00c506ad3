/**
 * Gemini: every chunk carries `usageMetadata`, cumulative; a stream without `alt=sse` is one JSON array of chunks.
 * Thinking is counted beside the answer and is output too; what tools put into the prompt is input.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import type { KnownUse } from '../bound.ts';
import {
  countIn,
  largerReport,
  listItems,
  modelIn,
  objectFields,
  outputOf,
  splitInput,
  type UsageReader,
} from './usage-reader.ts';

export function readGemini(): UsageReader {
  let tokens: Partial<TokenCounts> = {};
  let about: Pick<KnownUse, 'rush' | 'model'> = {};
  let searches = 0;
  let finished = false;
  const takeChunk = (data: unknown) => {
    const chunk = objectFields(data);
    const candidates = listItems(chunk['candidates']);
    finished ||=
      candidates.some((each) => typeof each['finishReason'] === 'string') ||
      typeof objectFields(chunk['promptFeedback'])['blockReason'] === 'string';
    searches = Math.max(searches, searchesIn(candidates));
    const model = modelIn(chunk['modelVersion']);
    const usage = objectFields(chunk['usageMetadata']);
    const tier = [usage['trafficType'], usage['serviceTier']].find((each) => typeof each === 'string');
    about = {
      ...about,
      ...(model === undefined ? {} : { model }),
      ...(tier === undefined ? {} : { rush: /priority/i.test(tier) }),
    };
    const prompt = countIn(usage['promptTokenCount']);
    if (prompt === undefined) return;
    const input = prompt + (countIn(usage['toolUsePromptTokenCount']) ?? 0);
    const named = (countIn(usage['candidatesTokenCount']) ?? 0) + (countIn(usage['thoughtsTokenCount']) ?? 0);
    const output = outputOf(named, usage['totalTokenCount'], input);
    tokens = largerReport(tokens, { ...splitInput(input, countIn(usage['cachedContentTokenCount'])), output });
  };
  return {
    take(data) {
      if (Array.isArray(data)) data.forEach(takeChunk);
      else takeChunk(data);
    },
    known: () => ({
      tokens,
      complete: finished && tokens.output !== undefined,
      uses: searches === 0 ? {} : { google_search: searches },
      ...about,
    }),
  };
}

function searchesIn(candidates: readonly Readonly<Record<string, unknown>>[]): number {
  return candidates.reduce((sum, each) => {
    const queries = objectFields(each['groundingMetadata'])['webSearchQueries'];
    return sum + (Array.isArray(queries) ? queries.length : 0);
  }, 0);
}
