/**
 * OpenAI Responses: the last event (`response.completed`, `.incomplete` or `.failed`) carries the whole response
 * with its usage; without a stream the answer is that response. Cached input is part of `input_tokens`, reasoning
 * part of `output_tokens`.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import { countIn, fields, splitInput, type UsageReader } from './usage-reader.ts';

export function readOpenaiResponses(): UsageReader {
  let known: Partial<TokenCounts> = {};
  let uses = 0;
  return {
    take(data) {
      const event = fields(data);
      const response = typeof event['type'] === 'string' ? fields(event['response']) : event;
      const usage = fields(response['usage']);
      const input = countIn(usage['input_tokens']);
      const output = countIn(usage['output_tokens']);
      if (input === undefined || output === undefined) return;
      const details = fields(usage['input_tokens_details']);
      const written = countIn(details['cache_write_tokens']) ?? countIn(details['cache_creation_tokens']);
      uses = hostedCalls(response['output']);
      known = { ...splitInput(input, countIn(details['cached_tokens']), written), output };
    },
    soFar: () => known,
    uses: () => uses,
    complete: () => known.output !== undefined,
  };
}

function hostedCalls(output: unknown): number {
  const items = Array.isArray(output) ? (output as readonly unknown[]) : [];
  return items.filter((item) => /^(?:web|file)_search_call$/.test(String(fields(item)['type']))).length;
}
