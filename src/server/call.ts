/** One operation asked for over HTTP: JSON in, JSON out; a failure with its code and hint. */
import type { Context } from 'hono';
import { performOperation } from '../api/operation.ts';
import { loadOperation } from '../api/registry.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { isExposed } from './exposed.ts';
import type { OpenPlaces } from './places.ts';

export interface CallFailure {
  readonly error: string;
  readonly code: string;
  readonly hint?: string;
}

export async function answerCall(c: Context, places: OpenPlaces, signal: AbortSignal): Promise<Response> {
  const name = c.req.param('operation') ?? '';
  const operation = isExposed(name) ? await loadOperation(name) : undefined;
  if (operation === undefined || operation.kind === 'stream') {
    return c.json({ error: 'There is no such operation', code: 'unknown-operation' }, 404);
  }
  try {
    const { repository, input } = readBody(await c.req.text());
    const context = places.open(repository, operation.kind, AbortSignal.any([signal, c.req.raw.signal]));
    return c.json((await performOperation(operation, context, input)) as object);
  } catch (error) {
    return c.json(failureOf(error), error instanceof ForgeError ? 400 : 500);
  }
}

function readBody(text: string): { readonly repository: string | undefined; readonly input: unknown } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new ForgeError('bad-input', 'The request is not JSON', { cause });
  }
  const { repository, input = {} } = Object(body) as { repository?: unknown; input?: unknown };
  return { repository: typeof repository === 'string' ? repository : undefined, input };
}

/** What went wrong, in words a person can use; a bug of ours is named as one. */
export function failureOf(error: unknown): CallFailure {
  if (!(error instanceof ForgeError)) return { error: messageOf(error), code: 'internal' };
  return { error: error.message, code: error.code, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}
