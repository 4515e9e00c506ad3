/**
 * One call of a tool, from arguments to what the client gets: data as JSON text, a failure with its code and hint, and
 * progress while it works. A failure of the request or of the environment is an answer; only what is no tool at all is
 * an error of the protocol. A sign of life goes out even when there is nothing to tell, for clients count the silence.
 */
import { z } from 'zod';
import { ForgeError, messageOf } from '../errors.ts';
import type { ServerTool, ToolWork } from './tool.ts';

export interface CallAnswer {
  readonly [name: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

export interface CallSurroundings extends Omit<ToolWork, 'progress'> {
  /** Undefined when the client did not ask for progress. */
  readonly notify: ((count: number, message: string) => void) | undefined;
}

const lifeMs = 10_000;
const longestMessage = 500;

export async function answerCall(tool: ServerTool, args: unknown, around: CallSurroundings): Promise<CallAnswer> {
  const { notify, ...work } = around;
  let count = 0;
  let last = tool.title;
  const tell = (message: string): void => {
    count += 1;
    last = message.slice(0, longestMessage);
    notify?.(count, last);
  };
  const life = setInterval(() => tell(last), lifeMs);
  try {
    const parsed = tool.input.safeParse(args ?? {});
    if (!parsed.success) return failed(explain(tool, parsed.error));
    return told(await tool.call(parsed.data, { ...work, progress: tell }));
  } catch (error) {
    return failed(error);
  } finally {
    clearInterval(life);
  }
}

function told(value: unknown): CallAnswer {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return { content: [{ type: 'text', text }] };
}

/** Whatever it is, the server goes on. */
function failed(error: unknown): CallAnswer {
  const known = error instanceof ForgeError ? error : undefined;
  const said = {
    error: messageOf(error),
    code: known?.code ?? 'internal',
    ...(known?.hint === undefined ? {} : { hint: known.hint }),
  };
  return { ...told(said), isError: true };
}

function explain(tool: ServerTool, error: z.ZodError): ForgeError {
  const [first] = error.issues;
  const where = first === undefined || first.path.length === 0 ? '' : `${z.core.toDotPath(first.path)}: `;
  const known = Object.keys(tool.input.shape).join(', ');
  return new ForgeError('bad-input', `${tool.name}: ${where}${first?.message ?? 'the arguments do not fit'}`, {
    hint: known === '' ? 'It takes no arguments.' : `It takes: ${known}.`,
  });
}
