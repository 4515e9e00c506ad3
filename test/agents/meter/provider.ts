/**
 * A provider on loopback for tests of the meter: remembers what it was asked and answers as the test says. Also a
 * client that posts like an agent, and a job with a purse of its own.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SharedLedger } from '../../../src/agents/meter/shared-ledger.ts';
import { AllotmentPurse } from '../../../src/agents/meter/purse.ts';
import type { WireProtocol } from '../../../src/agents/meter/wire.ts';
import type { Amount } from '../../../src/policy/amount.ts';
import { emptyLedger } from '../../../src/policy/budget.ts';
import type { BudgetEntry } from '../../../src/policy/budget-schemas.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Provider {
  readonly url: string;
  readonly asked: Asked[];
  /** Resolves when a request's connection is gone before it was answered. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

export async function openProvider(
  answer: (response: ServerResponse, asked: Asked) => unknown,
  tls?: { readonly cert: string; readonly key: string },
): Promise<Provider> {
  const asked: Asked[] = [];
  const left = later<void>();
  const serve = (incoming: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    incoming.on('error', () => {});
    response.on('error', () => {});
    response.on('close', () => response.writableFinished || left.resolve());
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString('latin1');
    });
    incoming.on('end', () => {
      const one = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.from(body, 'latin1').toString('utf8'),
      };
      asked.push(one);
      void answer(response, one);
    });
  };
  const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    left: left.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A promise that the test keeps. */
export function later<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly cut: boolean;
}

export interface Post {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function post(base: string, body: unknown, detail: Post = {}): Promise<Reply> {
  const { hostname, port, pathname } = new URL(base);
  const sending = request({
    hostname,
    port,
    // As it is: an address that is parsed would be put in order.
    path: `${pathname === '/' ? '' : pathname}${detail.path ?? '/v1/messages'}`,
    method: detail.method ?? 'POST',
    headers: { 'content-type': 'application/json', ...detail.headers },
    agent: false,
    ...(detail.signal === undefined ? {} : { signal: detail.signal }),
  });
  sending.end(detail.method === 'GET' ? '' : Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  sending.on('error', () => {});
  const chunks: Buffer[] = [];
  let cut = false;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    cut = true;
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks), cut };
}

export interface Funded {
  readonly account: SharedLedger;
  readonly purse: AllotmentPurse;
  readonly entries: BudgetEntry[];
}

/** A run with these limits and one job in it that has nothing yet. */
export async function fund(limits: Amount): Promise<Funded> {
  const entries: BudgetEntry[] = [];
  const account = new SharedLedger(emptyLedger({ run: limits, task: {}, roles: {} }), async (entry) => {
    entries.push(entry);
  });
  await account.reserve({ id: 'job', role: 'developer', want: {}, min: {} });
  return { account, purse: new AllotmentPurse(account, 'job'), entries };
}

export function stream(events: readonly unknown[], end = ''): string {
  return events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('') + end;
}

/** How each wire is asked, and how it answers with 100 tokens in, 200 of them read from a cache, and 20 out. */
export const wires: Readonly<
  Record<WireProtocol, { path: string; body: Readonly<Record<string, unknown>>; stream: string; json: unknown }>
> = {
  anthropic: {
    path: '/v1/messages?beta=true',
    body: { model: 'claude-haiku-4-5', max_tokens: 1000, stream: true, messages: [{ role: 'user', content: 'grüße' }] },
    stream: stream([
      {
        type: 'message_start',
        message: { usage: { input_tokens: 100, cache_read_input_tokens: 200, output_tokens: 1 } },
      },
      { type: 'content_block_delta', delta: { text: 'hello 🙂' } },
      { type: 'message_delta', usage: { output_tokens: 20 } },
      { type: 'message_stop' },
    ]),
    json: { type: 'message', usage: { input_tokens: 100, cache_read_input_tokens: 200, output_tokens: 20 } },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: { model: 'gpt-5-mini', max_output_tokens: 1000, stream: true, input: 'grüße' },
    stream: stream([
      { type: 'response.output_text.delta', delta: 'hello 🙂' },
      {
        type: 'response.completed',
        response: { usage: { input_tokens: 300, input_tokens_details: { cached_tokens: 200 }, output_tokens: 20 } },
      },
    ]),
    json: { usage: { input_tokens: 300, input_tokens_details: { cached_tokens: 200 }, output_tokens: 20 } },
  },
  'openai-chat': {
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-5-mini',
      max_completion_tokens: 1000,
      stream: true,
      messages: [{ role: 'user', content: 'grüße' }],
    },
    stream: stream(
      [
        { choices: [{ delta: { content: 'hello 🙂' }, finish_reason: 'stop' }] },
        {
          choices: [],
          usage: { prompt_tokens: 300, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 200 } },
        },
      ],
      'data: [DONE]\n\n',
    ),
    json: {
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 300, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 200 } },
    },
  },
  gemini: {
    path: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    body: { generationConfig: { maxOutputTokens: 1000 }, contents: [{ role: 'user', parts: [{ text: 'grüße' }] }] },
    stream: stream([
      { candidates: [{ content: { parts: [{ text: 'hello 🙂' }] } }], usageMetadata: { promptTokenCount: 300 } },
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 300,
          cachedContentTokenCount: 200,
          candidatesTokenCount: 15,
          thoughtsTokenCount: 5,
        },
      },
    ]),
    json: {
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 300, cachedContentTokenCount: 200, candidatesTokenCount: 20 },
    },
  },
};
