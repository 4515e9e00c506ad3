import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { treeCpuMs, treeFingerprint } from '../../src/agents/activity.ts';
import {
  type ActivitySample,
  isIdle,
  observeSample,
  startActivityWatch,
  steadyClock,
  watchAgent,
} from '../../src/agents/watchdog.ts';
import { until } from './workshop.ts';

describe('the decision', () => {
  const quiet: ActivitySample = { at: 0, outputBytes: 7, files: 'f', cpuMs: 500 };
  const after = (...samples: readonly Partial<ActivitySample>[]) =>
    samples.reduce((vigil, sample) => observeSample(vigil, { ...vigil.sample, ...sample }), startActivityWatch(quiet));

  test.each<[string, readonly Partial<ActivitySample>[], boolean]>([
    ['nothing for the whole time', [{ at: 500 }, { at: 1000 }], true],
    ['nothing, but not long enough', [{ at: 500 }, { at: 999 }], false],
    ['output in between', [{ at: 500, outputBytes: 8 }, { at: 1000 }], false],
    ['a file changed in between', [{ at: 500, files: 'g' }, { at: 1000 }], false],
    ['CPU used in between', [{ at: 500, cpuMs: 600 }, { at: 1000 }], false],
    ['life, then nothing for the whole time', [{ at: 500, outputBytes: 8 }, { at: 1500 }], true],
    [
      'CPU below one percent, as a program that polls',
      [
        { at: 500, cpuMs: 502 },
        { at: 1000, cpuMs: 505 },
      ],
      true,
    ],
    ['CPU counted less, as a child was never collected', [{ at: 500, cpuMs: 20 }, { at: 1000 }], true],
  ])('%s', (_name, samples, idle) => {
    expect(isIdle(after(...samples), 1000)).toBe(idle);
  });

  test('idle means: no sample within the time differs from the one before it', () => {
    const step = fc.record({ output: fc.boolean(), files: fc.boolean(), cpu: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        let vigil = startActivityWatch(quiet);
        for (const { output, files, cpu } of steps) {
          const { at, outputBytes, files: seen, cpuMs } = vigil.sample;
          vigil = observeSample(vigil, {
            at: at + 100,
            outputBytes: outputBytes + Number(output),
            files: files ? `${seen}.` : seen,
            cpuMs: cpuMs + (cpu ? 100 : 0),
          });
        }
        const quietSteps = steps.length - 1 - steps.findLastIndex(({ output, files, cpu }) => output || files || cpu);
        expect(isIdle(vigil, 500)).toBe(quietSteps >= 5);
      }),
    );
  });
});

describe('the watch', () => {
  let tree: string;
  let child: ChildProcess;
  beforeEach(() => {
    tree = mkdtempSync(join(tmpdir(), 'forge-watch-'));
    child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(tree, { recursive: true });
  });

  /** Time passes only in waits; before each, something may happen. */
  const watch = async (happen: (count: number) => void, detail: { wallMs?: number; output?: () => number } = {}) => {
    let time = 0;
    let count = 0;
    const stop = new AbortController();
    const clock = {
      now: () => time,
      async wait(ms: number) {
        time += ms;
        happen(++count);
        if (count > 100) stop.abort();
      },
    };
    const limits = { wallMs: detail.wallMs ?? 1e9, idleMs: 300_000 };
    const bark = await watchAgent(
      { pid: child.pid ?? 0, tree, outputBytes: detail.output ?? (() => 0), limits, clock },
      stop.signal,
    );
    return { bark, time };
  };

  test('barks after the idle time', async () => {
    expect(await watch(() => {})).toEqual({ bark: { status: 'idle', idleMs: 300_000 }, time: 300_000 });
  });

  test('waits while files change or output comes', async () => {
    const write = (count: number) => count <= 15 && appendFileSync(join(tree, 'f'), 'x');
    expect(await watch(write)).toEqual({ bark: { status: 'idle', idleMs: 300_000 }, time: 15 * 30_000 + 300_000 });
    let bytes = 0;
    const print = (count: number) => {
      if (count <= 3) bytes += 1;
    };
    expect(await watch(print, { output: () => bytes })).toEqual({
      bark: { status: 'idle', idleMs: 300_000 },
      time: 3 * 30_000 + 300_000,
    });
  });

  test('barks when the time is over, however busy the agent is', async () => {
    let bytes = 0;
    const busy = watch(() => {}, { wallMs: 1_000_000, output: () => bytes++ });
    expect(await busy).toEqual({ bark: { status: 'timed-out', limitMs: 1_000_000 }, time: 1_000_000 });
  });

  test('ends with the signal', async () => {
    let bytes = 0;
    expect((await watch(() => {}, { output: () => bytes++ })).bark).toBeUndefined();
    const stop = new AbortController();
    const waiting = steadyClock.wait(1e9, stop.signal);
    stop.abort();
    await waiting;
    await steadyClock.wait(1e9, stop.signal);
  });

  test('sees every change in a tree, follows no link and stops at its limit', async () => {
    const outside = join(tree, 'outside');
    const inside = join(tree, 'inside');
    mkdirSync(join(inside, 'deep/er'), { recursive: true });
    mkdirSync(outside);
    symlinkSync(outside, join(inside, 'link'));
    symlinkSync('.', join(inside, 'self'));
    const changes: readonly (() => void)[] = [
      () => writeFileSync(join(inside, 'deep/er/f'), 'a'),
      () => appendFileSync(join(inside, 'deep/er/f'), 'b'),
      () => mkdirSync(join(inside, 'new')),
      () => unlinkSync(join(inside, 'deep/er/f')),
    ];
    let before = await treeFingerprint(inside);
    for (const change of changes) {
      change();
      const now = await treeFingerprint(inside);
      expect(now).not.toBe(before);
      before = now;
    }
    writeFileSync(join(outside, 'f'), 'a');
    expect(await treeFingerprint(inside)).toBe(before);
    expect(await treeFingerprint(inside, 2)).toMatch(/^2 /);
    expect(await treeFingerprint(join(tree, 'none'))).toBe('0 0 0');
  });

  test('counts the CPU of grandchildren, and none for a process that is gone', async () => {
    const busy = spawn('sh', ['-c', 'setsid sh -c "echo up; while :; do :; done" & echo $!; wait'], { detached: true });
    let printed = '';
    busy.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    try {
      await until(() => printed.includes('up') && /\d/.test(printed));
      await until(() => treeCpuMs(busy.pid ?? 0) >= 50);
    } finally {
      process.kill(Number(/\d+/.exec(printed)?.[0]), 'SIGKILL');
    }
    await until(() => busy.exitCode !== null);
    expect(treeCpuMs(busy.pid ?? 0)).toBe(0);
  });
});
