/**
 * The server side of MCP, as much of it as serving tools needs: initialize, ping, list, call, and the cancelling of a
 * call. Lines in, messages out; what is not a request is ignored and no failure of a tool reaches the protocol. The caller
 * is untrusted: calls at a time and the size of answers are bounded.
 */
import { z } from 'zod';
import { messageOf } from '../../errors.ts';
import type { JobTool } from '../agent.ts';
import { submitToolName } from './submit-tool.ts';

export interface McpOptions {
  readonly tools: readonly JobTool[];
  readonly signal: AbortSignal;
  readonly send: (message: object) => void;
}

const requestSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});
const callSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

type Id = string | number;
type Answer = { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } };

const maxCalls = 16;
const maxAnswerLength = 1024 * 1024;
/** What is offered to a client that names no version of its own. */
const protocolVersion = '2025-06-18';

/** Gives what takes a line of input. */
export function answerMcp({ tools, signal, send }: McpOptions): (line: string) => void {
  const calls = new Map<Id, AbortController>();

  const call = async (id: Id, params: unknown): Promise<Answer> => {
    const read = callSchema.safeParse(params);
    const tool = read.success ? tools.find(({ name }) => name === read.data.name) : undefined;
    if (!read.success || tool === undefined) return failed(-32602, 'There is no such tool.');
    if (calls.size >= maxCalls)
      return { result: textResult('Too many calls at a time: wait for their answers.', true) };
    const ended = new AbortController();
    calls.set(id, ended);
    try {
      const { text, isError } = await tool.call(read.data.arguments, AbortSignal.any([signal, ended.signal]));
      return { result: textResult(text, isError) };
    } catch (error) {
      return { result: textResult(messageOf(error), true) };
    } finally {
      calls.delete(id);
    }
  };

  const answer = async (id: Id, method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> => {
    switch (method) {
      case 'initialize':
        return { result: introduction(params['protocolVersion']) };
      case 'ping':
        return { result: {} };
      case 'tools/list':
        return { result: { tools: tools.map(listed) } };
      case 'tools/call':
        return call(id, params);
      default:
        return failed(-32601, 'There is no such method.');
    }
  };

  return (line) => {
    const request = readRequest(line);
    if (request === undefined) return;
    const { id, method, params } = request;
    if (id !== undefined) void answer(id, method, params).then((outcome) => send({ jsonrpc: '2.0', id, ...outcome }));
    else if (method === 'notifications/cancelled') calls.get(params['requestId'] as Id)?.abort();
  };
}

function readRequest(line: string): z.infer<typeof requestSchema> | undefined {
  try {
    return requestSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function introduction(asked: unknown): object {
  const known = typeof asked === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(asked);
  return {
    protocolVersion: known ? asked : protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'forge', version: '1' },
  };
}

function listed({ name, description, inputSchema }: JobTool): object {
  return {
    name,
    description,
    inputSchema,
    // Some agents ask before tools that may change something, or hide tools until they are searched for.
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ...(name === submitToolName ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}

function textResult(text: string, isError: boolean): object {
  const shown = text.length > maxAnswerLength ? `${text.slice(0, maxAnswerLength)} […]` : text;
  return { content: [{ type: 'text', text: shown }], isError };
}

function failed(code: number, message: string): Answer {
  return { error: { code, message } };
}
