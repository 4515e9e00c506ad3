/** Control groups on a machine that has them: nothing runs outside of one, and nothing of one is left behind. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepControlGroups } from '../../src/process/control-group.ts';
import { findGroupPlaces } from '../../src/process/control-group-places.ts';
import { runProcess, startProcess } from '../../src/process/spawn.ts';
import { tempDir } from '../support/temp.ts';

const places = findGroupPlaces();
const parents = places === undefined ? [] : places.version === 2 ? [places.directory] : [places.memory, places.pids];
const groupsHere = (): readonly string[] =>
  parents.flatMap((parent) => readdirSync(parent)).filter((name) => name.startsWith(`forge-${process.pid}-`));

describe.skipIf(places === undefined)('a program in a control group', () => {
  const limits = { group: { places: places as NonNullable<typeof places>, memoryBytes: 2 ** 28, processes: 50 } };
  const command = (script: string) => ({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: tempDir('forge-group-'),
    env: { PATH: process.env['PATH'] ?? '', WORDS: 'with spaces' },
    limits,
  });

  test('is inside from its first instruction, and gets its arguments and environment as they are', async () => {
    const { stdout, end } = await runProcess({
      ...command('cat /proc/self/cgroup; echo "$WORDS|$1|$2"'),
      args: ['-c', 'cat /proc/self/cgroup; echo "$WORDS|$1|$2"', 'sh', '--', '$(touch x) "'],
    });
    expect(end).toEqual({ status: 'exited', code: 0 });
    expect(stdout.text).toContain(`/forge-${process.pid}-`);
    expect(stdout.text).toContain('with spaces|--|$(touch x) "\n');
    expect(groupsHere()).toEqual([]);
  });

  test('takes with it what left its session and its parent', async () => {
    const running = await startProcess(command('setsid sh -c "sleep 1000" & setsid sh -c "sleep 1000" & wait'));
    await running.kill(0);
    expect(groupsHere()).toEqual([]);
  });

  test('that cannot be started leaves no group', async () => {
    const { end } = await runProcess({ ...command(''), program: 'a\0b', args: [] });
    expect(end.status).toBe('not-started');
    expect(groupsHere()).toEqual([]);
  });

  test('that is not there is said to be missing', async () => {
    const { end } = await runProcess({ ...command(''), program: '/no/such/program', args: [] });
    expect(end.status).toBe('not-started');
  });

  test('groups of a Forge that was killed are removed, and those of one that lives are not', () => {
    const gone = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
    const [dead, alive] = [`forge-${gone}-0a`, `forge-${process.ppid}-0a`];
    for (const parent of parents) for (const name of [dead, alive]) mkdirSync(join(parent, name));
    if (places !== undefined) sweepControlGroups(places);
    const left = parents.map((parent) => [dead, alive].map((name) => existsSync(join(parent, name))));
    for (const parent of parents) execFileSync('rmdir', [join(parent, alive)]);
    expect(left).toEqual(parents.map(() => [false, true]));
  });
});
