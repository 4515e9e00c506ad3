import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandDriver } from '../../src/agents/command.ts';
import { ForgeError } from '../../src/errors.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { type Behaviour, describeDriver } from '../contract/agent-driver.contract.ts';
import { frozenClock, makeWorkshop, recorder, type Workshop } from './workshop.ts';

describeDriver(
  'command',
  (behaviour, { redactor, clock }) =>
    commandDriver({ name: 'sh', argv: ['sh', '-c', programOf(behaviour)], redactor, clock }),
  { freeText: true },
);

function programOf({ shell = ':', reply, end }: Behaviour): string {
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return [
    `(${shell}\n)`,
    ...(reply === undefined ? [] : [`cat > "$FORGE_RESULT" <<'END'`, text, 'END']),
    ...(typeof reply === 'string' ? [`truncate -s -1 "$FORGE_RESULT"`] : []),
    ...(end === 'hang' ? ['while :; do sleep 1000; done'] : []),
    ...(end === 'flood' ? ['yes flood'] : []),
    ...(typeof end === 'number' ? [end > 128 ? `kill -${end - 128} $$` : `exit ${end}`] : ['exit 0']),
  ].join('\n');
}

describe('a command', () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = makeWorkshop();
  });
  afterEach(() => workshop.close());
  const never = new AbortController().signal;
  const ended = { usage: { inputTokens: 0, outputTokens: 0, costUsd: 0, turns: 0 }, durationMs: 0 };
  const shell = (program: string, env: Record<string, string> = {}) =>
    commandDriver({
      name: 'agent',
      argv: ['sh', '-c', program],
      env,
      redactor: createRedactor({}),
      clock: frozenClock,
    });

  test('gets the prompt on standard input and in a file, whole and uninterpreted', async () => {
    const prompt = `$(touch hacked)\n"quotes" \\n ünïcode ${'long '.repeat(100_000)}\nno newline at the end`;
    await shell('cat > stdin; cat "$FORGE_PROMPT_FILE" > file').run(workshop.job({ prompt }), recorder(), never);
    expect(readFileSync(join(workshop.tree, 'stdin'), 'utf8')).toBe(prompt);
    expect(readFileSync(join(workshop.tree, 'file'), 'utf8')).toBe(prompt);
    expect(readdirSync(workshop.tree).sort()).toEqual(['file', 'stdin']);
    expect(readdirSync(workshop.tmp)).toEqual([]);
  });

  test('need not read its prompt', async () => {
    const job = workshop.job({ prompt: 'x'.repeat(1_000_000) });
    expect(await shell('exit 0').run(job, recorder(), never)).toEqual({ status: 'silent', exit: 0, ...ended });
  });

  test('its output is the transcript', async () => {
    const sink = recorder();
    await shell('echo one; echo two >&2; sleep 0; printf three').run(workshop.job(), sink, never);
    expect(
      sink.entries
        .filter(({ type }) => type === 'text')
        .map(({ text }) => text)
        .join('\n'),
    ).toBe('one\nthree');
    expect(sink.entries.filter(({ type }) => type === 'output')).toEqual([{ type: 'output', text: 'two' }]);
  });

  test('what is given to it alone is in its environment, and redacted', async () => {
    const sink = recorder();
    await shell('echo "key $PROVIDER_API_KEY home $HOME"', { PROVIDER_API_KEY: 'for-this-agent', HOME: '/root' }).run(
      workshop.job(),
      sink,
      never,
    );
    expect(sink.entries).toEqual([{ type: 'text', text: `key [redacted:PROVIDER_API_KEY] home ${workshop.home}` }]);
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ['a symlink', 'ln -s /etc/hostname "$FORGE_RESULT"', 'it is not a regular file'],
    ['a pipe', 'mkfifo "$FORGE_RESULT"', 'it is not a regular file'],
    ['a directory', 'mkdir "$FORGE_RESULT"', 'it is not a regular file'],
    [
      'a second name of another file',
      'echo 1 > a; cd "$TMPDIR"; echo 1 > a; ln a "$FORGE_RESULT"',
      'it is not a regular file of its own',
    ],
    ['a huge file', 'truncate -s 10G "$FORGE_RESULT"', 'it is larger than 4194304 bytes'],
    [
      'in a redirected directory',
      'd=$(dirname "$FORGE_RESULT"); rm -r "$d"; mkdir e; echo 1 > e/result.json; ln -s "$PWD/e" "$d"',
      'its directory was replaced by a link',
    ],
  ];
  test.each(refused)('a result that is %s is not read', async (_name, program, reason) => {
    const sink = recorder();
    expect(await shell(program).run(workshop.job(), sink, never)).toEqual({ status: 'silent', exit: 0, ...ended });
    expect(sink.entries).toEqual([{ type: 'note', text: `The result file was not read: ${reason}.` }]);
  });

  test.each(['true', ': > "$FORGE_RESULT"', 'rm -r "$(dirname "$FORGE_RESULT")"'])('no result: %s', async (program) => {
    const sink = recorder();
    expect(await shell(program).run(workshop.job(), sink, never)).toEqual({ status: 'silent', exit: 0, ...ended });
    expect(sink.entries).toEqual([]);
  });

  test('a program that is not there is a failure of the environment, before anything starts', async () => {
    const missing = commandDriver({ name: 'x', argv: ['no-such-agent'], redactor: createRedactor({}) });
    const failure = await missing.run(workshop.job(), recorder(), never).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ForgeError);
    expect(failure).toMatchObject({ code: 'program-missing', message: 'agent x: no program no-such-agent to run' });
    expect(readdirSync(workshop.tmp)).toEqual([]);
  });

  test('a program in the workspace can be named by a relative path', async () => {
    mkdirSync(join(workshop.tree, 'bin'));
    writeFileSync(join(workshop.tree, 'bin/agent'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 });
    const local = commandDriver({ name: 'x', argv: ['./bin/agent'], redactor: createRedactor({}), clock: frozenClock });
    expect(await local.run(workshop.job(), recorder(), never)).toEqual({ status: 'silent', exit: 0, ...ended });
    expect(existsSync(join(workshop.tree, 'ran'))).toBe(true);
  });
});
