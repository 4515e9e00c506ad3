/**
 * Streams of operations as server-sent events, several over one connection: browsers open only six to one host. A client
 * that lost its connection asks again with the positions it has. A slow reader gets fewer, larger changes: the next value
 * is asked for when the last one has left.
 */
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { followOperation } from '../api/operation.ts';
import { loadOperation } from '../api/registry.ts';
import { failureOf } from './call.ts';
import { isExposed } from './exposed.ts';
import type { OpenPlaces } from './places.ts';

const subscriptionsSchema = z
  .array(
    z.strictObject({
      id: z.string().max(100),
      operation: z.string().max(100),
      input: z.record(z.string(), z.unknown()).default({}),
      repository: z.string().max(200).optional(),
    }),
  )
  .min(1)
  .max(8);

const mostConnections = 64;
const lifeMs = 15_000;

export class EventStream {
  readonly #places: OpenPlaces;
  readonly #signal: AbortSignal;
  #open = 0;

  constructor(places: OpenPlaces, signal: AbortSignal) {
    this.#places = places;
    this.#signal = signal;
  }

  async answer(c: Context): Promise<Response> {
    const wanted = readSubscriptions(c.req.query('s') ?? '');
    if (wanted === undefined) return c.json({ error: 'Name what to follow', code: 'bad-input' }, 400);
    if (this.#open >= mostConnections) {
      return c.json({ error: 'Too many windows are open', code: 'busy', hint: 'Close some of them.' }, 503);
    }
    this.#open += 1;
    return streamSSE(c, async (stream) => {
      const left = new AbortController();
      const signal = AbortSignal.any([this.#signal, left.signal]);
      stream.onAbort(() => left.abort());
      const life = setInterval(() => void stream.writeSSE({ event: 'life', data: '' }), lifeMs);
      const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      try {
        await stream.writeSSE({ event: 'open', data: '' });
        const all = wanted.map((one) => this.#send(one, (data) => stream.writeSSE({ data }), signal));
        // One that is over does not end the connection, or the browser would ask again at once.
        await Promise.race([Promise.all([...all, closed]), closed]);
      } finally {
        clearInterval(life);
        left.abort();
        this.#open -= 1;
      }
    });
  }

  async #send(
    { id, operation: name, input, repository }: z.output<typeof subscriptionsSchema>[number],
    write: (data: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const operation = isExposed(name) ? await loadOperation(name) : undefined;
      if (operation?.kind !== 'stream') throw new Error('There is no such stream');
      const context = this.#places.open(repository, 'stream', signal);
      for await (const value of followOperation(operation, context, input)) {
        if (signal.aborted) return;
        await write(JSON.stringify({ id, value }));
      }
      if (!signal.aborted) await write(JSON.stringify({ id, end: true }));
    } catch (error) {
      if (!signal.aborted) await write(JSON.stringify({ id, failure: failureOf(error) })).catch(() => undefined);
    }
  }
}

function readSubscriptions(text: string): z.output<typeof subscriptionsSchema> | undefined {
  try {
    return subscriptionsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
