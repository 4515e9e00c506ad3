/**
 * OpenAI chat completions and everything compatible: with `stream_options.include_usage` a last chunk without
 * choices has the usage. Servers that send it with every chunk send it cumulative, so the last one counts, and only
 * a stream that came to its end is complete.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import { countIn, fields, splitInput, type UsageReader } from './usage-reader.ts';

export function readOpenaiChat(): UsageReader {
  let known: Partial<TokenCounts> = {};
  let finished = false;
  return {
    take(data) {
      const chunk = fields(data);
      const choices = Array.isArray(chunk['choices']) ? (chunk['choices'] as readonly unknown[]) : [];
      finished ||= choices.some((choice) => typeof fields(choice)['finish_reason'] === 'string');
      const usage = fields(chunk['usage']);
      const input = countIn(usage['prompt_tokens']);
      const output = countIn(usage['completion_tokens']);
      if (input === undefined || output === undefined) return;
      const details = fields(usage['prompt_tokens_details']);
      const written = countIn(details['cache_write_tokens']) ?? countIn(details['cache_creation_tokens']);
      known = { ...splitInput(input, countIn(details['cached_tokens']), written), output };
    },
    done() {
      finished = true;
    },
    soFar: () => known,
    complete: () => finished && known.output !== undefined,
  };
}
