/** How one provider's protocol is read and written. A wire decides nothing: it spells what the script decided. */
import type { ModelRequest, OfferedTool } from './request.ts';
import type { Refusal, Tokens } from './script.ts';

export interface Wire {
  readonly name: 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini';
  /** Whether a POST to this path is a request for an answer. */
  readonly answers: (path: string) => boolean;
  readonly read: (body: Readonly<Record<string, unknown>>, path: string) => ModelRequest;
  readonly whole: (reply: Reply) => unknown;
  /** The same as a stream of server-sent events. */
  readonly frames: (reply: Reply) => readonly Frame[];
  readonly refuse: (refusal: Refusal) => RefusedAnswer;
}

export interface Reply {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly tokens: Tokens;
  /** The model will not go on. */
  readonly refused: boolean;
}

export interface ToolCall {
  readonly tool: OfferedTool;
  /** An object, or text for a freeform tool. */
  readonly args: Readonly<Record<string, unknown>> | string;
}

export interface Frame {
  readonly event?: string;
  readonly data: unknown;
}

export interface RefusedAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Text in three parts, so that a stream has a middle. */
export function parts(text: string): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [''];
}

export function callId(reply: Reply, index: number): string {
  return `call_${reply.id}_${index}`;
}

export function argsText({ args }: ToolCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
