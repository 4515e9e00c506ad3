/** The scripted model server itself, asked as clients ask it. */
import { afterEach, describe, expect, it } from 'vitest';
import { readScript, type Script } from './model-server/script.ts';
import { type ModelServer, startModelServer } from './model-server/server.ts';

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(script: Script): Promise<ModelServer> {
  const server = await startModelServer(script);
  open.push(server);
  return server;
}

type Said = readonly { readonly by: 'user' | 'assistant' | 'tool'; readonly text: string }[];

interface Dialect {
  readonly name: string;
  readonly path: (stream: boolean) => string;
  readonly body: (said: Said, options: { tools: boolean; stream: boolean }) => object;
  /** Whether an answer tells the first place's usage. */
  readonly tellsUsage: (answer: string) => boolean;
}

const tool = { type: 'object', properties: { file_path: { type: 'string' }, content: { type: 'string' } } };
const submit = { type: 'object', properties: { status: { type: 'string' } } };

const dialects: readonly Dialect[] = [
  {
    name: 'anthropic',
    path: () => '/v1/messages?beta=true',
    body: (said, { tools, stream }) => ({
      model: 'm',
      stream,
      system: [{ type: 'text', text: 'Working directory: /w' }],
      messages: said.map(({ by, text }) =>
        by === 'tool'
          ? { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: text }] }
          : { role: by, content: text },
      ),
      ...(tools
        ? {
            tools: [
              { name: 'Write', input_schema: tool },
              { name: 'mcp__forge__submit_result', input_schema: submit },
            ],
          }
        : {}),
    }),
    tellsUsage: (answer) => answer.includes('"output_tokens":50'),
  },
  {
    name: 'openai-chat',
    path: () => '/v1/chat/completions',
    body: (said, { tools, stream }) => ({
      model: 'm',
      stream,
      messages: [
        { role: 'system', content: 'Working directory: /w' },
        ...said.map(({ by, text }) => ({ role: by, content: text })),
      ],
      ...(tools
        ? {
            tools: [
              { type: 'function', function: { name: 'write', parameters: tool } },
              { type: 'function', function: { name: 'forge_submit_result', parameters: submit } },
            ],
          }
        : {}),
    }),
    tellsUsage: (answer) => answer.includes('"completion_tokens":50'),
  },
  {
    name: 'openai-responses',
    path: () => '/v1/responses',
    body: (said, { tools, stream }) => ({
      model: 'm',
      stream,
      instructions: '<cwd>/w</cwd>',
      input: said.map(({ by, text }) =>
        by === 'tool'
          ? { type: 'function_call_output', call_id: 'x', output: text }
          : { type: 'message', role: by, content: [{ type: 'input_text', text }] },
      ),
      ...(tools
        ? {
            tools: [
              { type: 'function', name: 'write_file', parameters: tool },
              {
                type: 'namespace',
                name: 'forge',
                tools: [{ type: 'function', name: 'submit_result', parameters: submit }],
              },
            ],
          }
        : {}),
    }),
    tellsUsage: (answer) => answer.includes('"output_tokens":50'),
  },
  {
    name: 'gemini',
    path: (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (said, { tools }) => ({
      systemInstruction: { parts: [{ text: 'Working directory: /w' }] },
      contents: said.map(({ by, text }) =>
        by === 'tool'
          ? { role: 'user', parts: [{ functionResponse: { name: 'x', response: { text } } }] }
          : { role: by === 'assistant' ? 'model' : 'user', parts: [{ text }] },
      ),
      ...(tools
        ? {
            tools: [
              {
                functionDeclarations: [
                  { name: 'write_file', parametersJsonSchema: tool },
                  { name: 'mcp_forge_submit_result', parametersJsonSchema: submit },
                ],
              },
            ],
          }
        : {}),
    }),
    tellsUsage: (answer) => answer.includes('"candidatesTokenCount":43') && answer.includes('"thoughtsTokenCount":7'),
  },
];

const begin: Said = [{ by: 'user', text: 'TASK one' }];

async function ask(
  server: ModelServer,
  dialect: Dialect,
  said: Said,
  options: { tools?: boolean; stream?: boolean } = {},
): Promise<{ status: number; text: string; retryAfter: string | null }> {
  const { tools = true, stream = true } = options;
  const response = await fetch(`${server.url}${dialect.path(stream)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'dummy' },
    body: JSON.stringify(dialect.body(said, { tools, stream })),
  });
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
}

describe.each(dialects)('$name', (dialect) => {
  const script: Script = [
    {
      name: 'work',
      says: 'TASK one',
      answers: [
        { calls: [{ write: { path: 'src/a.js', content: 'a\n' } }] },
        { calls: [{ submit: { status: 'success' } }], text: 'handing in' },
        { text: 'the end of it' },
      ],
    },
  ];
  const later: Said = [...begin, { by: 'assistant', text: 'x' }, { by: 'tool', text: 'ok' }];

  it.each([true, false])('plays answers by their place in the conversation, streamed: %s', async (stream) => {
    const server = await serve(script);
    const first = await ask(server, dialect, begin, { stream });
    expect(first.text).toContain(stream ? 'rite' : '/w/src/a.js');
    const second = await ask(server, dialect, later, { stream });
    expect(second.text).toContain('submit_result');
    await ask(server, dialect, [...later, { by: 'assistant', text: 'x' }, { by: 'tool', text: 'ok' }], { stream });
    expect(server.calls.map(({ rule, place, state, key, problem }) => ({ rule, place, state, key, problem }))).toEqual(
      [0, 1, 2].map((place) => ({ rule: 'work', place, state: 'told', key: 'dummy', problem: undefined })),
    );
    expect(server.tally()).toEqual({ calls: 3, inputTokens: 1000 + 1010 + 1020, outputTokens: 50 + 51 + 52 });
  });

  it('counts a side call apart', async () => {
    const server = await serve([{ name: 'work', says: 'TASK', answers: [{ text: 'words' }] }]);
    expect(dialect.tellsUsage((await ask(server, dialect, begin)).text)).toBe(true);
    expect((await ask(server, dialect, begin, { tools: false })).text).toContain('Scr');
    expect(server.tally({ side: true })).toEqual({ calls: 1, inputTokens: 300, outputTokens: 9 });
    expect(server.tally({ side: false })).toEqual({ calls: 1, inputTokens: 1000, outputTokens: 50 });
  });

  it('refuses once, then answers', async () => {
    const server = await serve([
      { name: 'work', says: 'TASK', answers: [{ tries: [{ refuse: 'rate_limit', retryAfter: 7 }, { text: 'now' }] }] },
    ]);
    const refused = await ask(server, dialect, begin);
    expect([refused.status, refused.retryAfter]).toEqual([429, '7']);
    expect((await ask(server, dialect, begin)).status).toBe(200);
    expect(server.tally().calls).toBe(1);
  });

  it.each(['before', 'within'] as const)('drops the connection %s the answer', async (drop) => {
    const server = await serve([{ name: 'work', says: 'TASK', answers: [{ text: 'a longer answer', drop }] }]);
    await expect(ask(server, dialect, begin)).rejects.toThrow();
    expect(server.calls.map(({ state }) => state)).toEqual(['dropped']);
    expect(server.tally().calls).toBe(0);
  });

  it('falls silent within the answer and stays so', async () => {
    const server = await serve([
      { name: 'work', says: 'TASK', answers: [{ text: 'a longer answer', silence: 'within' }] },
    ]);
    const gone = new AbortController();
    const asked = fetch(`${server.url}${dialect.path(true)}`, {
      method: 'POST',
      body: JSON.stringify(dialect.body(begin, { tools: true, stream: true })),
      signal: gone.signal,
    }).then((response) => response.text());
    await server.until((calls) => calls.some(({ state }) => state === 'silent'));
    gone.abort();
    await expect(asked).rejects.toThrow();
  });
});

describe('which answer', () => {
  const [dialect] = dialects;
  if (dialect === undefined) throw new Error('there are dialects');
  const script: Script = [
    { name: 'fix', says: 'ROLE', now: 'mend it', answers: [{ text: 'mended' }] },
    { name: 'work', says: 'ROLE', answers: [{ text: 'made' }, { text: 'more' }] },
  ];

  it('follows the newest prompt of a session', async () => {
    const server = await serve(script);
    const first: Said = [{ by: 'user', text: 'ROLE make it' }];
    const fix: Said = [...first, { by: 'assistant', text: 'made' }, { by: 'user', text: 'ROLE mend it' }];
    await ask(server, dialect, first);
    await ask(server, dialect, fix);
    await ask(server, dialect, [...fix, { by: 'assistant', text: 'mended' }, { by: 'user', text: 'ROLE make it' }]);
    expect(server.calls.map(({ rule, place, prompts }) => [rule, place, prompts])).toEqual([
      ['work', 0, 1],
      ['fix', 0, 1],
      ['work', 0, 3],
    ]);
  });

  it('notes what it could not do', async () => {
    const server = await serve([{ name: 'work', says: 'ROLE', answers: [{ calls: [{ run: 'true' }] }] }]);
    await ask(server, dialect, [{ by: 'user', text: 'ROLE' }]);
    await ask(server, dialect, [
      { by: 'user', text: 'ROLE' },
      { by: 'assistant', text: '' },
      { by: 'tool', text: '' },
    ]);
    await ask(server, dialect, [{ by: 'user', text: 'someone else' }]);
    expect(server.calls.map(({ problem }) => problem)).toEqual([
      'no tool for [{"run":"true"}]',
      'the script has no answer left',
      'no rule fits',
    ]);
  });

  it('reads a script from YAML', () => {
    expect(readScript('- { name: a, says: x, answers: [{ refuse: server }] }')).toEqual([
      { name: 'a', says: ['x'], now: [], answers: [{ refuse: 'server' }] },
    ]);
  });
});
