/**
 * The contract of every agent driver, as one suite: each implementation only says how to make an agent that
 * behaves in a given way. Agents run in the real jail; time is commanded, never waited for.
 */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { treeCpuMs } from '../../src/agents/activity.ts';
import type { AgentDriver, ResultVerdict } from '../../src/agents/agent.ts';
import type { WatchClock } from '../../src/agents/watchdog.ts';
import { agentOutcomeSchema } from '../../src/policy/agent-outcome.ts';
import { noUsage, type Usage } from '../../src/policy/usage.ts';
import { createRedactor, type Redactor } from '../../src/process/redact.ts';
import {
  clockFrom,
  frozenClock,
  makeWorkshop,
  processesWith,
  recorder,
  until,
  type Workshop,
} from '../agents/workshop.ts';

/** What an agent does: a shell program, then what it reports and replies, then the way it ends. */
export interface Behaviour {
  readonly shell?: string;
  readonly usage?: Usage;
  /** It works in a session that a later job can continue. */
  readonly session?: boolean;
  /** Handed in first, and found wanting. */
  readonly badReply?: unknown;
  /** An object is a result, a string free text. */
  readonly reply?: unknown;
  /** Default: it ends well. A number from 129 on is a signal it sends itself. */
  readonly end?: 'hang' | 'flood' | number;
}

export interface DriverParts {
  readonly workshop: Workshop;
  readonly redactor: Redactor;
  readonly clock: WatchClock;
}

export type MakeDriver = (behaviour: Behaviour, parts: DriverParts) => AgentDriver;

/** What only some drivers can do; the rest of the contract holds for every one. */
export interface Abilities {
  /** A later job can continue a session; `always`: there is one whether it is asked for or not. */
  readonly sessions?: 'asked' | 'always';
  readonly usage?: boolean;
  /** What an agent hands in is judged at once, and it can mend it. */
  readonly judged?: boolean;
  /** A final text counts as a reply, though a bad one. */
  readonly freeText?: boolean;
}

const secret = 'correct-horse-battery';
const never = new AbortController().signal;

export function describeDriver(name: string, makeDriver: MakeDriver, abilities: Abilities = {}): void {
  const ended = {
    usage: noUsage,
    durationMs: 0,
    ...(abilities.sessions === 'always' ? { session: expect.any(String) as string } : {}),
  };
  let workshop: Workshop;
  beforeEach(() => {
    workshop = makeWorkshop();
  });
  afterEach(() => {
    const left = processesWith(workshop.marker);
    workshop.close();
    delete process.env['PLANTED_SECRET'];
    expect(left).toEqual([]);
  });

  const driver = (behaviour: Behaviour, clock: WatchClock = frozenClock): AgentDriver =>
    makeDriver(behaviour, { workshop, clock, redactor: createRedactor({ API_TOKEN: secret }) });
  const inTree = (file: string) => join(workshop.tree, file);

  describe(`the ${name} driver`, () => {
    test('gives the reply of an agent that ended well, and its work is in the workspace', async () => {
      const reply = { status: 'success', files: ['a.txt'], nested: { n: 1, none: null } };
      const sink = recorder();
      const outcome = await driver({ shell: 'echo made > a.txt', reply }).run(workshop.job(), sink, never);
      expect(outcome).toEqual({ status: 'replied', reply, ...ended });
      expect(agentOutcomeSchema.parse(outcome)).toEqual(outcome);
      expect(readFileSync(inTree('a.txt'), 'utf8')).toBe('made\n');
      expect(sink.processes).toEqual([
        {
          pid: expect.any(Number),
          startTime: expect.any(String),
          bootId: expect.any(String),
          host: expect.any(String),
        },
      ]);
    });

    test.runIf(abilities.freeText === true)('passes free text on as it is: a bad reply is still a reply', async () => {
      const outcome = await driver({ reply: 'I think I am done.' }).run(workshop.job(), recorder(), never);
      expect(outcome).toEqual({ status: 'replied', reply: 'I think I am done.', ...ended });
    });

    test.runIf(abilities.judged === true)(
      'tells an agent what is wrong with its result, and takes the next',
      async () => {
        const judged: unknown[] = [];
        const judge = (result: unknown): ResultVerdict => {
          judged.push(result);
          return judged.length > 1 ? { ok: true } : { ok: false, problem: 'the status is no word of ours' };
        };
        const [badReply, reply] = [{ status: 'splendid' }, { status: 'success' }];
        const sink = recorder();
        const outcome = await driver({ badReply, reply }).run(workshop.job({ judge }), sink, never);
        expect(outcome).toEqual({ status: 'replied', reply, ...ended });
        expect(judged).toEqual([badReply, reply]);
        expect(sink.text()).toContain('the status is no word of ours');
      },
    );

    test.runIf(abilities.judged === true)('a result that was never good enough is none', async () => {
      const judge = (): ResultVerdict => ({ ok: false, problem: 'no' });
      const outcome = await driver({ reply: { status: 'success' } }).run(workshop.job({ judge }), recorder(), never);
      expect(outcome).toEqual({ status: 'silent', exit: 0, ...ended });
    });

    test.runIf(abilities.usage === true)('reports what was used, while it works and in the end', async () => {
      const usage = { inputTokens: 1200, outputTokens: 34, costUsd: 0.5, turns: 1 };
      const sink = recorder();
      const outcome = await driver({ usage, reply: {} }).run(workshop.job(), sink, never);
      expect(outcome).toEqual({ status: 'replied', reply: {}, ...ended, usage });
      expect(sink.usages.at(-1)).toEqual(usage);
    });

    test.runIf(abilities.sessions !== undefined)('continues a session', async () => {
      const behaviour = { session: true, reply: { status: 'success' } };
      const first = recorder();
      const begun = await driver(behaviour).run(workshop.job(), first, never);
      expect(first.sessions).toEqual([expect.any(String)]);
      const [session] = first.sessions;
      expect(begun).toEqual({ status: 'replied', reply: { status: 'success' }, ...ended, session });
      const second = recorder();
      const continued = await driver(behaviour).run(workshop.job({ session }), second, never);
      expect(continued).toEqual(begun);
      expect(second.sessions).toEqual([session]);
    });

    test.runIf(abilities.sessions !== undefined)('a session that cannot be recorded ends the job', async () => {
      const full = new Error('disk full');
      const sink = recorder({ session: () => Promise.reject(full) });
      await expect(driver({ session: true, end: 'hang' }).run(workshop.job(), sink, never)).rejects.toBe(full);
      expect(processesWith(workshop.root)).toEqual([]);
    });

    test('tells an agent that ended without a reply', async () => {
      const outcome = await driver({ shell: 'true' }).run(workshop.job(), recorder(), never);
      expect(outcome).toEqual({ status: 'silent', exit: 0, ...ended });
    });

    test.each([
      [3, null],
      [137, 'SIGKILL'],
      [139, 'SIGSEGV'],
    ])('tells how an agent crashed (%d), even after a reply', async (exit, signal) => {
      const outcome = await driver({ reply: { status: 'success' }, end: exit }).run(workshop.job(), recorder(), never);
      expect(outcome).toEqual({ status: 'crashed', exit, signal, ...ended });
    });

    test('ends an idle agent with everything it started, sessions of their own included', async () => {
      const { marker } = workshop;
      const shell = `sleep ${marker}1 & setsid sleep ${marker}2 & (setsid sleep ${marker}3 &) ; touch forked`;
      const all = () => existsSync(inTree('forked')) && sleepers(marker) === 3;
      const sink = recorder();
      const job = workshop.job();
      const outcome = await driver({ shell, end: 'hang' }, clockFrom(all)).run(job, sink, never);
      expect(outcome).toEqual({ status: 'idle', idleMs: 300_000, ...ended, durationMs: expect.any(Number) });
      expect(outcome.durationMs).toBeGreaterThanOrEqual(300_000);
      expect(processesWith(marker)).toEqual([]);
      expect(sink.entries.at(-1)).toEqual({
        type: 'note',
        text: 'Ended: no output, file change or CPU use for 300000 ms.',
      });
    });

    test('does not call an agent idle that computes without a word', async () => {
      const sink = recorder();
      const waits = { count: 0, time: 0, cpu: 0 };
      const cpu = () => treeCpuMs(sink.processes[0]?.pid ?? 0);
      const clock: WatchClock = {
        now: () => waits.time,
        async wait(_ms, signal) {
          await until(() => signal.aborted || cpu() > waits.cpu);
          waits.cpu = cpu();
          waits.time += 30;
          if (++waits.count === 30) writeFileSync(inTree('enough'), '');
        },
      };
      const job = workshop.job({ limits: { wallMs: 1e6, idleMs: 300, outputBytes: 100_000 } });
      const outcome = await driver({ shell: 'until [ -e enough ]; do :; done', reply: {} }, clock).run(
        job,
        sink,
        never,
      );
      expect(outcome).toEqual({ status: 'replied', reply: {}, ...ended, durationMs: expect.any(Number) });
      expect(outcome.durationMs).toBeGreaterThan(800);
    });

    test('ends an agent whose time is over', async () => {
      const job = workshop.job({ limits: { wallMs: 1000, idleMs: 300_000, outputBytes: 100_000 } });
      const clock = clockFrom(() => existsSync(inTree('begun')));
      const outcome = await driver({ shell: 'touch begun', end: 'hang' }, clock).run(job, recorder(), never);
      expect(outcome).toEqual({ status: 'timed-out', limitMs: 1000, ...ended, durationMs: 1000 });
    });

    test('ends an agent that floods, and keeps no more than the limit', async () => {
      const job = workshop.job({ limits: { wallMs: 1e6, idleMs: 1e6, outputBytes: 200_000 } });
      const sink = recorder();
      const outcome = await driver({ end: 'flood' }).run(job, sink, never);
      expect(outcome).toEqual({ status: 'flooded', outputBytes: 200_000, ...ended });
      expect(sink.text().length).toBeGreaterThan(10_000);
      expect(sink.text().length).toBeLessThanOrEqual(200_000);
    });

    test('leaves no process when an agent ends well but its children do not', async () => {
      const shell = `setsid sleep ${workshop.marker} & (setsid sleep ${workshop.marker} &)`;
      const outcome = await driver({ shell, reply: {} }).run(workshop.job(), recorder(), never);
      expect(outcome).toEqual({ status: 'replied', reply: {}, ...ended });
    });

    test('an abort ends the tree and throws its reason: an interruption, never an outcome', async () => {
      const { marker } = workshop;
      const stop = new AbortController();
      const behaviour = { shell: `setsid sleep ${marker} & touch begun`, end: 'hang' } as const;
      const running = driver(behaviour).run(workshop.job(), recorder(), stop.signal);
      await until(() => existsSync(inTree('begun')) && sleepers(marker) === 1);
      const reason = new Error('paused');
      stop.abort(reason);
      await expect(running).rejects.toBe(reason);
      expect(processesWith(marker)).toEqual([]);
    });

    test('an abort before the start starts nothing', async () => {
      const sink = recorder();
      const behaviour = { shell: 'touch begun' };
      await expect(driver(behaviour).run(workshop.job(), sink, AbortSignal.abort('no'))).rejects.toBe('no');
      expect({ processes: sink.processes, begun: existsSync(inTree('begun')) }).toEqual({
        processes: [],
        begun: false,
      });
    });

    test('nothing of the agent runs before its start is recorded', async () => {
      const seen: unknown[] = [];
      const sink = recorder({
        async started() {
          // The process is there and waits.
          await until(() => processesWith(workshop.root).some((line) => line.includes('forge-gate')));
          seen.push(existsSync(inTree('begun')));
        },
      });
      await driver({ shell: 'touch begun' }).run(workshop.job(), sink, never);
      expect([...seen, existsSync(inTree('begun'))]).toEqual([false, true]);
    });

    test('a start that cannot be recorded ends the process before it did anything', async () => {
      const full = new Error('disk full');
      const sink = recorder({ started: () => Promise.reject(full) });
      await expect(driver({ shell: 'touch begun' }).run(workshop.job(), sink, never)).rejects.toBe(full);
      expect(existsSync(inTree('begun'))).toBe(false);
      expect(processesWith(workshop.root)).toEqual([]);
    });

    test('a transcript that cannot be written ends the job and nothing else', async () => {
      const full = new Error('disk full');
      const fail = () => {
        throw full;
      };
      const sink = { ...recorder(), entry: fail };
      await expect(driver({ shell: 'echo out', end: 'hang' }).run(workshop.job(), sink, never)).rejects.toBe(full);
      expect(processesWith(workshop.root)).toEqual([]);
    });

    test('an abort while the start is being recorded ends the process too', async () => {
      const stop = new AbortController();
      const sink = recorder({
        started() {
          stop.abort('now');
          return new Promise(() => {});
        },
      });
      await expect(driver({ shell: 'touch begun' }).run(workshop.job(), sink, stop.signal)).rejects.toBe('now');
      expect(existsSync(inTree('begun'))).toBe(false);
      expect(processesWith(workshop.root)).toEqual([]);
    });

    test('the environment holds what the job gives and nothing of ours', async () => {
      process.env['PLANTED_SECRET'] = secret;
      const job = workshop.job({ session: 's-1' });
      await driver({ shell: 'env -0 > env.bin; tr "\\0" "\\n" < /proc/1/environ >> env.bin' }).run(
        job,
        recorder(),
        never,
      );
      const text = readFileSync(inTree('env.bin'), 'utf8');
      expect(text).not.toContain(secret);
      const pairs = text
        .split('\0')
        .slice(0, -1)
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
      const own = ['PWD', 'OLDPWD', 'SHLVL', '_', 'GIT_CEILING_DIRECTORIES', 'FORGE_RESULT', 'FORGE_PROMPT_FILE'];
      const env = Object.fromEntries(pairs.filter(([key]) => !own.includes(key ?? '')));
      expect(env).toEqual({
        PATH: '/usr/local/bin:/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: workshop.home,
        TMPDIR: workshop.tmp,
        FORGE_WORKSPACE: workshop.tree,
        FORGE_RUN: 'r1',
        FORGE_KEY: 'T1/develop#1',
        FORGE_ROLE: 'developer',
        FORGE_TASK: 'T1',
        FORGE_ATTEMPT: '1',
        FORGE_SESSION: 's-1',
        GIT_TERMINAL_PROMPT: '0',
      });
    });

    test('secrets are redacted in transcripts and in replies', async () => {
      const sink = recorder();
      const shell = `echo out ${secret}; echo err ${secret} >&2; printf half-${secret}`;
      const reply = { [`key ${secret}`]: [`I found ${secret}`] };
      const outcome = await driver({ shell, reply }).run(workshop.job(), sink, never);
      const mark = '[redacted:API_TOKEN]';
      expect(outcome).toEqual({ status: 'replied', reply: { [`key ${mark}`]: [`I found ${mark}`] }, ...ended });
      expect(sink.text()).toContain(`out ${mark}`);
      expect(sink.text()).toContain(`err ${mark}`);
      expect(sink.text()).toContain(`half-${mark}`);
      expect(JSON.stringify(sink.entries)).not.toContain(secret);
    });

    test('HOME and TMPDIR are private and writable, everything else outside is out of reach', async () => {
      symlinkSync(workshop.root, inTree('link'));
      const { root } = workshop;
      const shell = [
        'echo h > "$HOME/h"; echo t > "$TMPDIR/t"',
        `echo x > ${root}/absolute; echo x > ../dots; echo x > link/linked; echo x > /usr/forge-${workshop.marker}`,
        `ls -A ${homedir()} > seen-home 2>/dev/null`,
        'exit 0',
      ].join('\n');
      const outcome = await driver({ shell, reply: {} }).run(workshop.job(), recorder(), never);
      expect(outcome).toEqual({ status: 'replied', reply: {}, ...ended });
      expect(readFileSync(join(workshop.home, 'h'), 'utf8') + readFileSync(join(workshop.tmp, 't'), 'utf8')).toBe(
        'h\nt\n',
      );
      const outside = [`${root}/absolute`, `${root}/dots`, `${root}/linked`, `/usr/forge-${workshop.marker}`];
      expect(outside.filter((file) => existsSync(file))).toEqual([]);
      expect(readFileSync(inTree('seen-home'), 'utf8')).toBe('');
    });
  });
}

/** The jail's own command line holds the marker too. */
function sleepers(marker: string): number {
  return processesWith(marker).filter((line) => line.startsWith('sleep ')).length;
}
