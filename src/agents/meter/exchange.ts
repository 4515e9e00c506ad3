/**
 * One request of an agent: admitted, sent on, its answer streamed back, and paid for. Whichever side goes, the other
 * is ended. Paid is what the provider counted; what it did not tell counts at its bound, and an answer that goes
 * beyond what was set aside is cut. Refusals and failures before anything was sent cost nothing.
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { admitRequest } from './admit-request.ts';
import { type AnswerHandler, MeteredAnswer, UnmeteredAnswer } from './answer-handler.ts';
import { answerHeaders, outgoingRequest } from './credentials.ts';
import { ExchangeEnd } from './exchange-end.ts';
import type { JobLease } from './lease.ts';
import { readModelRequest } from './model-request.ts';
import { largestBody, receiveBody } from './receive.ts';
import { explainUnreachable, type RefusalKind, refusalAnswer } from './refusal.ts';
import { type MeterRoute, routeOf } from './routes.ts';
import { notSentSentence } from './rules/rule.ts';
import type { WireProtocol } from './wire.ts';

export interface Exchange {
  readonly lease: JobLease;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What follows the lease's token in the address. */
  readonly target: string;
}

export async function serveExchange(exchange: Exchange): Promise<void> {
  const { lease, request, response, target } = exchange;
  const [path, query] = splitQuery(target);
  const route = routeOf({ method: request.method ?? '', path, query }, lease.terms.wire);
  const wire = route.kind === 'model' ? route.wire : lease.terms.wire;
  const refuse = (kind: RefusalKind, message: string) => answer(response, wire, kind, message);
  if (request.headers.upgrade !== undefined) return void response.writeHead(426, { 'content-length': 0 }).end();
  if (route.kind === 'closed') return refuse('not-found', closed(request.method ?? '', path));
  const end = new ExchangeEnd(response, lease.closing.signal, lease.gate.bounds);
  const entry = await lease.gate.enter();
  if (!entry.ok) {
    end.done();
    lease.noteTooMany(entry.sentence);
    return refuse(entry.later ? 'too-many' : 'budget', entry.sentence);
  }
  try {
    const body = await receiveBody(request, (bytes) => entry.place.claim(bytes));
    if (body === undefined) return refuse('too-large', unreadable);
    const sending: Sending = { ...exchange, path, query, wire, end, body };
    if (route.kind === 'free') await send(sending, new UnmeteredAnswer());
    else await serveModel(sending, route, refuse);
  } finally {
    end.done();
    entry.place.leave();
  }
}

const unreadable = `${notSentSentence} It is larger than ${largestBody / 1024 / 1024} MB, or encoded in a way that cannot be read.`;

function closed(method: string, path: string): string {
  const shown = `${method} ${path}`.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
  return `The meter does not pass on ${shown}: it knows model requests in the agent's own protocol, token counts and lists of models.`;
}

interface Sending extends Exchange {
  readonly path: string;
  readonly query: string;
  readonly wire: WireProtocol;
  readonly end: ExchangeEnd;
  readonly body: Buffer;
}

async function serveModel(
  sending: Sending,
  route: MeterRoute & { kind: 'model' },
  refuse: (kind: RefusalKind, message: string) => void,
): Promise<void> {
  const { lease, end } = sending;
  const read = readModelRequest(route, sending.body, lease.requestTerms);
  if (!read.ok) {
    lease.noteUnsent(read.model, read.sentence);
    return refuse('bad-request', read.sentence);
  }
  const admitted = await admitRequest(read, lease.terms.purse, lease.prices, end.signal);
  if (admitted !== undefined) return send({ ...sending, body: admitted.body }, new MeteredAnswer(lease, admitted));
  if (!end.signal.aborted) refuse('budget', lease.noteRefused(read.request.model));
}

async function send(sending: Sending, course: AnswerHandler): Promise<void> {
  const { response, end } = sending;
  let sent = false;
  try {
    end.heard();
    const answered = await fetchAnswer(sending, () => {
      sent = true;
    });
    course.begin(answered);
    const whole = await passOn(answered, response, (chunk) => {
      end.heard();
      return course.take(chunk);
    });
    await course.end({ sent, whole, gone: end.gone });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    await course.end({ sent, whole: false, gone: end.gone, ...(code === undefined ? {} : { code }) });
    if (response.headersSent || end.gone) response.destroy();
    else answer(response, sending.wire, 'unreachable', explainUnreachable(code));
  }
}

async function fetchAnswer(sending: Sending, onSent: () => void): Promise<IncomingMessage> {
  const { lease, request, path, query, wire, end } = sending;
  const { upstream } = lease;
  const out = outgoingRequest({ headers: request.headers, query }, wire, lease.terms.key);
  const body = request.method === 'POST' ? sending.body : Buffer.alloc(0);
  const about = request.method === 'POST' ? { 'content-type': 'application/json', 'content-length': body.length } : {};
  const open = upstream.protocol === 'https:' ? httpsRequest : httpRequest;
  const outbound = open({
    protocol: upstream.protocol,
    hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
    ...(upstream.port === '' ? {} : { port: upstream.port }),
    path: `${upstream.pathname.replace(/\/$/, '')}${path}${out.query}`,
    method: request.method ?? 'GET',
    headers: { ...out.headers, ...about },
    signal: end.signal,
    maxHeaderSize: 64 * 1024,
    agent: false,
    // Whatever the environment says: what cannot be verified gets neither the key nor the request.
    rejectUnauthorized: true,
  });
  // Once there is a connection, the provider may have all of it before anyone here knows.
  outbound.once('socket', (socket) =>
    socket.once(upstream.protocol === 'https:' ? 'secureConnect' : 'connect', onSent),
  );
  outbound.end(body);
  const [answered] = (await once(outbound, 'response')) as [IncomingMessage];
  // From here on faults show where the answer is read.
  outbound.on('error', () => {});
  return answered;
}

/** False when the answer was cut because it went too far. */
async function passOn(
  answered: IncomingMessage,
  response: ServerResponse,
  take: (chunk: Buffer) => Promise<boolean>,
): Promise<boolean> {
  response.writeHead(answered.statusCode ?? 502, answerHeaders(answered.headers));
  response.flushHeaders();
  for await (const chunk of answered as AsyncIterable<Buffer>) {
    if (!(await take(chunk))) {
      answered.destroy();
      response.destroy();
      return false;
    }
    if (!response.write(chunk) && !response.destroyed) await drained(response);
  }
  response.end();
  return true;
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

function answer(response: ServerResponse, wire: WireProtocol, kind: RefusalKind, message: string): void {
  const { status, headers, body } = refusalAnswer(wire, kind, message);
  // What was not read of the request is in the way of another on the same connection.
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
}

function splitQuery(target: string): readonly [string, string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at)];
}
