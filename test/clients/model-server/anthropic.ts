/** Anthropic Messages: `POST /v1/messages`, streamed or whole. Cached tokens are counted beside `input_tokens`. */
import { listOf, type ModelRequest, numberOf, objectOf, schemaOf, stringOf, textOf, type Turn } from './request.ts';
import type { Refusal, Tokens } from './script.ts';
import { callId, type Frame, parts, type RefusedAnswer, type Reply, type Wire } from './wire.ts';

export const anthropic: Wire = {
  name: 'anthropic',
  answers: (path) => path.endsWith('/messages'),
  read,
  whole: (reply) => asMessage(reply, content(reply), usage(reply.tokens)),
  frames,
  refuse,
};

function read(body: Readonly<Record<string, unknown>>): ModelRequest {
  const format = objectOf(objectOf(body['output_config'])['format'] ?? body['output_format']);
  return {
    model: stringOf(body['model']),
    system: textOf(body['system']),
    turns: listOf(body['messages']).flatMap(turnsOf),
    tools: listOf(body['tools']).map((tool) => ({
      name: stringOf(tool['name']),
      freeform: false,
      schema: schemaOf(tool['input_schema']),
    })),
    stream: body['stream'] === true,
    schema: schemaOf(format['schema']),
    maxOutput: numberOf(body['max_tokens']),
  };
}

function turnsOf(message: Readonly<Record<string, unknown>>): readonly Turn[] {
  const blocks =
    typeof message['content'] === 'string' ? [{ type: 'text', text: message['content'] }] : message['content'];
  if (message['role'] === 'assistant') return [{ role: 'assistant', text: textOf(blocks) }];
  const results = listOf(blocks).filter((block) => block['type'] === 'tool_result');
  const told: readonly Turn[] = results.map((block) => ({ role: 'tool', text: textOf(block['content']) }));
  // Reminders travel beside results; they are not a prompt.
  return told.length > 0 ? told : [{ role: 'user', text: textOf(blocks) }];
}

function usage({ input, output, cached, written }: Tokens) {
  return {
    input_tokens: input - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

function content(reply: Reply): readonly unknown[] {
  const said = reply.text === '' && reply.calls.length > 0 ? [] : [{ type: 'text', text: reply.text }];
  return [...said, ...reply.calls.map((call, index) => ({ ...toolUse(reply, index), input: call.args }))];
}

function toolUse(reply: Reply, index: number) {
  return { type: 'tool_use', id: callId(reply, index), name: reply.calls[index]?.tool.name };
}

function asMessage(reply: Reply, blocks: readonly unknown[], used: object) {
  const stop = stopOf(reply);
  return {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: blocks,
    stop_reason: blocks.length === 0 ? null : stop,
    stop_sequence: null,
    usage: used,
  };
}

function stopOf({ calls, refused }: Reply): string {
  return refused ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn';
}

function frames(reply: Reply): readonly Frame[] {
  const first = { ...usage(reply.tokens), output_tokens: 1 };
  const blocks = [
    ...(reply.text === '' && reply.calls.length > 0
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: parts(reply.text).map((text) => ({ type: 'text_delta', text })),
          },
        ]),
    ...reply.calls.map((call, index) => ({
      start: { ...toolUse(reply, index), input: {} },
      deltas: parts(JSON.stringify(call.args)).map((text) => ({ type: 'input_json_delta', partial_json: text })),
    })),
  ];
  return [
    typed('message_start', { message: asMessage(reply, [], first) }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      typed('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => typed('content_block_delta', { index, delta })),
      typed('content_block_stop', { index }),
    ]),
    typed('message_delta', {
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      usage: usage(reply.tokens),
    }),
    typed('message_stop', {}),
  ];
}

function typed(type: string, data: object): Frame {
  return { event: type, data: { type, ...data } };
}

const refused: Readonly<Record<Refusal, readonly [status: number, type: string, message: string]>> = {
  rate_limit: [429, 'rate_limit_error', 'This request would exceed your rate limit.'],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  server: [500, 'api_error', 'Internal server error'],
  authentication: [401, 'authentication_error', 'invalid x-api-key'],
  billing: [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
  model_not_found: [404, 'not_found_error', 'model: scripted'],
  prompt_too_long: [400, 'invalid_request_error', 'prompt is too long: 250000 tokens > 200000 maximum'],
};

function refuse(refusal: Refusal): RefusedAnswer {
  const [status, type, text] = refused[refusal];
  return { status, body: { type: 'error', error: { type, message: text } } };
}
