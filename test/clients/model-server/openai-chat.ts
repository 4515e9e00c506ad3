/** OpenAI chat completions: `POST /v1/chat/completions`, as compatible servers speak it too. Usage comes last. */
import { refuseAsOpenai } from './openai.ts';
import { listOf, type ModelRequest, numberOf, objectOf, schemaOf, stringOf, textOf, type Turn } from './request.ts';
import type { Tokens } from './script.ts';
import { argsText, callId, type Frame, parts, type Reply, type Wire } from './wire.ts';

export const openaiChat: Wire = {
  name: 'openai-chat',
  answers: (path) => path.endsWith('/chat/completions'),
  read,
  whole,
  frames,
  refuse: refuseAsOpenai,
};

function read(body: Readonly<Record<string, unknown>>): ModelRequest {
  const messages = listOf(body['messages']);
  const ordering = new Set(['system', 'developer']);
  return {
    model: stringOf(body['model']),
    system: messages
      .filter(({ role }) => ordering.has(stringOf(role)))
      .map(({ content }) => textOf(content))
      .join('\n'),
    turns: messages.filter(({ role }) => !ordering.has(stringOf(role))).map(turnOf),
    tools: listOf(body['tools']).map((tool) => ({
      name: stringOf(objectOf(tool['function'])['name']),
      freeform: false,
      schema: schemaOf(objectOf(tool['function'])['parameters']),
    })),
    stream: body['stream'] === true,
    schema: schemaOf(objectOf(objectOf(body['response_format'])['json_schema'])['schema']),
    maxOutput: numberOf(body['max_completion_tokens'] ?? body['max_tokens']),
  };
}

function turnOf({ role, content }: Readonly<Record<string, unknown>>): Turn {
  return { role: role === 'assistant' || role === 'tool' ? role : 'user', text: textOf(content) };
}

function usage({ input, output, cached, reasoning }: Tokens) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function whole(reply: Reply): unknown {
  const called = reply.calls.length > 0 ? { tool_calls: reply.calls.map((_, index) => toolCall(reply, index)) } : {};
  const message = { role: 'assistant', content: reply.text === '' ? null : reply.text, ...called };
  return {
    id: `chatcmpl-${reply.id}`,
    object: 'chat.completion',
    created: 1,
    model: reply.model,
    choices: [{ index: 0, finish_reason: finish(reply), message }],
    usage: usage(reply.tokens),
  };
}

function frames(reply: Reply): readonly Frame[] {
  const base = { id: `chatcmpl-${reply.id}`, object: 'chat.completion.chunk', created: 1, model: reply.model };
  const chunk = (delta: object, reason: string | null = null): Frame => ({
    data: { ...base, choices: [{ index: 0, delta, finish_reason: reason }] },
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(reply.text === '' ? [] : parts(reply.text).map((content) => chunk({ content }))),
    ...reply.calls.map((_, index) => chunk({ tool_calls: [{ index, ...toolCall(reply, index) }] })),
    chunk({}, finish(reply)),
    { data: { ...base, choices: [], usage: usage(reply.tokens) } },
    { data: '[DONE]' },
  ];
}

function toolCall(reply: Reply, index: number) {
  const call = reply.calls[index];
  if (call === undefined) throw new Error('no such call');
  const id = callId(reply, index);
  return { id, type: 'function', function: { name: call.tool.name, arguments: argsText(call) } };
}

function finish({ calls, refused }: Reply): string {
  return refused ? 'content_filter' : calls.length > 0 ? 'tool_calls' : 'stop';
}
