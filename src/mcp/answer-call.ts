/**
 * One call of a tool, from arguments to what the client gets: data as JSON text, a failure with its code and hint, and
 * progress while it works. A failed request is an answer with `isError`; only an unknown tool is an error of the protocol.
 * Progress is repeated when there is nothing new, because clients give up on a server that stays silent.
 */
import { z } from 'zod';
import type { ApiContext } from '../api/context.ts';
import { ForgeError, messageOf } from '../errors.ts';
import type { ServerTool } from './tool.ts';

export interface CallAnswer {
  readonly [name: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

export interface CallOptions {
  /** Opened anew for each call, for the repository goes on while the server stays. */
  readonly open: (progress: (message: string) => void) => ApiContext;
  /** Undefined when the client did not ask for progress. */
  readonly notify: ((count: number, message: string) => void) | undefined;
}

const lifeMs = 10_000;
const longestMessage = 500;

export async function answerCall(tool: ServerTool, args: unknown, { open, notify }: CallOptions): Promise<CallAnswer> {
  let count = 0;
  let last = tool.title;
  const report = (message: string): void => {
    count += 1;
    last = message.slice(0, longestMessage);
    notify?.(count, last);
  };
  const life = setInterval(() => report(last), lifeMs);
  try {
    const parsed = tool.input.safeParse(args ?? {});
    if (!parsed.success) return failed(explain(tool, parsed.error));
    return answered(await tool.call(parsed.data, open(report)));
  } catch (error) {
    return failed(error);
  } finally {
    clearInterval(life);
  }
}

function answered(value: unknown): CallAnswer {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return { content: [{ type: 'text', text }] };
}

/** Whatever failed, the server stays. */
function failed(error: unknown): CallAnswer {
  const known = error instanceof ForgeError ? error : undefined;
  const said = {
    error: messageOf(error),
    code: known?.code ?? 'internal',
    ...(known?.hint === undefined ? {} : { hint: known.hint }),
  };
  return { ...answered(said), isError: true };
}

function explain(tool: ServerTool, error: z.ZodError): ForgeError {
  const [first] = error.issues;
  const where = first === undefined || first.path.length === 0 ? '' : `${z.core.toDotPath(first.path)}: `;
  const known = Object.keys(tool.input.shape).join(', ');
  return new ForgeError('bad-input', `${tool.name}: ${where}${first?.message ?? 'the arguments do not fit'}`, {
    hint: known === '' ? 'It takes no arguments.' : `It takes: ${known}.`,
  });
}
