/** Gemini: `POST …/models/<model>:generateContent` and `:streamGenerateContent?alt=sse`. Thoughts count beside candidates. */
import { listOf, type ModelRequest, numberOf, objectOf, schemaOf, stringOf, textOf, type Turn } from './request.ts';
import type { Refusal, Tokens } from './script.ts';
import { callId, type Frame, parts, type RefusedAnswer, type Reply, type Wire } from './wire.ts';

export const gemini: Wire = {
  name: 'gemini',
  answers: (path) => /:(generateContent|streamGenerateContent)$/.test(path),
  read,
  whole: (reply) => chunk(reply, content(reply), 'STOP'),
  frames,
  refuse,
};

function read(body: Readonly<Record<string, unknown>>, path: string): ModelRequest {
  const wanted = objectOf(body['generationConfig']);
  return {
    model: /models\/([^:/]+):/.exec(path)?.[1] ?? '',
    system: textOf(objectOf(body['systemInstruction'])['parts']),
    turns: listOf(body['contents']).flatMap(turnsOf),
    tools: listOf(body['tools']).flatMap((group) =>
      listOf(group['functionDeclarations']).map((tool) => ({
        name: stringOf(tool['name']),
        freeform: false,
        schema: schemaOf(tool['parametersJsonSchema'] ?? tool['parameters']),
      })),
    ),
    stream: path.includes(':streamGenerateContent'),
    schema: schemaOf(wanted['responseJsonSchema'] ?? wanted['responseSchema']),
    maxOutput: numberOf(wanted['maxOutputTokens']),
  };
}

function turnsOf({ role, parts: inner }: Readonly<Record<string, unknown>>): readonly Turn[] {
  if (role === 'model') return [{ role: 'assistant', text: textOf(inner) }];
  const results = listOf(inner).filter((part) => part['functionResponse'] !== undefined);
  const told: readonly Turn[] = results.map((part) => ({
    role: 'tool',
    text: JSON.stringify(part['functionResponse']),
  }));
  return told.length > 0 ? told : [{ role: 'user', text: textOf(inner) }];
}

function usage({ input, output, cached, reasoning }: Tokens) {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cached,
    totalTokenCount: input + output,
  };
}

function content(reply: Reply): readonly unknown[] {
  const said = reply.text === '' && reply.calls.length > 0 ? [] : [{ text: reply.text }];
  return [...said, ...calls(reply)];
}

function calls(reply: Reply): readonly unknown[] {
  return reply.calls.map(({ tool, args }, index) => ({
    functionCall: { id: callId(reply, index), name: tool.name, args },
  }));
}

function chunk(reply: Reply, inner: readonly unknown[], finishReason?: string) {
  const candidate = { content: { role: 'model', parts: inner }, index: 0 };
  return {
    candidates: [finishReason === undefined ? candidate : { ...candidate, finishReason }],
    usageMetadata: usage(reply.tokens),
    modelVersion: reply.model,
    responseId: reply.id,
  };
}

function frames(reply: Reply): readonly Frame[] {
  const said = reply.text === '' ? [] : parts(reply.text).map((text) => ({ data: chunk(reply, [{ text }]) }));
  const last = reply.calls.length > 0 ? calls(reply) : [{ text: '' }];
  return [...said, { data: chunk(reply, last, 'STOP') }];
}

const refused: Readonly<Record<Refusal, readonly [code: number, status: string, message: string]>> = {
  rate_limit: [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota. Please retry later.'],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  server: [500, 'INTERNAL', 'An internal error has occurred.'],
  authentication: [401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  billing: [403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.'],
  model_not_found: [404, 'NOT_FOUND', 'models/scripted is not found for API version v1beta.'],
  prompt_too_long: [
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
};

function refuse(refusal: Refusal): RefusedAnswer {
  const [code, status, message] = refused[refusal];
  return { status: code, body: { error: { code, message, status } } };
}
