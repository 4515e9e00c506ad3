/** From an error an ACP agent answered with to trouble that a policy knows: structured codes first, words last. Pure. */
import { z } from 'zod';
import type { Trouble } from '../../policy/agent-outcome.ts';
import { classifyTrouble } from '../../policy/trouble.ts';

export interface AgentError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

const absent = () => undefined;
const word = z.union([z.string(), z.number()]).optional().catch(absent);
const number = z.number().optional().catch(absent);
const text = z.string().optional().catch(absent);
/** Where agents put what they know; each fills a few of these. */
const detailShape = {
  errorKind: word,
  code: word,
  type: word,
  kind: word,
  status: number,
  statusCode: number,
  httpStatusCode: number,
  message: text,
  details: text,
  retryAfterMs: number,
};
const dataSchema = z
  .object({ ...detailShape, error: z.object(detailShape).optional().catch(absent) })
  .catch({ error: undefined });

/** `at`: when it was seen, in milliseconds since the epoch. */
export function troubleOf(error: AgentError, at: number): Trouble {
  const data = dataSchema.parse(error.data);
  const parts = [data, ...(data.error === undefined ? [] : [data.error])];
  const codes = parts.flatMap((part) => [part.errorKind, part.code, part.type, part.kind]);
  const words = [error.message, ...parts.flatMap((part) => [part.message, part.details])];
  return classifyTrouble({
    code: [...codes, error.code].flatMap((code) => (code === undefined || code === 0 ? [] : [code])),
    status: parts.map((part) => part.status ?? part.statusCode ?? part.httpStatusCode).find((one) => one !== undefined),
    message: [...new Set(words.filter((one) => one !== undefined).map(plain))].join('\n'),
    retryAfterMs: parts.map((part) => part.retryAfterMs).find((one) => one !== undefined),
    at,
  });
}

/** The protocol's library puts its own words before those that matter. */
function plain(message: string): string {
  return message.replace(/^Internal error: /, '');
}
