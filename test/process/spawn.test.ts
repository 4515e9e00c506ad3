import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ForgeError } from '../../src/errors.ts';
import type { Captured, Command } from '../../src/process/process.ts';
import { createRedactor } from '../../src/process/redact.ts';
import { runProcess, startProcess } from '../../src/process/spawn.ts';
import { nodeScript, path, readWhenThere, runs, shell, temporaryDirectory, until } from './scene.ts';

function all(text: string): Captured {
  const totalBytes = Buffer.byteLength(text);
  return { head: text, tail: '', totalBytes, droppedBytes: 0, text };
}

describe('a program that ends', () => {
  test('gives its output, its code and nothing else', async () => {
    const cwd = temporaryDirectory();
    const result = await runProcess(shell(cwd, 'pwd; echo trouble >&2; exit 3'));
    expect(result).toEqual({
      end: { status: 'exited', code: 3 },
      stdout: all(`${cwd}\n`),
      stderr: all('trouble\n'),
      durationMs: expect.any(Number),
    });
  });

  test('by a signal', async () => {
    const result = await runProcess(shell('/', 'kill -9 $$'));
    expect(result.end).toEqual({ status: 'signalled', signal: 'SIGKILL' });
  });

  test('gets exactly the environment it is given', async () => {
    const command: Command = { program: '/usr/bin/env', args: [], cwd: '/', env: { ONLY: 'this one', EMPTY: '' } };
    expect((await runProcess(command)).stdout.text.split('\n').sort()).toEqual(['', 'EMPTY=', 'ONLY=this one']);
  });

  test('gets its arguments as they are: there is no shell', async () => {
    const args = ['$HOME', '; exit 1', '*', 'a b', '"', ''];
    const result = await runProcess({ program: 'printf', args: ['<%s>', ...args], cwd: '/', env: { PATH: path } });
    expect(result.stdout.text).toBe(args.map((arg) => `<${arg}>`).join(''));
  });

  test('leads a session without a terminal', async () => {
    const running = await startProcess(shell('/', 'cat /proc/self/stat; : < /dev/tty'));
    const { stdout, stderr } = await running.result;
    const fields = stdout.text.slice(stdout.text.lastIndexOf(')') + 2).split(' ');
    expect({ group: fields[2], session: fields[3], terminal: fields[4] }).toEqual({
      group: String(running.identity.pid),
      session: String(running.identity.pid),
      terminal: '0',
    });
    expect(stderr.text).toContain('/dev/tty');
  });
});

describe('a program that cannot be started', () => {
  test.each<[string, Partial<Command>, string]>([
    ['no such program', { program: 'no-such-program' }, 'cannot start no-such-program: no such program'],
    ['not executable', { program: '/etc/passwd' }, 'cannot start /etc/passwd: not executable'],
    ['no such directory', { cwd: '/no/such' }, 'cannot start true: the directory /no/such does not exist'],
    ['a NUL byte', { args: ['a\0b'] }, 'cannot start true: '],
    ['too much', { args: ['x'.repeat(4_000_000)] }, 'cannot start true: '],
  ])('%s', async (_name, change, reason) => {
    const command: Command = { program: 'true', args: [], cwd: '/', env: { PATH: path }, ...change };
    const result = await runProcess(command);
    expect(result).toEqual({
      end: { status: 'not-started', reason: expect.stringContaining(reason) },
      stdout: all(''),
      stderr: all(''),
      durationMs: 0,
    });
    const failure = await startProcess(command).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ForgeError);
    expect(failure).toMatchObject({ code: 'program-missing', message: expect.stringContaining(reason) });
  });
});

describe('standard input', () => {
  test('is closed unless given', async () => {
    expect((await runProcess(shell('/', 'cat; echo end'))).stdout.text).toBe('end\n');
  });

  test('is text or bytes', async () => {
    const text = 'é'.repeat(100_000);
    const limits = { headBytes: 1e6 };
    const fromText = await runProcess({ ...shell('/', 'cat'), stdin: text, limits });
    const fromBytes = await runProcess({ ...shell('/', 'cat'), stdin: Buffer.from(text), limits });
    expect(fromText.stdout.text === text && fromBytes.stdout.text === text).toBe(true);
  });

  test('may be ignored by the program', async () => {
    const result = await runProcess({ ...shell('/', 'exec <&-; exit 0'), stdin: 'x'.repeat(1_000_000) });
    expect(result.end).toEqual({ status: 'exited', code: 0 });
  });

  test('left open, it is a conversation', async () => {
    const running = await startProcess({ ...shell('/', 'while read line; do echo "<$line>"; done'), stdin: 'open' });
    let heard = '';
    running.onStdout((chunk) => {
      heard += chunk.toString();
    });
    running.stdin?.write('one\n');
    await until('it answers', () => heard === '<one>\n');
    running.stdin?.write('two\n');
    await until('it answers again', () => heard === '<one>\n<two>\n');
    running.stdin?.end();
    expect((await running.result).end).toEqual({ status: 'exited', code: 0 });
  });
});

describe('listeners', () => {
  test('lose nothing that came before the first of them', async () => {
    const running = await startProcess(shell('/', 'echo early; echo wrong >&2'));
    await running.result;
    const heard: string[] = [];
    running.onStdout((chunk) => heard.push(`first ${chunk.toString()}`));
    running.onStdout((chunk) => heard.push(`second ${chunk.toString()}`));
    running.onStderr((chunk) => heard.push(`error ${chunk.toString()}`));
    expect(heard).toEqual(['first early\n', 'error wrong\n']);
  });

  test('who come too late are told', async () => {
    const running = await startProcess(shell('/', 'head -c 2000000 /dev/zero'));
    await running.result;
    expect(() => running.onStdout(() => undefined)).toThrow('1048576 bytes');
    running.onStderr(() => undefined);
  });
});

describe('limits', () => {
  test('output: endless output is stopped at once, and memory does not grow', async () => {
    const before = process.memoryUsage().rss;
    const result = await runProcess({ ...shell('/', 'yes abcdefg & yes >&2'), limits: { outputBytes: 50_000_000 } });
    expect(result.end).toEqual({ status: 'output-limit', outputBytes: 50_000_000 });
    expect(result.stdout.totalBytes + result.stderr.totalBytes).toBe(50_000_000);
    expect(result.stdout.text.length).toBeLessThan(11_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test('output: exactly the limit is allowed', async () => {
    const result = await runProcess({ ...shell('/', 'printf 12345'), limits: { outputBytes: 5 } });
    expect(result).toMatchObject({ end: { status: 'exited', code: 0 }, stdout: all('12345') });
    const more = await runProcess({ ...shell('/', 'printf 123456'), limits: { outputBytes: 5 } });
    expect(more).toMatchObject({ end: { status: 'output-limit', outputBytes: 5 }, stdout: all('12345') });
  });

  test('time: the whole tree ends', async () => {
    const directory = temporaryDirectory();
    const command = shell(directory, `setsid sh -c 'echo $$ > far; exec sleep 1000' & sleep 1000`);
    const running = await startProcess({ ...command, limits: { timeMs: 300 } });
    const far = Number(await readWhenThere(join(directory, 'far')));
    expect((await running.result).end).toEqual({ status: 'timed-out', timeMs: 300 });
    expect([running.identity.pid, far].map(runs)).toEqual([false, false]);
  });

  test('time: a limit longer than timers can count does not fire', async () => {
    const result = await runProcess({ ...shell('/', 'sleep 0.05'), limits: { timeMs: 1e12 } });
    expect(result.end).toEqual({ status: 'exited', code: 0 });
  });

  test('abort', async () => {
    const controller = new AbortController();
    const running = await startProcess(shell('/', 'echo up; exec sleep 1000'), { signal: controller.signal });
    running.onStdout(() => controller.abort());
    expect((await running.result).end).toEqual({ status: 'aborted' });
    expect(runs(running.identity.pid)).toBe(false);
  });

  test('abort before the start', async () => {
    const directory = temporaryDirectory();
    const signal = AbortSignal.abort();
    const ended = await runProcess(shell(directory, 'touch ran'), { signal });
    expect({ end: ended.end, ran: existsSync(join(directory, 'ran')) }).toEqual({
      end: { status: 'aborted' },
      ran: false,
    });
    const running = await startProcess(shell(directory, 'exec sleep 1000'), { signal });
    expect((await running.result).end).toEqual({ status: 'aborted' });
  });
});

describe('the tree', () => {
  test('kill asks, then ends all, and the result tells how', async () => {
    const running = await startProcess(
      shell('/', `trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.01; done`),
    );
    let heard = '';
    running.onStdout((chunk) => {
      heard += chunk.toString();
    });
    await until('it is up', () => heard === 'up\n');
    await Promise.all([running.kill(10_000), running.kill(10_000)]);
    expect(runs(running.identity.pid)).toBe(false);
    expect(await running.result).toMatchObject({ end: { status: 'exited', code: 7 }, stdout: all('up\nbye\n') });
    await running.kill();
  });

  test('a child left behind in the group ends with its parent, also when it holds the output open', async () => {
    const directory = temporaryDirectory();
    const result = await runProcess(
      shell(
        directory,
        `sh -c 'trap "" TERM HUP; echo $$ > child; while :; do sleep 0.01; done' & until [ -s child ]; do sleep 0.01; done; echo done`,
      ),
    );
    expect(result).toMatchObject({ end: { status: 'exited', code: 0 }, stdout: all('done\n') });
    expect(runs(Number(readFileSync(join(directory, 'child'), 'utf8')))).toBe(false);
  });

  test('without a jail a child in a session of its own survives, but does not hold the result', async () => {
    const directory = temporaryDirectory();
    const result = await runProcess(
      shell(directory, `setsid sh -c 'echo $$ > far; exec sleep 1000' & until [ -s far ]; do sleep 0.01; done`),
    );
    const far = Number(readFileSync(join(directory, 'far'), 'utf8'));
    onTestFinished(() => void process.kill(far, 'SIGKILL'));
    expect({ end: result.end, survives: runs(far) }).toEqual({ end: { status: 'exited', code: 0 }, survives: true });
  });
});

test('what a grandchild says after the end is heard for a while', async () => {
  const script = `setsid sh -c 'echo up > up; while kill -0 $1; do :; done 2> /dev/null; echo late' sh $$ & until [ -s up ]; do :; done`;
  expect((await runProcess(shell(temporaryDirectory(), script))).stdout).toEqual(all('late\n'));
});

describe('the log', () => {
  const secret = 'correct-horse-battery';
  const redactor = createRedactor({ MY_PASSWORD: secret });

  test('has everything, redacted, also where a secret arrives in two pieces', async () => {
    const directory = temporaryDirectory();
    const logFile = join(directory, 'logs', 'out.log');
    const script = `process.stdout.write('a ' + process.argv[1].slice(0, 9), () => setTimeout(() => { process.stdout.write(process.argv[1].slice(9) + '\\n'); console.error('ghp_' + 'x'.repeat(36)); }, 50));`;
    const result = await runProcess({ ...nodeScript(directory, script, secret), logFile, redactor });
    expect(readFileSync(logFile, 'utf8')).toBe('a [redacted:MY_PASSWORD]\n[redacted]\n');
    expect(result.stdout).toEqual(all('a [redacted:MY_PASSWORD]\n'));
    expect(result.stderr).toEqual(all('[redacted]\n'));
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
  });

  test('is complete where the capture is not, and is added to', async () => {
    const logFile = join(temporaryDirectory(), 'out.log');
    const command: Command = { ...shell('/', 'seq 1 5000'), logFile, limits: { headBytes: 4, tailBytes: 5 } };
    const result = await runProcess(command);
    await runProcess(command);
    const expected = Array.from({ length: 5000 }, (_, index) => `${index + 1}\n`).join('');
    // Not compared by the test runner: its report of a difference in so long a text takes minutes.
    expect(readFileSync(logFile, 'utf8') === expected + expected).toBe(true);
    expect(result.stdout.text).toBe(`1\n2\n[... ${expected.length - 9} bytes left out ...]\n5000\n`);
  });

  test('hides known tokens even without a redactor; the capture is then data and stays', async () => {
    const logFile = join(temporaryDirectory(), 'out.log');
    const token = `ghp_${'a1'.repeat(18)}`;
    const result = await runProcess({ ...shell('/', 'echo "$1"', token), logFile });
    expect(readFileSync(logFile, 'utf8')).toBe('[redacted]\n');
    expect(result.stdout.text).toBe(`${token}\n`);
  });

  test('that cannot be written is a failure, not a silence', async () => {
    const command: Command = { ...shell('/', 'echo x'), logFile: '/dev/full' };
    await expect(runProcess(command)).rejects.toThrow('ENOSPC');
    await expect(runProcess({ ...command, logFile: '/etc/passwd/log' })).rejects.toThrow();
  });
});
