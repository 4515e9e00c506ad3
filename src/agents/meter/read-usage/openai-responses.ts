/**
 * OpenAI Responses: the last event (`response.completed`, `.incomplete` or `.failed`) carries the whole response
 * with its usage; without a stream the answer is that response. Cached input is part of `input_tokens`, reasoning
 * part of `output_tokens`.
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

export function readOpenaiResponses(): UsageReader {
  let tokens: Partial<TokenCounts> = {};
  let about: Pick<KnownUse, 'rush' | 'model' | 'usd'> = {};
  let uses: Record<string, number> = {};
  let finished = false;
  return {
    take(data) {
      const event = objectFields(data);
      const response = typeof event['type'] === 'string' ? objectFields(event['response']) : event;
      finished ||=
        event !== response ? /^response\.(?:completed|incomplete|failed|cancelled)$/.test(String(event['type'])) : true;
      const usage = objectFields(response['usage']);
      const model = modelIn(response['model']);
      const { service_tier: tier } = response;
      const usd = dollarsIn(usage['cost']);
      about = {
        ...about,
        ...(model === undefined ? {} : { model }),
        ...(typeof tier === 'string' && tier !== 'auto' ? { rush: tier === 'priority' || tier === 'fast' } : {}),
        ...(usd === undefined ? {} : { usd }),
      };
      const input = countIn(usage['input_tokens']);
      const output = countIn(usage['output_tokens']);
      if (input === undefined || output === undefined) return;
      const details = objectFields(usage['input_tokens_details']);
      const written = countIn(details['cache_write_tokens']) ?? countIn(details['cache_creation_tokens']);
      uses = hostedCalls(listItems(response['output']));
      tokens = largerReport(tokens, {
        ...splitInput(input, countIn(details['cached_tokens']), written),
        output: outputOf(output, usage['total_tokens'], input),
      });
    },
    known: () => ({ tokens, complete: finished && tokens.output !== undefined, uses, ...about }),
  };
}

/** Calls of tools that the agent does not run itself. */
const own = /^(?:function|custom_tool|local_shell|shell|apply_patch|computer|tool_search)_call$/;

function hostedCalls(output: readonly Readonly<Record<string, unknown>>[]): Record<string, number> {
  const uses: Record<string, number> = {};
  for (const { type } of output) {
    if (typeof type !== 'string' || !type.endsWith('_call') || own.test(type)) continue;
    const name = type.slice(0, -'_call'.length).slice(0, 40);
    uses[name] = (uses[name] ?? 0) + 1;
  }
  return uses;
}
