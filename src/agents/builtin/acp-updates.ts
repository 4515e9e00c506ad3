/** What happens in a turn, in ACP's words. Pure: values in, `session/update` values out, bounded. */

import { resolve } from 'node:path';
import type { ContentBlock, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk/unstable';
import type { ModelMessage } from 'ai';
import type { LoopTool } from './tool-set.ts';
import type { ToolAnswer } from './tools/tool.ts';

/** A client shows these to people; the model gets the whole of it. */
const maxShown = 20_000;
const maxDiff = 200_000;

export function textUpdate(
  kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk',
  text: string,
): SessionUpdate {
  return { sessionUpdate: kind, content: { type: 'text', text } };
}

export interface StartedCall {
  readonly id: string;
  readonly name: string;
  readonly tool: LoopTool | undefined;
  readonly input: unknown;
}

export function callStarted({ id, name, tool, input }: StartedCall, root: string): SessionUpdate {
  return {
    sessionUpdate: 'tool_call',
    toolCallId: id,
    name,
    title: tool?.title(input) ?? name,
    kind: tool?.kind ?? 'other',
    status: 'in_progress',
    locations: (tool?.paths(input) ?? []).map((path) => ({ path: resolve(root, path) })),
    rawInput: bounded(input),
  };
}

export function callEnded(id: string, ok: boolean, { text, diff }: ToolAnswer): SessionUpdate {
  const small = diff !== undefined && (diff.oldText?.length ?? 0) + diff.newText.length <= maxDiff;
  const content: ToolCallContent[] = [
    { type: 'content', content: { type: 'text', text: cut(text) } },
    ...(small
      ? [{ type: 'diff' as const, path: diff.path, oldText: diff.oldText ?? null, newText: diff.newText }]
      : []),
  ];
  return { sessionUpdate: 'tool_call_update', toolCallId: id, status: ok ? 'completed' : 'failed', content };
}

/** The text of a prompt or of a system prompt. What is not text is named, so that the model knows of it. */
export function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'resource_link') return `[${block.name}: ${block.uri}]`;
      if (block.type === 'resource' && 'text' in block.resource)
        return `[${block.resource.uri}]\n${block.resource.text}`;
      return `[${block.type} left out]`;
    })
    .join('\n\n');
}

/** What was said and done before, for a client that loads a session. */
export function replayUpdates(
  messages: readonly ModelMessage[],
  tools: readonly LoopTool[],
  root: string,
): SessionUpdate[] {
  return messages.flatMap((message): SessionUpdate[] => {
    if (message.role === 'system') return [];
    if (message.role === 'user' || typeof message.content === 'string') {
      const kind = message.role === 'user' ? 'user_message_chunk' : 'agent_message_chunk';
      const text = typeof message.content === 'string' ? message.content : textOfParts(message.content);
      return text === '' ? [] : [textUpdate(kind, text)];
    }
    return message.content.flatMap((part): SessionUpdate[] => {
      if (part.type === 'text') return part.text === '' ? [] : [textUpdate('agent_message_chunk', part.text)];
      if (part.type === 'reasoning') return part.text === '' ? [] : [textUpdate('agent_thought_chunk', part.text)];
      if (part.type === 'tool-call') {
        const tool = tools.find(({ name }) => name === part.toolName);
        return [callStarted({ id: part.toolCallId, name: part.toolName, tool, input: part.input }, root)];
      }
      if (part.type !== 'tool-result') return [];
      const text = 'value' in part.output ? part.output.value : '';
      const shown = typeof text === 'string' ? text : JSON.stringify(text);
      return [callEnded(part.toolCallId, !part.output.type.startsWith('error'), { text: shown })];
    });
  });
}

function textOfParts(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.map((part) => part.text ?? '').join('');
}

function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}\n[${text.length - maxShown} more characters]`;
}

function bounded(input: unknown): unknown {
  const text = JSON.stringify(input) ?? '';
  return text.length <= maxShown ? input : { shortened: cut(text) };
}
