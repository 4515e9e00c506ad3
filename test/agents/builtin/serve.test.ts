/** The built-in agent as a client sees it: a real connection, the scripted model on loopback. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { afterEach, describe, expect, test } from 'vitest';
import { openBridge } from '../../../src/agents/bridge/bridge.ts';
import { createRedactor } from '../../../src/process/redact.ts';
import type { Script } from '../../clients/model-server/script.ts';
import { processesWith, until } from '../workshop.ts';
import { makeStation, type Station } from './station.ts';

let station: Station | undefined;
afterEach(() => station?.close());

async function stationWith(...answers: Script[number]['answers']): Promise<Station> {
  station = await makeStation([{ name: 'all', answers }]);
  return station;
}

const marker = `7${process.pid}${Math.floor(Math.random() * 1e6)}`;

/** Pieces of text joined, so that it does not matter how a stream was cut. */
function joined(updates: readonly SessionUpdate[]): readonly unknown[] {
  const out: unknown[] = [];
  let said = '';
  for (const update of updates) {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
      said += update.content.text;
      continue;
    }
    if (said !== '') out.push(said);
    said = '';
    out.push(update);
  }
  return said === '' ? out : [...out, said];
}

describe('a turn', () => {
  test.each(['anthropic', 'openai', 'openai-compatible'] as const)(
    'uses tools, tells what it does and counts what it used (%s)',
    async (provider) => {
      const { tree, model, start } = await stationWith(
        { text: 'I begin.', calls: [{ write: { path: 'src/a.txt', content: 'one\n' } }] },
        { calls: [{ edit: { path: 'src/a.txt', from: 'one', to: 'two' } }, { run: 'cat src/a.txt; exit 3' }] },
        { text: 'Done.' },
      );
      const agent = await start({ provider });
      const session = await agent.newSession();
      const end = await agent.prompt(session, 'Do it.');
      const file = join(tree, 'src/a.txt');
      expect(readFileSync(file, 'utf8')).toBe('two\n');
      const counted = model.tally();
      const { inputTokens = 0, cachedReadTokens, cachedWriteTokens, ...usage } = end.usage ?? {};
      expect(inputTokens + (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0)).toBe(counted.inputTokens);
      expect({ ...end, usage }).toEqual({
        stopReason: 'end_turn',
        usage: {
          outputTokens: counted.outputTokens,
          totalTokens: counted.inputTokens + counted.outputTokens,
          thoughtTokens: provider === 'anthropic' ? expect.any(Number) : 21,
        },
        _meta: { 'forge/modelCalls': 3 },
      });
      const [first, second] = agent.updates.flatMap((one) =>
        one.sessionUpdate === 'tool_call' ? [one.toolCallId] : [],
      );
      const third = agent.updates.findLast((one) => one.sessionUpdate === 'tool_call')?.toolCallId;
      const started = { sessionUpdate: 'tool_call', status: 'in_progress', locations: [{ path: file }] };
      const edit = { ...started, name: 'edit', kind: 'edit', title: 'Edit src/a.txt', toolCallId: second };
      const ended = { sessionUpdate: 'tool_call_update', status: 'completed' };
      const said = (text: string) => ({ type: 'content', content: { type: 'text', text } });
      const size = { anthropic: 200_000, openai: 128_000, 'openai-compatible': 32_768 }[provider];
      const context = { sessionUpdate: 'usage_update', used: expect.any(Number), size };
      const write = { path: 'src/a.txt', content: 'one\n' };
      expect(joined(agent.updates)).toEqual([
        'I begin.',
        { ...started, name: 'write', kind: 'edit', title: 'Write src/a.txt', toolCallId: first, rawInput: write },
        {
          ...ended,
          toolCallId: first,
          content: [
            said('Created src/a.txt (4 bytes).'),
            { type: 'diff', path: file, oldText: null, newText: 'one\n' },
          ],
        },
        context,
        { ...edit, rawInput: expect.objectContaining({ path: 'src/a.txt', old: 'one', new: 'two' }) },
        expect.objectContaining({ name: 'run', kind: 'execute', title: 'cat src/a.txt; exit 3', toolCallId: third }),
        {
          ...ended,
          toolCallId: second,
          content: [
            said('Replaced one piece of src/a.txt.'),
            { type: 'diff', path: file, oldText: 'one\n', newText: 'two\n' },
          ],
        },
        { ...ended, toolCallId: third, status: 'failed', content: [said('exit code 3\ntwo')] },
        context,
        'Done.',
        context,
      ]);
      expect(model.calls.map(({ key, request }) => [key, request.model])).toEqual(
        Array.from({ length: 3 }, () => ['dummy-key', 'scripted-1']),
      );
      expect([model.strays, agent.stderr()]).toEqual([[], '']);
    },
  );

  test('takes the role from the system prompt, and gives a reader no tool to write', async () => {
    const { model, start } = await stationWith({ text: 'One.' }, { text: 'Two.' });
    const agent = await start({ access: 'read' });
    const role = (mode: string) => ({ systemPrompt: { mode, content: [{ type: 'text' as const, text: 'ROLE' }] } });
    await agent.prompt(await agent.newSession(role('append')), 'Look.');
    await agent.prompt(await agent.newSession(role('override')), 'Look.');
    const [first, second] = model.calls.map(({ request }) => request);
    expect(first?.system).toMatch(/^You are a software engineer[\s\S]*Change nothing[\s\S]*\n\nROLE$/);
    expect(second?.system).toBe('ROLE');
    expect(first?.tools.map(({ name }) => name)).toEqual(['read', 'list', 'search', 'run']);
  });

  test('its commands know neither the address nor the key', async () => {
    const { tree, model, startChild } = await stationWith({ calls: [{ run: 'env > env.txt' }] }, { text: 'Done.' });
    const agent = await startChild();
    await agent.prompt(await agent.newSession(), 'Do it.');
    const text = readFileSync(join(tree, 'env.txt'), 'utf8');
    expect(text).toContain('HOME=');
    expect([text.includes('dummy-key'), text.includes(model.url)]).toEqual([false, false]);
  });

  test('uses the model and the effort a client sets', async () => {
    const { model, start } = await stationWith({ text: 'Done.' });
    const agent = await start();
    const sessionId = await agent.newSession();
    const set = (configId: string, value: string) =>
      agent.agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
    await set('model', 'other-2');
    const { configOptions } = await set('effort', 'high');
    expect(configOptions.map(({ id, currentValue }) => [id, currentValue])).toEqual([
      ['model', 'other-2'],
      ['effort', 'high'],
    ]);
    await expect(set('colour', 'red')).rejects.toThrow('there is no option colour');
    await agent.prompt(sessionId, 'Go.');
    expect(model.calls.map(({ request }) => request.model)).toEqual(['other-2']);
  });
});

describe('a result', () => {
  test("goes through the client's MCP server, is mended when refused, and ends the turn when taken", async () => {
    const { model, start } = await stationWith(
      { calls: [{ submit: { answer: 1 } }] },
      { calls: [{ submit: { answer: 2 } }] },
      { text: 'Never asked for.' },
    );
    const bridge = await openBridge({
      resultSchema: { type: 'object', properties: { answer: { type: 'number' } } },
      judge: (value) => ((value as { answer: number }).answer === 2 ? { ok: true } : { ok: false, problem: 'not 2' }),
      redactor: createRedactor({}),
    });
    try {
      const { name, command, args, env } = bridge.server;
      // Other tests run the same program: this one's is known by an argument of its own.
      const mark = `mark-${bridge.token.slice(0, 12)}`;
      const variables = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
      const agent = await start();
      const session = await agent.newSession({
        mcpServers: [{ name, command, args: [...args, mark], env: variables }],
      });
      expect((await agent.prompt(session, 'Answer.')).stopReason).toBe('end_turn');
      expect(bridge.result()).toEqual({ value: { answer: 2 } });
      expect(model.tally().calls).toBe(2);
      const ends = agent.updates.flatMap((one) => (one.sessionUpdate === 'tool_call_update' ? [one.status] : []));
      expect(ends).toEqual(['failed', 'completed']);
      await agent.end();
      expect(processesWith(mark)).toEqual([]);
    } finally {
      await bridge.close();
    }
  });

  test('a server that cannot be started is told as a missing tool', async () => {
    const { start } = await stationWith({ text: 'Never.' });
    const agent = await start();
    const server = { name: 'gone', command: '/nowhere/at-all', args: [], env: [] };
    await expect(agent.newSession({ mcpServers: [server] })).rejects.toMatchObject({
      data: { code: 'tool_missing', message: expect.stringContaining('the MCP server gone cannot be used') },
    });
  });
});

describe('the end of a turn', () => {
  test('a cancel ends a running command with everything it started', async () => {
    station = await makeStation([
      {
        name: 'first',
        now: 'Wait.',
        answers: [{ calls: [{ run: `sleep ${marker} & touch begun; sleep ${marker}1` }] }],
      },
      { name: 'second', now: 'Go on.', answers: [{ text: 'I do.' }] },
    ]);
    const { tree, start } = station;
    // Anthropic's wire would join the two prompts, and the script could not tell them apart.
    const agent = await start({ provider: 'openai-compatible' });
    const sessionId = await agent.newSession();
    const turn = agent.prompt(sessionId, 'Wait.');
    await until(() => existsSync(join(tree, 'begun')));
    await agent.agent.notify(methods.agent.session.cancel, { sessionId });
    expect((await turn).stopReason).toBe('cancelled');
    expect(processesWith(marker)).toEqual([]);
    expect((await agent.prompt(sessionId, 'Go on.')).stopReason).toBe('end_turn');
  });

  test('a cancel ends a model call', async () => {
    const { model, start } = await stationWith({ text: 'never whole', silence: 'within' });
    const agent = await start();
    const sessionId = await agent.newSession();
    const turn = agent.prompt(sessionId, 'Wait.');
    await model.until((calls) => calls.length === 1);
    await agent.agent.notify(methods.agent.session.cancel, { sessionId });
    expect((await turn).stopReason).toBe('cancelled');
  });

  test.each(['its input ends', 'it is told to'])('a command does not outlive the agent when %s', async (how) => {
    const { tree, startChild } = await stationWith({ calls: [{ run: `touch begun; sleep ${marker}` }] });
    const agent = await startChild();
    const turn = agent.prompt(await agent.newSession(), 'Wait.').catch(() => 'gone');
    await until(() => existsSync(join(tree, 'begun')));
    if (how === 'it is told to') agent.child.kill('SIGTERM');
    expect(await agent.end()).toBe(0);
    await turn;
    expect(processesWith(marker)).toEqual([]);
  });

  test('the same failing call three times ends it, with a word about why', async () => {
    const again = { calls: [{ read: 'missing.txt' }] };
    const { model, start } = await stationWith(again, again, again, again);
    const agent = await start();
    const end = await agent.prompt(await agent.newSession(), 'Read.');
    expect([end.stopReason, model.tally().calls]).toEqual(['max_turn_requests', 3]);
    expect(joined(agent.updates).at(-1)).toBe(
      '\n[Stopped: the same call of read failed again and again: missing.txt does not exist]',
    );
  });

  test('a tool nobody has is answered, and the turn goes on', async () => {
    const { start } = await stationWith({ calls: [{ tool: 'read', args: { path: 7 } }] }, { text: 'I see.' });
    const agent = await start();
    expect((await agent.prompt(await agent.newSession(), 'Go.')).stopReason).toBe('end_turn');
    expect(agent.updates.find((one) => one.sessionUpdate === 'tool_call_update')).toMatchObject({
      status: 'failed',
      content: [{ content: { text: expect.stringContaining('The arguments of read are wrong') } }],
    });
  });

  test('it has a limit of model calls', async () => {
    const { model, start } = await stationWith(...[1, 2, 3].map((n) => ({ calls: [{ run: `echo ${n}` }] })));
    const agent = await start({ maxSteps: 2 });
    const end = await agent.prompt(await agent.newSession(), 'Go.');
    expect([end.stopReason, model.tally().calls]).toEqual(['max_turn_requests', 2]);
  });
});

describe('the context', () => {
  test('stays within the window: old output goes, the task stays', async () => {
    const long = (n: number) => ({ calls: [{ run: `echo ${n}; seq 2500` }] });
    const { model, start } = await stationWith(long(1), long(2), long(3), long(4), { text: 'Done.' });
    const agent = await start({ contextTokens: 8000, maxOutputTokens: 1000 });
    expect((await agent.prompt(await agent.newSession(), 'The task.')).stopReason).toBe('end_turn');
    const last = JSON.stringify(model.calls.at(-1)?.request.turns);
    const holds = ['The task.', 'left out to save room', 'exit code 0\\n4\\n1\\n', 'exit code 0\\n1\\n1\\n'].map(
      (text) => last.includes(text),
    );
    expect(holds).toEqual([true, true, true, false]);
  });

  test('a task that cannot fit is said so, not sent', async () => {
    const { model, start } = await stationWith({ text: 'Never.' });
    const agent = await start({ contextTokens: 2000 });
    await expect(agent.prompt(await agent.newSession(), 'word '.repeat(4000))).rejects.toMatchObject({
      data: { code: 'prompt_too_long' },
    });
    expect(model.calls).toEqual([]);
  });
});

describe('a session', () => {
  const answers = [{ calls: [{ run: 'echo remembered' }] }, { text: 'First.' }];

  test('is continued by another agent, quietly or with its history', async () => {
    station = await makeStation([
      { name: 'first', now: 'One?', answers },
      { name: 'second', now: 'Two?', answers: [{ text: 'Second.' }] },
    ]);
    const { tree, model, start } = station;
    const one = await start();
    const sessionId = await one.newSession();
    await one.prompt(sessionId, 'One?');
    await one.end();

    const two = await start();
    await two.agent.request(methods.agent.session.resume, { sessionId, cwd: tree, mcpServers: [] });
    expect(two.updates).toEqual([]);
    await two.prompt(sessionId, 'Two?');
    expect(JSON.stringify(model.calls.at(-1)?.request.turns)).toMatch(/One\?.*remembered.*First\..*Two\?/);
    await two.end();

    const three = await start();
    await three.agent.request(methods.agent.session.load, { sessionId, cwd: tree, mcpServers: [] });
    const told = three.updates.map((update) =>
      'content' in update && update.content && 'text' in update.content ? update.content.text : update.sessionUpdate,
    );
    expect(told).toEqual(['One?', 'tool_call', 'tool_call_update', 'First.', 'Two?', 'Second.']);
  });

  test('survives a kill: the last whole step is there', async () => {
    station = await makeStation([
      {
        name: 'first',
        now: 'One?',
        answers: [{ calls: [{ run: 'echo remembered' }] }, { text: 'x', silence: 'within' }],
      },
      { name: 'second', now: 'Two?', answers: [{ text: 'Second.' }] },
    ]);
    const { home, tree, model, start, startChild } = station;
    const one = await startChild({ provider: 'openai-compatible' });
    const sessionId = await one.newSession();
    const lost = one.prompt(sessionId, 'One?').catch(() => 'lost');
    await model.until((calls) => calls.length === 2);
    one.child.kill('SIGKILL');
    await lost;
    const two = await start({ provider: 'openai-compatible' });
    await two.agent.request(methods.agent.session.resume, { sessionId, cwd: tree, mcpServers: [] });
    await two.prompt(sessionId, 'Two?');
    expect(JSON.stringify(model.calls.at(-1)?.request.turns)).toMatch(/One\?.*remembered.*Two\?/);
    expect(readdirSync(join(home, '.forge-agent/sessions'))).toEqual([`${sessionId}.json`]);
  });

  test.each(['00000000-0000-4000-8000-000000000000', '../../configuration', ''])(
    'there is none called %j',
    async (sessionId) => {
      const { tree, start } = await stationWith({ text: 'Never.' });
      const { agent } = await start();
      const params = { sessionId, cwd: tree, mcpServers: [] };
      for (const method of [methods.agent.session.load, methods.agent.session.resume] as const) {
        await expect(agent.request(method, params)).rejects.toMatchObject({ code: -32002 });
      }
    },
  );
});

test('a configuration that is not usable is told on standard error', async () => {
  const { home, startChild } = await stationWith({ text: 'Never.' });
  const agent = await startChild();
  await agent.end();
  writeFileSync(join(home, '.forge-agent/configuration.json'), '{"provider":"nobody"}');
  const { spawnSync } = await import('node:child_process');
  const { spawnargs } = agent.child;
  const { status, stderr, stdout } = spawnSync(process.execPath, spawnargs.slice(1), {
    env: { HOME: home },
    input: '',
  });
  expect([status, stdout.toString()]).toEqual([1, '']);
  expect(stderr.toString()).toMatch(/configuration\.json is not usable: [\s\S]*provider/);
});
