/**
 * A model on loopback that says what a script says, in four providers' protocols, and counts what it told. Titles and
 * other side calls of clients are answered sensibly and counted apart. Nothing is random and nothing is timed but what
 * a script asks for. Real clients are pointed here with a dummy key; see README.md.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { anthropic } from './anthropic.ts';
import { gemini } from './gemini.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';
import { pick, tryOf } from './pick.ts';
import { type ModelRequest, objectOf } from './request.ts';
import { type PlainAnswer, type Rules, type Script, scriptSchema, type Tokens } from './script.ts';
import { sample, toolCall } from './tool-calls.ts';
import type { Reply, Wire } from './wire.ts';

export interface ModelServer {
  /** Origin, without a path. */
  readonly url: string;
  /** Every request for an answer so far, in the order of arrival. */
  readonly calls: readonly ModelCall[];
  /** Everything else that was asked for, as `METHOD path`. */
  readonly strays: readonly string[];
  /** What was told in whole answers: to a rule, to all rules, or to side calls. */
  tally(of?: { readonly rule?: string; readonly side?: boolean }): Tally;
  /** Settles when the calls satisfy the condition. */
  until(condition: (calls: readonly ModelCall[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface Tally {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelCall {
  readonly wire: Wire['name'];
  readonly request: ModelRequest;
  /** The credential that arrived. */
  readonly key: string;
  /** Undefined for a side call. */
  readonly rule: string | undefined;
  readonly place: number;
  readonly prompts: number;
  /** `open` while it is being answered; `left` when the client went away first. */
  state: 'open' | 'told' | 'refused' | 'dropped' | 'silent' | 'left';
  tokens: Tokens | undefined;
  /** What the script wanted and could not be done, or that it had no answer left. */
  problem: string | undefined;
}

const wires: readonly Wire[] = [anthropic, openaiChat, openaiResponses, gemini];

export async function startModelServer(script: Script): Promise<ModelServer> {
  const desk = new Desk(scriptSchema.parse(script));
  const server = createServer((incoming, response) => {
    desk.handle(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls: desk.calls,
    strays: desk.strays,
    tally: (of) => desk.tally(of ?? {}),
    until: (condition) => desk.until(condition),
    close: () => shut(server),
  };
}

class Desk {
  readonly calls: ModelCall[] = [];
  readonly strays: string[] = [];
  readonly #rules: Rules;
  readonly #tries = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  tally({ rule, side }: { rule?: string; side?: boolean }): Tally {
    const counted = this.calls.filter(
      (call) =>
        call.state === 'told' &&
        (rule === undefined || call.rule === rule) &&
        (side === undefined || side === (call.rule === undefined)),
    );
    const sum = (part: (tokens: Tokens) => number): number =>
      counted.reduce((total, { tokens }) => total + (tokens === undefined ? 0 : part(tokens)), 0);
    return { calls: counted.length, inputTokens: sum(({ input }) => input), outputTokens: sum(({ output }) => output) };
  }

  async until(condition: (calls: readonly ModelCall[]) => boolean): Promise<void> {
    while (!condition(this.calls)) await new Promise<void>((wake) => this.#waiting.add(wake));
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    const { pathname: path } = new URL(incoming.url ?? '/', 'http://loopback');
    const wire = incoming.method === 'POST' ? wires.find(({ answers }) => answers(path)) : undefined;
    if (wire === undefined) {
      this.strays.push(`${incoming.method} ${path}`);
      return sendJson(response, ...strayAnswer(incoming.method ?? '', path));
    }
    const request = wire.read(body, path);
    const { call, answer } = this.#decide(wire, request, keyOf(incoming));
    this.calls.push(call);
    this.#wake();
    response.on('close', () => {
      if (call.state === 'open') this.#settle(call, 'left');
    });
    await this.#answer({ wire, call, answer, response });
  }

  /** A call without tools, or for one word, or for an answer of a given form is the client's own business. */
  #decide(wire: Wire, request: ModelRequest, key: string): { call: ModelCall; answer: PlainAnswer } {
    const side = request.tools.length === 0 || request.schema !== undefined || request.maxOutput === 1;
    const picked = side ? undefined : pick(this.#rules, request);
    const call: ModelCall = {
      wire: wire.name,
      request,
      key,
      rule: picked?.rule.name,
      place: picked?.place ?? 0,
      prompts: picked?.prompts ?? 0,
      state: 'open',
      tokens: undefined,
      problem: !side && picked === undefined ? 'no rule fits' : undefined,
    };
    if (picked === undefined) return { call, answer: sideAnswer(request) };
    if (picked.answer === undefined) {
      call.problem = 'the script has no answer left';
      return { call, answer: { text: 'Nothing more is scripted.' } };
    }
    const at = `${picked.rule.name}#${picked.place}`;
    const tries = this.#tries.get(at) ?? 0;
    this.#tries.set(at, tries + 1);
    return { call, answer: tryOf(picked.answer, tries) };
  }

  async #answer(given: { wire: Wire; call: ModelCall; answer: PlainAnswer; response: ServerResponse }): Promise<void> {
    const { wire, call, answer, response } = given;
    if (answer.refuse !== undefined) {
      const { status, body } = wire.refuse(answer.refuse);
      const later = answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) };
      sendJson(response, status, body, later);
      return this.#settle(call, 'refused');
    }
    if (answer.silence === 'before') return this.#settle(call, 'silent');
    if (answer.drop === 'before') return this.#drop(call, response);
    const reply = makeReply(call, answer, this.calls.indexOf(call));
    call.tokens = reply.tokens;
    if (call.request.stream) return this.#stream({ wire, call, answer, response, reply });
    if (answer.drop === undefined && answer.silence === undefined) {
      sendJson(response, 200, wire.whole(reply));
      return this.#settle(call, 'told');
    }
    const body = Buffer.from(JSON.stringify(wire.whole(reply)));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2));
    if (answer.drop !== undefined) return this.#drop(call, response);
    this.#settle(call, 'silent');
  }

  async #stream(given: {
    wire: Wire;
    call: ModelCall;
    answer: PlainAnswer;
    response: ServerResponse;
    reply: Reply;
  }): Promise<void> {
    const { wire, call, answer, response, reply } = given;
    const frames = wire.frames(reply);
    const cut = answer.drop !== undefined || answer.silence !== undefined;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    for (const { event, data } of cut ? frames.slice(0, frames.length / 2) : frames) {
      if (response.destroyed) return;
      const name = event === undefined ? '' : `event: ${event}\n`;
      response.write(`${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
      if (answer.pace !== undefined) await pause(answer.pace);
    }
    if (answer.drop !== undefined) return this.#drop(call, response);
    if (answer.silence !== undefined) return this.#settle(call, 'silent');
    response.end();
    this.#settle(call, 'told');
  }

  #drop(call: ModelCall, response: ServerResponse): void {
    this.#settle(call, 'dropped');
    // What was written reaches the client first; then the connection breaks instead of ending.
    setImmediate(() => response.socket?.resetAndDestroy());
  }

  #settle(call: ModelCall, state: ModelCall['state']): void {
    call.state = state;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

function makeReply(call: ModelCall, answer: PlainAnswer, index: number): Reply {
  const wanted = answer.calls ?? [];
  const calls = wanted.map((one) => toolCall(one, call.request));
  const lacking = wanted.filter((_, at) => calls[at] === undefined);
  if (lacking.length > 0) call.problem = `no tool for ${JSON.stringify(lacking)}`;
  const text = lacking.length > 0 ? `There is no tool for this: ${JSON.stringify(lacking)}` : (answer.text ?? '');
  return {
    id: `${index}`.padStart(6, '0'),
    model: call.request.model,
    text,
    calls: calls.filter((one) => one !== undefined),
    tokens: answer.tokens ?? defaultTokens(call.place),
    refused: answer.stop === 'refusal',
  };
}

/** Different for each answer of a turn, so that a reader that takes the last one for the sum is found out. */
function defaultTokens(place: number): Tokens {
  return { input: 1000 + 10 * place, output: 50 + place, cached: 200, written: 30, reasoning: 7 };
}

function sideAnswer({ schema }: ModelRequest): PlainAnswer {
  const tokens: Tokens = { input: 300, output: 9, cached: 0, written: 0, reasoning: 0 };
  return {
    text: schema === undefined ? 'Scripted work' : JSON.stringify(sample({ type: 'object', ...schema })),
    tokens,
  };
}

function strayAnswer(method: string, path: string): readonly [status: number, body: unknown] {
  if (path.endsWith('/count_tokens')) return [200, { input_tokens: 1000 }];
  if (path.endsWith(':countTokens')) return [200, { totalTokens: 1000 }];
  if (path.endsWith('/models')) return [200, { object: 'list', data: [], models: [] }];
  return [method === 'HEAD' ? 200 : 404, { error: { message: 'not here' } }];
}

function keyOf({ headers, url }: IncomingMessage): string {
  const header = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization ?? '';
  const query = new URL(url ?? '/', 'http://loopback').searchParams.get('key') ?? '';
  return `${String(header).replace(/^Bearer /, '')}${query}`;
}

async function readBody(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  try {
    return objectOf(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    return {};
  }
}

function sendJson(
  response: ServerResponse,
  ...[status, body, headers = {}]: readonly [number, unknown, Readonly<Record<string, string>>?]
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

async function shut(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}
