/**
 * Anthropic Messages: `message_start` tells the input, each `message_delta` the output so far (cumulative, and
 * since some versions the input again). Without a stream the message itself has it. Cache reads and writes are
 * not part of `input_tokens`; summaries of the conversation are in `iterations` alone.
 */
import type { TokenCounts } from '../../../policy/prices.ts';
import type { KnownUse } from '../bound.ts';
import { countIn, listItems, modelIn, objectFields, type UsageReader } from './usage-reader.ts';

type Counts = Readonly<Record<string, unknown>>;
const kinds = ['input', 'cacheRead', 'cacheWrite', 'cacheWriteLong', 'output'] as const;

export function readAnthropic(): UsageReader {
  let top: Partial<TokenCounts> = {};
  let iterations: Partial<TokenCounts> = {};
  let about: Pick<KnownUse, 'rush' | 'region' | 'model'> = {};
  let uses: Record<string, number> = {};
  let complete = false;
  const learn = (message: Counts, usage: Counts) => {
    top = atLeast(top, countsOf(usage));
    iterations = atLeast(iterations, besides(top, listItems(usage['iterations'])));
    uses = { ...uses, ...usesOf(objectFields(usage['server_tool_use']), uses) };
    const { speed, inference_geo: place } = usage;
    const model = modelIn(message['model']);
    about = {
      ...about,
      ...(typeof speed === 'string' ? { rush: speed === 'fast' } : {}),
      ...(typeof place === 'string' ? { region: !/^(?:global|not_available)$/.test(place) } : {}),
      ...(model === undefined ? {} : { model }),
    };
  };
  return {
    take(data) {
      const event = objectFields(data);
      if (event['type'] === 'message_start')
        learn(objectFields(event['message']), objectFields(objectFields(event['message'])['usage']));
      if (event['type'] === 'message' || event['type'] === 'message_delta') {
        learn(event, objectFields(event['usage']));
        // A message whose answer goes on after tools of the provider tells its output more than once.
        const ended = event['type'] === 'message' || typeof objectFields(event['delta'])['stop_reason'] === 'string';
        complete ||=
          ended && countIn(objectFields(event['usage'])['output_tokens']) !== undefined && top.input !== undefined;
      }
      if (event['type'] === 'message_stop') complete ||= top.output !== undefined && top.input !== undefined;
    },
    known: () => ({ tokens: sum(top, iterations), complete, uses, ...about }),
  };
}

function countsOf(usage: Counts): Partial<TokenCounts> {
  const input = countIn(usage['input_tokens']);
  const output = countIn(usage['output_tokens']);
  const cacheRead = countIn(usage['cache_read_input_tokens']);
  const parts = objectFields(usage['cache_creation']);
  const [short, long] = [parts['ephemeral_5m_input_tokens'], parts['ephemeral_1h_input_tokens']].map(countIn);
  const written = countIn(usage['cache_creation_input_tokens']);
  // Without its parts nobody knows which kind was written.
  const rest = Math.max(0, (written ?? 0) - (short ?? 0) - (long ?? 0));
  const split =
    long === undefined
      ? { cacheWrite: rest + (short ?? 0) }
      : { cacheWrite: rest + (short ?? 0), cacheWriteLong: long };
  return {
    ...(input === undefined ? {} : { input }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(written === undefined && short === undefined && long === undefined ? {} : split),
    ...(output === undefined ? {} : { output }),
  };
}

/** What iterations say beyond the usage of the message: of samples what is missing there, of anything else all. */
function besides(top: Partial<TokenCounts>, iterations: readonly Counts[]): Partial<TokenCounts> {
  if (iterations.length === 0) return {};
  const samples = iterations.filter((each) => each['type'] === 'message').map(countsOf);
  const others = iterations.filter((each) => each['type'] !== 'message').map(countsOf);
  const sampled = samples.reduce(sum, {});
  const missing = Object.fromEntries(kinds.map((kind) => [kind, Math.max(0, (sampled[kind] ?? 0) - (top[kind] ?? 0))]));
  return others.reduce(sum, missing);
}

function usesOf(said: Counts, before: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => {
      const tool = name.replace(/_requests$/, '');
      const count = countIn(value) ?? 0;
      return count === 0 ? [] : [[tool, Math.max(count, before[tool] ?? 0)]];
    }),
  );
}

function atLeast(before: Partial<TokenCounts>, now: Partial<TokenCounts>): Partial<TokenCounts> {
  return combined(before, now, Math.max);
}

function sum(a: Partial<TokenCounts>, b: Partial<TokenCounts>): Partial<TokenCounts> {
  return combined(a, b, (one, other) => one + other);
}

function combined(
  a: Partial<TokenCounts>,
  b: Partial<TokenCounts>,
  how: (one: number, other: number) => number,
): Partial<TokenCounts> {
  return Object.fromEntries(
    kinds.flatMap((kind) =>
      a[kind] === undefined && b[kind] === undefined ? [] : [[kind, how(a[kind] ?? 0, b[kind] ?? 0)]],
    ),
  );
}
