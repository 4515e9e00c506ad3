/**
 * OpenAI chat completions and everything compatible: with `stream_options.include_usage` a last chunk without
 * choices has the usage. Servers that send it with every chunk send it cumulative, so the largest one counts, and only
 * a stream that came to its end is complete. Some state dollars, and some leave thinking out of the output.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import type { KnownUse } from '../bound.ts';
import {
  countIn,
  dollarsIn,
  largerReport,
  listItems,
  modelIn,
  objectFields,
  outputOf,
  splitInput,
  type UsageReader,
} from './usage-reader.ts';

export function readOpenaiChat(): UsageReader {
  let tokens: Partial<TokenCounts> = {};
  let about: Pick<KnownUse, 'rush' | 'model'> = {};
  let usd: number | undefined;
  let searches = 0;
  let finished = false;
  return {
    take(data) {
      const chunk = objectFields(data);
      finished ||= listItems(chunk['choices']).some((choice) => typeof choice['finish_reason'] === 'string');
      const model = modelIn(chunk['model']);
      const { service_tier: tier } = chunk;
      about = {
        ...about,
        ...(model === undefined ? {} : { model }),
        ...(typeof tier === 'string' ? { rush: tier === 'priority' || tier === 'fast' } : {}),
      };
      const usage = objectFields(chunk['usage']);
      const said = dollarsIn(usage['cost']) ?? ticks(usage['cost_in_usd_ticks']);
      if (said !== undefined) usd = Math.max(usd ?? 0, said);
      searches = Math.max(searches, countIn(usage['num_sources_used']) ?? 0);
      const input = countIn(usage['prompt_tokens']);
      const output = countIn(usage['completion_tokens']);
      if (input === undefined || output === undefined) return;
      const details = objectFields(usage['prompt_tokens_details']);
      const read = countIn(details['cached_tokens']) ?? countIn(usage['prompt_cache_hit_tokens']);
      const written = countIn(details['cache_write_tokens']) ?? countIn(details['cache_creation_tokens']);
      tokens = largerReport(tokens, {
        ...splitInput(input, read, written),
        output: outputOf(output, usage['total_tokens'], input),
      });
    },
    done() {
      finished = true;
    },
    known: () => ({
      tokens,
      complete: finished && tokens.output !== undefined,
      usd,
      uses: searches === 0 ? {} : { search: searches },
      ...about,
    }),
  };
}

/** Ten thousand millionths of a dollar each. */
function ticks(value: unknown): number | undefined {
  return typeof value === 'number' ? dollarsIn(value / 1e10) : undefined;
}
