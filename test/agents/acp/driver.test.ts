/** What the ACP driver makes of agents that behave well, badly and strangely; each test has a stage of its own. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acpDriver } from '../../../src/agents/acp/driver.ts';
import type { JobTool, Meter } from '../../../src/agents/agent.ts';
import type { Trouble } from '../../../src/policy/agent-outcome.ts';
import type { Usage } from '../../../src/policy/usage.ts';
import { createRedactor } from '../../../src/process/redact.ts';
import { makeUnjailed } from '../../../src/process/unjailed.ts';
import { playing } from '../acp-agent/record.ts';
import { frozenClock, makeWorkshop, processesWith, recorder, until } from '../workshop.ts';
import { driverOf, perform, submit } from './stage.ts';

const session = expect.any(String) as string;
const noUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };
const ended = { usage: noUsage, durationMs: 0, session };
const chunk = (sessionUpdate: string, text: string) => ({ update: { sessionUpdate, content: { type: 'text', text } } });

describe.concurrent('an ACP agent', () => {
  test('is introduced, given a session, a server for its result and the prompt, in this order', () =>
    perform({ play: { steps: [submit({ status: 'success' })] } }, ({ outcome, heard, workshop }) => {
      expect(outcome).toEqual({ status: 'replied', reply: { status: 'success' }, ...ended });
      expect(heard.map(({ method }) => method)).toEqual(['initialize', 'session/new', 'session/prompt']);
      const [initialize, opened, prompted] = heard;
      expect(initialize?.params).toMatchObject({
        protocolVersion: 1,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      });
      expect(opened?.params).toEqual({
        cwd: workshop.tree,
        mcpServers: [{ name: 'forge', command: process.execPath, args: [expect.any(String)], env: expect.any(Array) }],
        systemPrompt: {
          mode: 'append',
          content: [{ type: 'text', text: expect.stringContaining('submit_result') as string }],
        },
      });
      expect(prompted?.params['prompt']).toEqual([{ type: 'text', text: 'Do the work.' }]);
    }));

  test('is told in lines, with tools and what they touched, and no secret in pieces', () => {
    const steps = [
      ...['I th', 'ink\nthe key is correct-', 'horse-battery', '.\nAnd so on'].map((text) =>
        chunk('agent_message_chunk', text),
      ),
      { think: 'hmm, ' },
      { think: 'yes' },
      { write: { path: 'made/a.txt', content: 'a' } },
      { shell: 'echo out; exit 3' },
      { update: { sessionUpdate: 'tool_call', toolCallId: 'open', title: 'Searching', status: 'in_progress' } },
      { update: { sessionUpdate: 'plan', entries: [] } },
      { update: { sessionUpdate: 'tool_call', title: 5 } },
      { say: 'Done.' },
    ];
    return perform({ play: { steps } }, ({ outcome, sink }) => {
      expect(outcome).toEqual({ status: 'silent', exit: 0, ...ended });
      expect(sink.entries).toEqual([
        { type: 'text', text: 'I think' },
        { type: 'text', text: 'the key is [redacted:API_TOKEN].' },
        { type: 'text', text: 'And so on' },
        { type: 'thought', text: 'hmm, yes' },
        {
          type: 'tool',
          text: 'written',
          tool: { name: 'Write', kind: 'other', paths: ['made/a.txt'], status: 'done' },
        },
        {
          type: 'tool',
          text: 'out\n\nended by 3',
          tool: { name: 'Shell', kind: 'other', paths: [], status: 'failed' },
        },
        { type: 'text', text: 'Done.' },
        { type: 'tool', text: '', tool: { name: 'Searching', paths: [], status: 'unfinished' } },
      ]);
    });
  });

  test('may print what it likes: only the protocol is heard', () => {
    const lines = [
      'Debugger listening',
      '[]',
      'null',
      '{"jsonrpc":"2.0","id":999,"result":{}}',
      '{"jsonrpc":"2.0","id":0,"result":{}}',
      '{"jsonrpc":"1.0","method":"session/update"}',
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"not mine"}}}}',
      '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}',
      '{"jsonrpc":"2.0","id":"x","method":"fs/read_text_file","params":{"path":"/etc/passwd"}}',
      '{"jsonrpc":"2.0","id":"y","method":"terminal/create","params":{}}',
    ];
    const steps = [...lines.map((line) => ({ line })), { lineOf: 17 * 1024 * 1024 }, submit({ ok: true })];
    const limits = { wallMs: 1e6, idleMs: 1e6, outputBytes: 64 * 1024 * 1024 };
    return perform({ play: { steps }, job: { limits } }, ({ outcome, sink }) => {
      expect(outcome).toEqual({ status: 'replied', reply: { ok: true }, ...ended });
      const noise = sink.entries.filter(({ type }) => type === 'output').map(({ text }) => text.slice(0, 40));
      expect(noise).toEqual([...lines.slice(0, 6).map((line) => line.slice(0, 40)), 'x'.repeat(40)]);
      expect(sink.text()).not.toContain('not mine');
    });
  });

  test.each([
    [['reject_once', 'allow_always', 'allow_once'], { outcome: 'selected', optionId: 'the-allow_once' }],
    [['allow_always'], { outcome: 'selected', optionId: 'the-allow_always' }],
    [['reject_always'], { outcome: 'cancelled' }],
  ])('that asks for permission (%s) gets it where it can be had', (kinds, answer) =>
    perform({ play: { steps: [{ ask: kinds }] } }, ({ sink }) => {
      expect(sink.entries).toEqual([{ type: 'text', text: `permission: ${JSON.stringify({ outcome: answer })}` }]);
    }),
  );

  test('that goes on after its result was accepted is cancelled, and the result stays', () =>
    perform({ play: { steps: [submit({ n: 1 }), submit({ n: 2 }), { hang: true }] } }, ({ outcome, workshop }) => {
      expect(outcome).toEqual({ status: 'replied', reply: { n: 2 }, ...ended });
      expect(existsSync(join(workshop.tree, 'cancelled'))).toBe(true);
    }));

  test('that ignores even that is ended, and the result stays', () =>
    perform({ play: { steps: [submit({ n: 1 }), { hang: true }], stubborn: true } }, ({ outcome, heard }) => {
      expect(outcome).toEqual({ status: 'replied', reply: { n: 1 }, ...ended });
      expect(heard.at(-1)?.method).toBe('session/cancel');
    }));

  const troubles: readonly (readonly [string, object, Partial<Trouble>])[] = [
    [
      'a kind',
      { code: -32603, message: 'Internal error: x', data: { errorKind: 'rate_limit' } },
      { code: 'rate_limit' },
    ],
    ['no login', { code: -32000, message: 'Authentication required' }, { code: 'authentication' }],
    ['a status', { code: -32603, message: 'x', data: { error: { status: 529 } } }, { code: 'overloaded' }],
    [
      'nothing known',
      { code: -32603, message: 'Something correct-horse-battery' },
      { code: 'unknown', message: 'Something [redacted:API_TOKEN]' },
    ],
  ];
  test.each(troubles)('that fails with %s is in trouble', (_name, error, trouble) =>
    perform({ play: { steps: [{ error: error as { code: number; message: string } }] } }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'trouble', trouble, session });
    }),
  );

  test('that fails after its result was accepted has given its result', () =>
    perform({ play: { steps: [submit({ ok: 1 }), { error: { code: -32603, message: 'late' } }] } }, ({ outcome }) => {
      expect(outcome).toEqual({ status: 'replied', reply: { ok: 1 }, ...ended });
    }));

  test.each([
    ['refusal', { code: 'refusal', message: 'I will not.' }],
    ['max_tokens', { code: 'limit_reached', message: "The agent's turn ended: max_tokens." }],
    ['max_turn_requests', { code: 'limit_reached', message: "The agent's turn ended: max_turn_requests." }],
    ['cancelled', { code: 'unknown', message: 'The agent cancelled its own turn.' }],
  ])('whose turn ends by %s says so', (stopReason, trouble) =>
    perform({ play: { steps: [{ say: 'I will not.' }], answer: { stopReason } } }, ({ outcome }) => {
      expect(outcome).toEqual({ status: 'trouble', trouble, ...ended });
    }),
  );

  test.each([
    ['{"status":"success"}', { status: 'replied', reply: { status: 'success' } }],
    ['```json\n{"status":"success"}\n```', { status: 'replied', reply: { status: 'success' } }],
    ['{"status":"other"}', { status: 'silent' }],
    ['{"status":', { status: 'silent' }],
    ['All is well. {"status":"success"}', { status: 'silent' }],
  ])('whose last words are %s', (words, expected) => {
    const judge = (result: unknown) =>
      (result as { status: string }).status === 'success'
        ? ({ ok: true } as const)
        : { ok: false as const, problem: '' };
    return perform(
      { play: { steps: [{ say: 'First.' }, { shell: 'true' }, { say: words }] }, job: { judge } },
      ({ outcome }) => {
        expect(outcome).toMatchObject(expected);
      },
    );
  });

  test('that is metered gets the meter in place of its provider, and the figures are the meter’s', () => {
    const usage: Usage = { inputTokens: 7, outputTokens: 8, costUsd: 9, turns: 1 };
    const meter: Meter = {
      url: 'http://127.0.0.1:1/token',
      key: 'for-this-job',
      usage: () => usage,
      trouble: () => undefined,
    };
    const seen: unknown[] = [];
    const record = playing({
      steps: [{ shell: 'env > env' }, submit({})],
      answer: { usage: { inputTokens: 1, outputTokens: 1 } },
    });
    const configure: typeof record.configure = (place) => {
      seen.push(place.url, place.key);
      return record.configure(place);
    };
    const options = { env: { AGENT_API_KEY: 'the-real-key', OTHER: 'x' } };
    return perform({ play: { steps: [] }, record: { ...record, configure }, options, job: { meter } }, (performed) => {
      expect(performed.outcome).toEqual({ status: 'replied', reply: {}, ...ended, usage });
      expect(performed.sink.usages.at(-1)).toEqual(usage);
      expect(seen).toEqual(['http://127.0.0.1:1/token', 'for-this-job']);
      const env = readFileSync(join(performed.workshop.tree, 'env'), 'utf8');
      expect([env.includes('the-real-key'), env.includes('OTHER=x')]).toEqual([false, true]);
    });
  });

  const quota: Trouble = { code: 'rate_limit', message: 'Slow down', retryAfterMs: 1000 };
  const spent: Meter = { url: 'http://127.0.0.1:1', key: undefined, usage: () => noUsage, trouble: () => quota };
  test('that swallows the trouble its meter saw and just ends is in that trouble', () =>
    perform({ play: { steps: [{ say: 'Hm.' }] }, job: { meter: spent } }, ({ outcome }) => {
      expect(outcome).toEqual({ status: 'trouble', trouble: quota, ...ended });
    }));

  test('that overcame the trouble and handed in its result is not', () =>
    perform({ play: { steps: [submit({ ok: 1 })] }, job: { meter: spent } }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'replied', reply: { ok: 1 } });
    }));

  test.each([
    ['resume', ['initialize', 'session/resume', 'session/prompt']],
    ['load', ['initialize', 'session/load', 'session/prompt']],
  ] as const)('continues by %s and does not tell its history again', (way, methods) => {
    const prepare = ({ home }: { home: string }) => {
      mkdirSync(join(home, '.acp-agent'));
      writeFileSync(join(home, '.acp-agent/s-1'), 'What was said before.\n');
    };
    const play = { steps: [{ say: 'New.' }], continues: [way] };
    return perform({ play, prepare, job: { session: 's-1' } }, ({ outcome, sink, heard }) => {
      expect(outcome).toMatchObject({ status: 'silent', session: 's-1' });
      expect(sink.entries).toEqual([{ type: 'text', text: 'New.' }]);
      expect(heard.map(({ method }) => method)).toEqual(methods);
    });
  });

  test('that lost its session begins afresh, and both it and the transcript are told', () =>
    perform({ play: { steps: [] }, job: { session: 's-9' } }, ({ outcome, sink, heard }) => {
      expect(outcome).toMatchObject({ status: 'silent', session: expect.stringMatching(/^session-/) as string });
      expect(sink.sessions).toEqual([outcome.session]);
      expect(sink.entries).toEqual([{ type: 'note', text: 'The session s-9 was not continued: Resource not found' }]);
      expect(heard.map(({ method }) => method)).toEqual([
        'initialize',
        'session/resume',
        'session/load',
        'session/new',
        'session/prompt',
      ]);
      const preface = /^The session in which this work began cannot be continued.*\n\nDo the work\.$/s;
      expect(heard.at(-1)?.params['prompt']).toEqual([
        { type: 'text', text: expect.stringMatching(preface) as string },
      ]);
    }));

  test('is set to its mode, the model and the effort', () => {
    const configOptions = [
      { id: 'm', category: 'model', currentValue: 'small' },
      { id: 'e', category: 'thought_level', currentValue: 'low' },
    ];
    const play = { steps: [], session: { configOptions, modes: { currentModeId: 'ask', availableModes: [] } } };
    const scene = { play, record: { mode: 'yolo', authenticate: 'a-key' }, job: { model: 'big', effort: 'high' } };
    return perform(scene, ({ heard }) => {
      const asked = heard
        .slice(1, -1)
        .map(({ method, params }) => [
          method,
          params['methodId'] ?? params['modeId'] ?? params['value'],
          params['configId'],
        ]);
      expect(asked).toEqual([
        ['authenticate', 'a-key', undefined],
        ['session/new', undefined, undefined],
        ['session/set_mode', 'yolo', undefined],
        ['session/set_config_option', 'big', 'm'],
        ['session/set_config_option', 'high', 'e'],
      ]);
    });
  });

  test('that does not have the model is in trouble; a mode it does not have is only told', () => {
    const invalid = { code: -32602, message: 'Invalid params' };
    const fails = { 'session/set_model': invalid, 'session/set_mode': invalid };
    const scene = {
      play: { steps: [], fails },
      record: { mode: 'yolo', model: 'set-model' as const },
      job: { model: 'big' },
    };
    return perform(scene, ({ outcome, sink }) => {
      expect(outcome).toMatchObject({ status: 'trouble', trouble: { code: 'model_not_found' } });
      expect(sink.entries).toEqual([]);
    });
  });

  test('that speaks another version of the protocol is in trouble', () =>
    perform({ play: { steps: [], protocolVersion: 7 } }, ({ outcome }) => {
      const message = 'the agent speaks version 7 of the protocol only';
      const { session: _, ...rest } = ended;
      expect(outcome).toEqual({ status: 'trouble', trouble: { code: 'unknown', message }, ...rest });
    }));

  test('that ends before it said anything has crashed, or was silent', async () => {
    const { session: _, ...rest } = ended;
    await perform({ play: { steps: [] }, options: { program: ['false'] } }, ({ outcome }) => {
      expect(outcome).toEqual({ status: 'crashed', exit: 1, signal: null, ...rest });
    });
    await perform({ play: { steps: [] }, options: { program: ['true'] } }, ({ outcome }) => {
      expect(outcome).toEqual({ status: 'silent', exit: 0, ...rest });
    });
  });

  test('can call the tools its job serves', () => {
    const calls: unknown[] = [];
    const tool = (name: string, answer: JobTool['call']): JobTool => ({
      name,
      description: name,
      inputSchema: { type: 'object' },
      call: answer,
    });
    const tools = [
      tool('recall', async (args) => {
        calls.push(args);
        return { text: 'remembered', isError: false };
      }),
      tool('broken', () => Promise.reject(new Error('out of order'))),
    ];
    const steps = [{ call: { tool: 'recall', args: { about: 'x' } } }, { call: { tool: 'broken', args: {} } }];
    return perform({ play: { steps }, job: { tools } }, ({ sink }) => {
      expect(calls).toEqual([{ about: 'x' }]);
      expect(sink.entries.map(({ tool: used, text }) => [used?.name, used?.status, text])).toEqual([
        ['recall', 'done', 'remembered'],
        ['broken', 'failed', 'out of order'],
      ]);
    });
  });

  test('cannot make Forge write through a link it left in its home', () =>
    perform(
      {
        play: { steps: [submit({})] },
        prepare({ root, home }) {
          mkdirSync(join(root, 'precious'));
          symlinkSync(join(root, 'precious'), join(home, '.acp-agent'));
        },
      },
      ({ outcome, workshop }) => {
        expect(outcome).toMatchObject({ status: 'replied' });
        expect(readdirSync(join(workshop.root, 'precious'))).toEqual([]);
      },
    ));

  test('that is not installed is a failure of the environment, with what to install', async () => {
    const scene = {
      play: { steps: [] },
      record: { packages: ['an-agent@1.0.0'] },
      options: { program: ['no-such-agent'] as const },
    };
    await expect(perform(scene, () => undefined)).rejects.toMatchObject({
      code: 'program-missing',
      hint: 'Install it (npm install -g an-agent@1.0.0), or name its program in the settings.',
    });
  });

  test('without a jail works the same, and what it left in its group is ended', async () => {
    const workshop = makeWorkshop();
    try {
      const { workspace } = workshop.job();
      const job = workshop.job({ workspace: { ...workspace, jail: makeUnjailed() } });
      const steps = [{ shell: `sleep ${workshop.marker} & touch made` }, submit({ ok: true })];
      const outcome = await driverOf({ play: { steps } }).run(job, recorder(), new AbortController().signal);
      expect(outcome).toEqual({ status: 'replied', reply: { ok: true }, ...ended });
      expect(existsSync(join(workshop.tree, 'made'))).toBe(true);
      expect(processesWith(workshop.marker)).toEqual([]);
    } finally {
      workshop.close();
    }
  });

  test.each([false, true])('is asked to cancel its turn before its tree is ended (stubborn: %s)', async (stubborn) => {
    const workshop = makeWorkshop();
    try {
      const stop = new AbortController();
      const { tree, marker } = workshop;
      const shell = `setsid sleep ${marker} & touch begun`;
      const driver = acpDriver({
        name: 'x',
        record: playing({ steps: [{ shell }, { hang: true }], stubborn }),
        redactor: createRedactor({}),
        clock: frozenClock,
        patience: { afterResultMs: 1e6, afterCancelMs: 300 },
      });
      const running = driver.run(workshop.job(), recorder(), stop.signal);
      await until(() => existsSync(join(tree, 'begun')));
      stop.abort('enough');
      await expect(running).rejects.toBe('enough');
      expect(existsSync(join(tree, 'cancelled'))).toBe(!stubborn);
      expect(processesWith(marker)).toEqual([]);
    } finally {
      workshop.close();
    }
  });
});
