/**
 * A provider that charges as providers do, written without looking at the meter: it understands whatever some real
 * server understands (a count in quotes, the other spelling, the first of two fields), takes the dearest meaning,
 * always writes as much as it may, and charges for tools, stored items, tiers and summaries. Its answers report the use
 * where real ones do. What it has charged is the truth that budgets are held against.
 */
import type { ServerResponse } from 'node:http';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import type { Asked } from './provider.ts';

interface Model {
  readonly input: number;
  readonly output: number;
  readonly most: number;
  readonly fast: number;
}

/** Dollars per million, the most a model writes, and how many times as much haste costs. */
const models: Readonly<Record<string, Model>> = {
  'claude-haiku-4-5': { input: 1, output: 5, most: 64_000, fast: 1 },
  'claude-opus-4-6': { input: 5, output: 25, most: 128_000, fast: 6 },
  'gpt-5-mini': { input: 0.25, output: 2, most: 128_000, fast: 2 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, most: 65_536, fast: 1.8 },
};
const dearest: Model = { input: 10, output: 50, most: 128_000, fast: 6 };

export interface Bill {
  readonly usd: number;
  readonly input: number;
  readonly output: number;
  readonly summary: { readonly input: number; readonly output: number } | undefined;
  readonly searches: number;
}

const storedConversation = 150_000;

export function billFor(wire: WireProtocol, { url, headers, body }: Asked): Bill {
  const says = (pattern: RegExp): boolean => pattern.test(body);
  const numbers = (pattern: RegExp): number[] =>
    [...body.matchAll(pattern)].map(([, value]) => Number(value)).filter((value) => Number.isFinite(value));
  const name = /"model"\s*:\s*"(?:[\w-]+\/)?([\w.-]+)"/.exec(body)?.[1] ?? /models\/([\w.-]+):/.exec(url)?.[1] ?? '';
  const known = models[name] ?? dearest;
  const model = says(/"(?:fallbacks|models|route|provider)"\s*:\s*[[{"]/) ? dearest : known;
  // The limit, however it is written; without one that is a number above zero, as much as the model writes.
  const limits = numbers(/"max_?(?:completion_?|output_?)?tokens"\s*:\s*"?(-?[\d.e+]+)/gi).filter((limit) => limit > 0);
  const limit = limits.length === 0 ? model.most : Math.min(Math.max(...limits), model.most);
  const answers = Math.max(
    1,
    ...numbers(/"(?:n|best_of|candidate_?count)"\s*:\s*"?(\d+)/gi).map((n) => Math.min(n, 128)),
  );
  const images = [...body.matchAll(/"type"\s*:\s*"(?:image|input_image|image_url)"|image\/png/g)].length;
  const stored = says(
    /"(?:previous_response_id|conversation|thread|cached_?content|prompt)"\s*:\s*["{]|item_reference|\{"id":"msg_1"\}|"file_id"|"file_uri"/i,
  )
    ? storedConversation
    : 0;
  const once = Buffer.byteLength(body.normalize('NFKC')) + images * (wire === 'anthropic' ? 5000 : 40_000) + stored;
  const tools =
    [
      ...body.matchAll(
        /web_search(?!_(?:call|tool|options"\s*:\s*null))|google_?search|plugins|:online|search_parameters/gi,
      ),
    ].length > 0
      ? 8
      : 0;
  const fees =
    tools * 0.035 +
    (says(/image_generation|"IMAGE"/) ? 0.25 : 0) +
    (says(/code_execution|code_interpreter|codeExecution|"container/) ? 0.05 : 0) +
    (says(/file_search|fileSearch|"mcp|mcp_servers|urlContext|advisor/) ? 0.1 : 0) +
    (says(/input_audio|"audio\/|"AUDIO"|"modalities"\s*:\s*\["audio/) ? 0.2 : 0);
  const passes = 1 + tools;
  const input = once * passes;
  const rejected = says(/"prediction"/) ? Buffer.byteLength(body) : 0;
  const beside = Math.max(0, ...numbers(/"thinking_budget":(\d+)/g));
  const output = (limit + beside) * answers + rejected + (says(/"mode"\s*:\s*"pro"/) ? limit * 4 : 0);
  const summarizes = says(/compact_2026|"compaction"/);
  const summary = summarizes ? { input: once, output: 8000 } : undefined;
  const hurry = says(/"(?:speed|service_?tier)"\s*:\s*"(?:fast|priority)"/i) || headers['x-priority'] !== undefined;
  const scale =
    (hurry ? model.fast : 1) *
    (says(/"inference_geo"\s*:\s*"us"/) ? 1.1 : 1) *
    (says(/"background"\s*:\s*true/) ? 2 : 1);
  const write = wire === 'anthropic' && says(/"1h"/) ? 2 : wire === 'anthropic' && says(/cache_control/) ? 1.25 : 1;
  const all = { input: input + (summary?.input ?? 0), output: output + (summary?.output ?? 0) };
  const usd = ((all.input * model.input * write + all.output * model.output) / 1e6) * scale + fees;
  return { usd, input, output, summary, searches: tools };
}

export type Manner = 'honest' | 'silent' | 'cut' | 'garbled';

/** Answers, says what it used in the way of its wire, and has charged it. */
export function charge(wire: WireProtocol, asked: Asked, response: ServerResponse, manner: Manner = 'honest'): Bill {
  const bill = billFor(wire, asked);
  if (manner === 'silent') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"content":[]}');
    return bill;
  }
  const events = reports[wire](bill, asked.body);
  const text = events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (manner === 'cut') response.write(text.slice(0, text.length / 2), () => response.destroy());
  else response.end(manner === 'garbled' ? text.replaceAll('tokens', 'token"s') : text);
  return bill;
}

const reports: Readonly<Record<WireProtocol, (bill: Bill, body: string) => readonly unknown[]>> = {
  anthropic: ({ input, output, summary, searches }, body) => {
    const written = body.includes('cache_control')
      ? {
          input_tokens: 0,
          cache_creation_input_tokens: input,
          ...(body.includes('"1h"') ? { cache_creation: { ephemeral_1h_input_tokens: input } } : {}),
        }
      : { input_tokens: input };
    const geo = body.includes('"inference_geo":"us"') ? { inference_geo: 'us' } : {};
    const iterations = [
      { type: 'message', ...written, output_tokens: output },
      ...(summary === undefined
        ? []
        : [{ type: 'compaction', input_tokens: summary.input, output_tokens: summary.output }]),
    ];
    const server = searches === 0 ? {} : { server_tool_use: { web_search_requests: searches } };
    return [
      { type: 'message_start', message: { usage: { ...written, ...geo, output_tokens: 1 } } },
      { type: 'message_delta', usage: { output_tokens: output, iterations, ...server } },
    ];
  },
  'openai-responses': ({ input, output, summary }) => [
    {
      type: 'response.completed',
      response: {
        usage: { input_tokens: input + (summary?.input ?? 0), output_tokens: output + (summary?.output ?? 0) },
      },
    },
  ],
  'openai-chat': ({ input, output }) => [
    { choices: [{ finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: input, completion_tokens: output } },
  ],
  gemini: ({ input, output }) => [
    {
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: 1, thoughtsTokenCount: output - 1 },
    },
  ],
};
