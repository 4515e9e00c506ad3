/** How much a contained program may use. Each limit here is small, so that the machine does not notice. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GroupLimits } from '../../src/process/process.ts';
import { openJail } from '../../src/process/open-jail.ts';
import { runProcess } from '../../src/process/spawn.ts';
import { jailOfThisMachine, makeScene, nodeScript, shell } from './scene.ts';

const usual = await jailOfThisMachine();
const limits = { memory: 256, processes: 120, files: 256, disk: 32 };
const jail = usual === undefined ? undefined : (await openJail({ mode: 'auto', limits })).jail;
// Where the kernel can hold a program to its limits, both ways are tried.
const ways = jail?.limitsHeldBy === 'kernel' ? (['kernel', 'watching'] as const) : (['watching'] as const);

describe.skipIf(jail === undefined).each(ways)('a contained program, limits held by %s', (heldBy) => {
  const run = async (command: ReturnType<typeof shell>) => {
    if (jail === undefined) throw new Error('no jail');
    const { limits: all = {}, ...wrapped } = jail.wrap({ ...command, limits: { timeMs: 60_000 } }, scene.policy);
    const { group, ...watched } = all;
    if (heldBy === 'watching') return runProcess({ ...wrapped, limits: watched });
    const found = await runProcess({ ...wrapped, limits: all });
    expect(groupsOf(group)).toEqual([]);
    return found;
  };
  let scene: ReturnType<typeof makeScene>;

  test('that takes all memory is ended, and it is said why', async () => {
    scene = makeScene();
    const hog = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(16 * 1024 * 1024, 1)), 20);';
    const { end } = await run(nodeScript(scene.workspace, hog));
    expect(end).toEqual({ status: 'resource-limit', resource: 'memory', limit: 256 * 1024 * 1024 });
  });

  test('that spreads its memory over children is ended too', async () => {
    scene = makeScene();
    const child = 'b=$(head -c 30000000 /dev/zero | tr "\\\\0" x); sleep 1000';
    const { end } = await run(
      shell(scene.workspace, `for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sh -c '${child}' & done; wait`),
    );
    expect(end).toMatchObject({ status: 'resource-limit', resource: 'memory' });
  });

  test('that fills memory which no process of it holds is ended', async () => {
    scene = makeScene();
    const number = { x64: 319, arm64: 279, riscv64: 279, loong64: 279 }[process.arch as 'x64'];
    const fill = `my $part = "a" x 16777216; while (1) { my $name = "x"; my $fd = syscall(${number}, $name, 0); open(my $file, ">&=", $fd) or die; syswrite($file, $part); push @kept, $file; select(undef, undef, undef, 0.05) }`;
    const { end } = await run(shell(scene.workspace, `exec perl -e '${fill}'`));
    expect(end).toEqual({ status: 'resource-limit', resource: 'memory', limit: 256 * 1024 * 1024 });
  });

  test('that forks without end is ended', async () => {
    scene = makeScene();
    // A shell gives up when it cannot fork any more, which may be before anybody looked.
    const forks = 'while (1) { my $child = fork; if (defined $child && $child == 0) { sleep 1000; exit } }';
    const { end } = await run(shell(scene.workspace, `exec perl -e '${forks}'`));
    expect(end).toEqual({ status: 'resource-limit', resource: 'processes', limit: 120 });
  });

  test('that fills the disk with many files is ended', async () => {
    scene = makeScene();
    const script = 'i=0; while :; do i=$((i+1)); head -c 2000000 /dev/urandom > file$i; done';
    const { end } = await run(shell(scene.workspace, script));
    expect(end).toMatchObject({ status: 'resource-limit', resource: 'disk' });
  });

  test('cannot make one file larger than that', async () => {
    scene = makeScene();
    const { stdout } = await run(shell(scene.workspace, 'head -c 60000000 /dev/zero > big; stat -c %s big'));
    expect(Number(stdout.text)).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  test.each(['/tmp', '/dev/shm'])('cannot fill memory through %s', async (place) => {
    scene = makeScene();
    const script = `i=0; while head -c 20000000 /dev/zero > ${place}/f$i 2> /dev/null; do i=$((i+1)); [ $i -gt 50 ] && break; done; du -sk ${place} | cut -f1`;
    const { stdout } = await run(shell(scene.workspace, script));
    expect(Number(stdout.text)).toBeGreaterThan(64 * 1024);
    expect(Number(stdout.text)).toBeLessThanOrEqual(129 * 1024);
  });

  test('has a bound on open files, and leaves no memory dumps', async () => {
    scene = makeScene();
    const { stdout } = await run(shell(scene.workspace, 'ulimit -n; ulimit -c; ulimit -Hn'));
    expect(stdout.text).toBe('256\n0\n256\n');
  });

  test('that stays within its limits notices nothing', async () => {
    scene = makeScene();
    const { end, stdout } = await run(
      nodeScript(scene.workspace, 'console.log(Buffer.alloc(50 * 1024 * 1024, 1).length)'),
    );
    expect([end, stdout.text]).toEqual([{ status: 'exited', code: 0 }, `${50 * 1024 * 1024}\n`]);
  });
});

/** What is left of the groups this process made. */
function groupsOf(group: GroupLimits | undefined): readonly string[] {
  if (group === undefined) throw new Error('no control group');
  const { places } = group;
  const parents = places.version === 2 ? [places.directory] : [places.memory, places.pids];
  return parents.flatMap((parent) => readdirSync(parent)).filter((name) => name.startsWith(`forge-${process.pid}-`));
}
