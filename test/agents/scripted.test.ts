import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseScript } from '../../src/agents/script.ts';
import { scriptedDriver } from '../../src/agents/scripted.ts';
import { scriptedMessageSchema } from '../../src/agents/scripted-protocol.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { type Behaviour, describeDriver } from '../contract/agent-driver.contract.ts';
import { frozenClock, makeWorkshop, processesWith, recorder, type Workshop } from './workshop.ts';

describeDriver(
  'scripted',
  (behaviour, { workshop, redactor, clock }) =>
    scriptedDriver({
      script: parseScript(JSON.stringify([{ do: stepsOf(behaviour) }]), 'contract.json'),
      claimsFile: join(workshop.root, 'claims.jsonl'),
      redactor,
      clock,
    }),
  { freeText: true, usage: true, sessions: 'asked' },
);

function stepsOf({ shell, usage, session, reply, end }: Behaviour): readonly object[] {
  return [
    ...(shell === undefined ? [] : [{ exec: ['sh', '-c', shell] }]),
    ...(usage === undefined ? [] : [{ usage }]),
    ...(session === true ? [{ session: 's-42' }] : []),
    ...(reply === undefined ? [] : [{ reply }]),
    ...(end === 'hang' ? [{ hang: true }] : []),
    ...(end === 'flood' ? [{ spew: { bytes: 'endless' } }] : []),
    ...(typeof end === 'number' ? [{ crash: end }] : []),
  ];
}

describe('a scripted agent', () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = makeWorkshop();
  });
  afterEach(() => workshop.close());
  const never = new AbortController().signal;
  const noUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 };
  const driver = (yaml: string) =>
    scriptedDriver({
      script: parseScript(yaml, 'script.yaml'),
      claimsFile: join(workshop.root, 'claims.jsonl'),
      redactor: createRedactor({}),
      clock: frozenClock,
    });
  const inTree = (file: string) => join(workshop.tree, file);

  test('does its steps in order, tells what it did, and goes on after a step that failed', async () => {
    writeFileSync(inTree('old.txt'), 'one\ntwo\n');
    mkdirSync(inTree('gone'));
    writeFileSync(inTree('gone/x'), '');
    const sink = recorder();
    const outcome = await driver(`
- do:
    - say: Beginning
    - session: s-42
    - write: { path: bin/run.sh, content: "#!/bin/sh\\n", mode: "755" }
    - append: { path: bin/run.sh, content: "echo hi\\n" }
    - exec: [sh, -c, bin/run.sh; bin/run.sh >&2]
    - patch: |
        --- a/old.txt
        +++ b/old.txt
        @@ -1,2 +1,2 @@
         one
        -two
        +three
    - move: { from: old.txt, to: deep/new.txt }
    - delete: gone
    - delete: gone
    - write: { path: /usr/forge-outside.txt, content: x }
    - git: [init, -q]
    - git: [commit, -q, --allow-empty, -m, mine]
    - exec: [no-such-program]
    - exec: [sh, -c, exit 4]
    - patch: nonsense
    - usage: { inputTokens: 10, costUsd: 0.5 }
    - sleep: 1ms
    - usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.25, turns: 1 }
    - reply: { status: first }
    - reply: { status: success }
`).run(workshop.job(), sink, never);
    expect(outcome).toEqual({
      status: 'replied',
      reply: { status: 'success' },
      usage: { inputTokens: 11, outputTokens: 2, costUsd: 0.75, turns: 1 },
      session: 's-42',
      durationMs: 0,
    });
    expect(readFileSync(inTree('bin/run.sh'), 'utf8')).toBe('#!/bin/sh\necho hi\n');
    expect(statSync(inTree('bin/run.sh')).mode & 0o777).toBe(0o755);
    expect(readFileSync(inTree('deep/new.txt'), 'utf8')).toBe('one\nthree\n');
    expect([inTree('gone'), inTree('old.txt'), '/usr/forge-outside.txt'].filter((file) => existsSync(file))).toEqual(
      [],
    );
    expect(existsSync(inTree('.git/refs/heads'))).toBe(true);
    expect(sink.sessions).toEqual(['s-42']);
    expect(sink.usages).toEqual([
      { ...noUsage, inputTokens: 10, costUsd: 0.5 },
      { inputTokens: 11, outputTokens: 2, costUsd: 0.75, turns: 1 },
    ]);
    const told = sink.entries
      .filter(({ type }) => type !== 'output')
      .map(({ type, text, tool }) => (tool ? [tool.name, tool.status, text] : [type, text]));
    expect(told).toEqual([
      ['text', 'Beginning'],
      ['write', 'done', expect.stringMatching(/^@@ -0,0 \+1,\d @@\n\+/)],
      ['append', 'done', 'appended 8 bytes'],
      ['exec', 'done', 'sh -c bin/run.sh; bin/run.sh >&2'],
      ['patch', 'done', 'git apply --whitespace=nowarn -'],
      ['move', 'done', 'moved'],
      ['delete', 'done', 'deleted'],
      ['delete', 'failed', expect.stringContaining('ENOENT')],
      ['write', 'failed', expect.stringMatching(/EROFS|EACCES/)],
      ['git', 'done', 'git init -q'],
      ['git', 'done', 'git commit -q --allow-empty -m mine'],
      ['exec', 'failed', expect.stringContaining('ENOENT')],
      ['exec', 'failed', 'sh -c exit 4: exit 4'],
      ['patch', 'failed', 'git apply --whitespace=nowarn -: exit 128'],
    ]);
    const output = sink.entries
      .filter(({ type }) => type === 'output')
      .map(({ text }) => text)
      .join('\n');
    expect(output).toContain('hi\nhi');
    expect(sink.entries.find(({ tool }) => tool?.name === 'move')?.tool?.paths).toEqual(['old.txt', 'deep/new.txt']);
  });

  test('reports trouble in the words of the script', async () => {
    const sink = recorder();
    const outcome = await driver('- do: [error: { code: rate_limit, message: Slow down, retryAfter: 30s }]').run(
      workshop.job(),
      sink,
      never,
    );
    const trouble = { code: 'rate_limit', message: 'Slow down', retryAfterMs: 30_000 };
    expect(outcome).toEqual({ status: 'trouble', trouble, usage: noUsage, durationMs: 0 });
    expect(sink.entries).toEqual([{ type: 'error', text: 'rate_limit: Slow down' }]);
  });

  test('without an entry left it says so and starts nothing', async () => {
    const one = driver('- { when: { task: T1 }, do: [] }');
    const sink = recorder();
    expect(await one.run(workshop.job(), recorder(), never)).toMatchObject({ status: 'silent' });
    expect(await one.run(workshop.job(), recorder(), never)).toMatchObject({ status: 'silent' });
    expect(await one.run(workshop.job({ key: 'T1/develop#2', attempt: 2 }), sink, never)).toEqual({
      status: 'trouble',
      trouble: {
        code: 'script-exhausted',
        message:
          'script.yaml has no unused entry for role developer, task T1, attempt 2 (key T1/develop#2). ' +
          'Near: entry 1 was used by T1/develop#1. Add an entry for it, or let one serve again with repeat: true.',
      },
      usage: noUsage,
      durationMs: 0,
    });
    expect(sink.processes).toEqual([]);
  });

  test('jobs at the same time take different entries', async () => {
    const pair = driver('- do: [reply: { n: 1 }]\n- do: [reply: { n: 2 }]');
    const [first, second] = await Promise.all([
      pair.run(workshop.job({ key: 'a' }), recorder(), never),
      pair.run(workshop.job({ key: 'b' }), recorder(), never),
    ]);
    expect([first, second]).toMatchObject([{ reply: { n: 1 } }, { reply: { n: 2 } }]);
  });

  test('forks children that do not outlive it', async () => {
    const sink = recorder();
    const { marker } = workshop;
    const forks = `[fork: { setsid: true, run: [sleep, "${marker}"] }, fork: { run: [no-such-program] }, sleep: 1ms, reply: {}]`;
    const outcome = await driver(`- do: ${forks}`).run(workshop.job(), sink, never);
    expect(outcome).toMatchObject({ status: 'replied' });
    const told = sink.entries.map(({ tool, text }) => [tool?.status, text]);
    expect(told).toContainEqual(['done', `started sleep ${marker}`]);
    expect(told).toContainEqual(['failed', 'spawn no-such-program ENOENT']);
    expect(processesWith(marker)).toEqual([]);
  });

  test('output that is no message is only output', async () => {
    const sink = recorder();
    const outcome = await driver(
      '- do: [spew: { bytes: 11 }, spew: { bytes: 6, stream: stderr }, reply: { ok: true }]',
    ).run(workshop.job(), sink, never);
    expect(outcome).toEqual({ status: 'replied', reply: { ok: true }, usage: noUsage, durationMs: 0 });
    expect(sink.entries.map((entry) => JSON.stringify(entry)).sort()).toEqual([
      '{"type":"output","text":"spew "}',
      '{"type":"output","text":"spew spew "}',
    ]);
  });

  test.each([
    '{"type":"reply"}',
    '{"type":"reply","reply":5}',
    '{"type":"usage","usage":{"costUsd":-5}}',
    '{"type":"tool","name":"x","paths":[],"status":"fine","text":""}',
    '{"type":"dance"}',
    '{"type":"text","text":"a","more":1}',
    '[]',
    'null',
  ])('%s is no message', (line) => {
    expect(scriptedMessageSchema.safeParse(JSON.parse(line)).success).toBe(false);
  });
});
