/**
 * What an ACP agent says, read as coming from a stranger: a line is a JSON-RPC message, an update of a session, or
 * noise. Schemas ask only for what is used and let go of the rest, since agents differ and send more every month.
 * Pure. Messages that answer no question of ours are noise too.
 */
import { z } from 'zod';
import type { TextLine } from '../text-lines.ts';

export type DecodedMessage =
  | { readonly kind: 'update'; readonly session: string; readonly update: SessionUpdate }
  /** Well-formed: a request of the agent, or the answer to one of ours. */
  | { readonly kind: 'message'; readonly message: JsonRpcMessage }
  /** Part of the protocol, and of no use here. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'noise' };

export type JsonRpcMessage = z.infer<typeof messageSchema>;
export type SessionUpdate = z.infer<typeof updateSchema>;
export type ToolUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>;

const idSchema = z.union([z.string(), z.number()]);
const messageSchema = z.union([
  z.object({ jsonrpc: z.literal('2.0'), id: idSchema, method: z.string(), params: z.unknown().optional() }),
  z.object({
    jsonrpc: z.literal('2.0'),
    id: idSchema,
    error: z.object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() }),
  }),
  z.object({ jsonrpc: z.literal('2.0'), id: idSchema, result: z.unknown() }),
]);
const notificationSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.undefined().optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

const absent = () => undefined;
const text = z.string().optional().catch(absent);
const meta = z.record(z.string(), z.unknown()).optional().catch(absent);
const blockSchema = z.object({ type: z.string(), text }).catch({ type: 'unknown', text: undefined });
const toolShape = {
  toolCallId: z.string(),
  title: text,
  kind: text,
  status: text,
  locations: z
    .array(z.object({ path: z.string() }))
    .optional()
    .catch(absent),
  content: z
    .array(
      z.object({
        type: z.string(),
        path: text,
        content: blockSchema.optional().catch(absent),
        /** Of an edit; without it the file is new. */
        oldText: z.string().nullish().catch(absent),
        newText: text,
      }),
    )
    .optional()
    .catch(absent),
  rawInput: z.unknown().optional(),
  _meta: meta,
};
const updateSchema = z.discriminatedUnion('sessionUpdate', [
  z.object({ sessionUpdate: z.literal('agent_message_chunk'), content: blockSchema, _meta: meta }),
  z.object({ sessionUpdate: z.literal('agent_thought_chunk'), content: blockSchema, _meta: meta }),
  z.object({ sessionUpdate: z.literal('tool_call'), ...toolShape }),
  z.object({ sessionUpdate: z.literal('tool_call_update'), ...toolShape }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    cost: z.object({ amount: z.number().nonnegative(), currency: z.string() }).nullish().catch(absent),
    _meta: meta,
  }),
]);
const updateParams = z.object({ sessionId: z.string(), update: z.unknown() });

/** `asked` says whether an answer is waited for under this id. */
export function decodeLine(line: TextLine, asked: (id: string | number) => boolean): DecodedMessage {
  const value = line.cut ? undefined : parse(line.text);
  const message = messageSchema.safeParse(value);
  if (message.success) {
    const waited = 'method' in message.data || asked(message.data.id);
    return waited ? { kind: 'message', message: message.data } : { kind: 'noise' };
  }
  const notification = notificationSchema.safeParse(value);
  if (!notification.success) return { kind: 'noise' };
  if (notification.data.method !== 'session/update') return { kind: 'ignored' };
  const params = updateParams.safeParse(notification.data.params);
  const update = params.success ? updateSchema.safeParse(params.data.update) : undefined;
  if (params.data === undefined || update?.data === undefined) return { kind: 'ignored' };
  return { kind: 'update', session: params.data.sessionId, update: update.data };
}

function parse(line: string): unknown {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
