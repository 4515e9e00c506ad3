/**
 * OpenAI Responses: `POST /v1/responses`. Tools may be offered in groups (`namespace`), inside the input
 * (`additional_tools`), and may take free text (`custom`).
 */
import { refuseAsOpenai } from './openai.ts';
import {
  listOf,
  type ModelRequest,
  numberOf,
  objectOf,
  type OfferedTool,
  schemaOf,
  stringOf,
  textOf,
  type Turn,
} from './request.ts';
import type { Tokens } from './script.ts';
import { argsText, callId, type Frame, parts, type Reply, type ToolCall, type Wire } from './wire.ts';

export const openaiResponses: Wire = {
  name: 'openai-responses',
  answers: (path) => path.endsWith('/responses'),
  read,
  whole: (reply) => response(reply, 'completed'),
  frames,
  refuse: refuseAsOpenai,
};

type Json = Readonly<Record<string, unknown>>;

function read(body: Json): ModelRequest {
  const input = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : listOf(body['input']);
  const inside = input.filter((item) => stringOf(objectOf(item)['type']) === 'additional_tools');
  const offered = [...listOf(body['tools']), ...inside.flatMap((item) => listOf(objectOf(item)['tools']))];
  return {
    model: stringOf(body['model']),
    system: [
      stringOf(body['instructions']),
      ...input.filter(ordering).map((item) => textOf(objectOf(item)['content'])),
    ].join('\n'),
    turns: input.filter((item) => !ordering(item)).flatMap(turnsOf),
    tools: offered.flatMap(toolsOf),
    stream: body['stream'] === true,
    schema: schemaOf(objectOf(objectOf(body['text'])['format'])['schema']),
    maxOutput: numberOf(body['max_output_tokens']),
  };
}

function ordering(item: Json): boolean {
  return item['role'] === 'developer' || item['role'] === 'system';
}

function turnsOf(item: Json): readonly Turn[] {
  const type = stringOf(item['type'], 'message');
  if (type === 'message') {
    return [{ role: item['role'] === 'assistant' ? 'assistant' : 'user', text: textOf(item['content']) }];
  }
  if (type.endsWith('_call')) return [{ role: 'assistant', text: '' }];
  if (type.endsWith('_output')) {
    const { output } = item;
    return [{ role: 'tool', text: Array.isArray(output) ? textOf(output) : stringOf(output, JSON.stringify(output)) }];
  }
  return [];
}

function toolsOf(tool: Json): readonly OfferedTool[] {
  if (tool['type'] === 'namespace') {
    return listOf(tool['tools']).map((inner) => ({ ...toolOf(inner), group: stringOf(tool['name']) }));
  }
  return [toolOf(tool)];
}

function toolOf(tool: Json): OfferedTool {
  const name = stringOf(tool['name'], stringOf(tool['type']));
  return { name, freeform: tool['type'] === 'custom', schema: schemaOf(tool['parameters']) };
}

function usage({ input, output, cached, reasoning }: Tokens) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function response(reply: Reply, status: 'in_progress' | 'completed') {
  const done = status === 'completed';
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: 1,
    status,
    model: reply.model,
    output: done ? items(reply) : [],
    usage: done ? usage(reply.tokens) : null,
    error: null,
    incomplete_details: null,
    instructions: null,
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
  };
}

function items(reply: Reply): readonly Json[] {
  const said = reply.text === '' && reply.calls.length > 0 ? [] : [messageItem(reply)];
  return [...said, ...reply.calls.map((call, index) => callItem(call, callId(reply, index)))];
}

function messageItem(reply: Reply): Json {
  const content = [{ type: 'output_text', text: reply.text, annotations: [] }];
  return { type: 'message', id: `msg_${reply.id}`, role: 'assistant', status: 'completed', content };
}

function callItem(call: ToolCall, id: string): Json {
  const { tool } = call;
  const named = { id: `fc_${id}`, call_id: id, name: tool.name, status: 'completed' };
  const group = tool.group === undefined ? {} : { namespace: tool.group };
  return tool.freeform
    ? { type: 'custom_tool_call', ...named, ...group, input: argsText(call) }
    : { type: 'function_call', ...named, ...group, arguments: argsText(call) };
}

function frames(reply: Reply): readonly Frame[] {
  const inner = items(reply).flatMap((item, index) => itemFrames(item, index));
  const all = [
    { type: 'response.created', response: response(reply, 'in_progress') },
    ...inner,
    { type: 'response.completed', response: response(reply, 'completed') },
  ];
  return all.map((data, at) => ({ event: data.type, data: { ...data, sequence_number: at } }));
}

function itemFrames(item: Json, index: number): readonly (Json & { type: string })[] {
  const at = { item_id: item['id'], output_index: index };
  const begun = {
    ...item,
    status: 'in_progress',
    ...(item['type'] === 'message' ? { content: [] } : { arguments: '' }),
  };
  const middle = item['type'] === 'message' ? messageFrames(textOf(item['content']), at) : argumentFrames(item, at);
  return [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: item['type'] === 'custom_tool_call' ? item : begun,
    },
    ...middle,
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function messageFrames(text: string, at: Json): readonly (Json & { type: string })[] {
  const part = { ...at, content_index: 0 };
  const empty = { type: 'output_text', text: '', annotations: [] };
  return [
    { type: 'response.content_part.added', ...part, part: empty },
    ...parts(text).map((delta) => ({ type: 'response.output_text.delta', ...part, delta })),
    { type: 'response.output_text.done', ...part, text },
    { type: 'response.content_part.done', ...part, part: { ...empty, text } },
  ];
}

function argumentFrames(item: Json, at: Json): readonly (Json & { type: string })[] {
  if (item['type'] === 'custom_tool_call') return [];
  const text = stringOf(item['arguments']);
  return [
    ...parts(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: text },
  ];
}
