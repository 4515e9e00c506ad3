/**
 * Anthropic Messages: `message_start` tells the input, each `message_delta` the output so far (cumulative, and
 * since some versions the input again). Without a stream the message itself has it. Cache reads and writes are
 * not part of `input_tokens`.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import { countIn, fields, type UsageReader } from './usage-reader.ts';

export function readAnthropic(): UsageReader {
  let known: Partial<TokenCounts> = {};
  let complete = false;
  let uses = 0;
  const learn = (usage: unknown) => {
    known = { ...known, ...inputOf(fields(usage)), ...outputOf(fields(usage)) };
    const hosted = Object.values(fields(fields(usage)['server_tool_use'])).map((each) => countIn(each) ?? 0);
    uses = Math.max(
      uses,
      hosted.reduce((sum, each) => sum + each, 0),
    );
  };
  return {
    take(data) {
      const event = fields(data);
      if (event['type'] === 'message_start') learn(fields(event['message'])['usage']);
      if (event['type'] === 'message' || event['type'] === 'message_delta') {
        learn(event['usage']);
        complete ||= countIn(fields(event['usage'])['output_tokens']) !== undefined && known.input !== undefined;
      }
    },
    soFar: () => known,
    uses: () => uses,
    complete: () => complete,
  };
}

function inputOf(usage: Readonly<Record<string, unknown>>): Partial<TokenCounts> {
  const input = countIn(usage['input_tokens']);
  if (input === undefined) return {};
  const written = countIn(usage['cache_creation_input_tokens']) ?? 0;
  const long = Math.min(countIn(fields(usage['cache_creation'])['ephemeral_1h_input_tokens']) ?? 0, written);
  const cacheRead = countIn(usage['cache_read_input_tokens']) ?? 0;
  return { input, cacheRead, cacheWrite: written - long, cacheWriteLong: long };
}

function outputOf(usage: Readonly<Record<string, unknown>>): Partial<TokenCounts> {
  const output = countIn(usage['output_tokens']);
  return output === undefined ? {} : { output };
}
