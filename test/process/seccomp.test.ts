/**
 * What the kernel answers a contained program that makes a call it has no use for. Each call is really made, by Perl,
 * once inside and once outside, so that a call that fails everywhere proves nothing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callTables } from '../../src/process/seccomp-calls.ts';
import { seccompFilter } from '../../src/process/seccomp-filter.ts';
import { runProcess } from '../../src/process/spawn.ts';
import { jailOfThisMachine, makeScene, nodeScript, shell } from './scene.ts';

const jail = await jailOfThisMachine();
const perl = '/usr/bin/perl';
const numbers = callTables[process.arch]?.numbers ?? {};
const [EPERM, EINVAL, ENOSYS, EPROTONOSUPPORT, EAFNOSUPPORT] = [1, 22, 38, 93, 97];
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_ALG, AF_VSOCK, AF_PACKET] = [1, 2, 10, 16, 38, 40, 17];
const [stream, datagram, raw] = [1, 2, 3];
const invalid = -1;

/** Name, number, arguments, and the error that it ends with. */
type Probe = readonly [string, number | undefined, readonly number[], number];

const refused: readonly Probe[] = [
  ['keyctl: the session keyring', numbers.keyctl, [0, -3, 0], EPERM],
  ['add_key', numbers.add_key, [0, 0, 0, 0, -3], EPERM],
  ['request_key', numbers.request_key, [0, 0, 0, 0], EPERM],
  ['bpf', numbers.bpf, [0, 0, 0], EPERM],
  ['userfaultfd', numbers.userfaultfd, [1], EPERM],
  ['perf_event_open', numbers.perf_event_open, [0, 0, -1, -1, 0], EPERM],
  ['init_module', numbers.init_module, [0, 0, 0], EPERM],
  ['finit_module', numbers.finit_module, [invalid, 0, 0], EPERM],
  ['delete_module', numbers.delete_module, [0, 0], EPERM],
  ['kexec_load', numbers.kexec_load, [0, 0, 0, 0], EPERM],
  ['mount', numbers.mount, [0, 0, 0, 0, 0], EPERM],
  ['umount', numbers.umount2, [0, 0], EPERM],
  ['fsopen', numbers.fsopen, [0, 0], EPERM],
  ['open_tree', numbers.open_tree, [invalid, 0, 0], EPERM],
  ['mount_setattr', numbers.mount_setattr, [invalid, 0, 0, 0, 0], EPERM],
  ['pivot_root', numbers.pivot_root, [0, 0], EPERM],
  ['setns', numbers.setns, [invalid, 0], EPERM],
  ['unshare a user namespace', numbers.unshare, [0x10000000], EPERM],
  ['unshare a network namespace', numbers.unshare, [0x40000000], EPERM],
  ['unshare a time namespace', numbers.unshare, [0x80], EPERM],
  ['clone a user namespace', numbers.clone, [0x10000000 | 17, 0, 0, 0, 0], EPERM],
  ['clone3', numbers.clone3, [0, 0], ENOSYS],
  ['io_uring', numbers.io_uring_setup, [1, 0], ENOSYS],
  ['open_by_handle_at', numbers.open_by_handle_at, [invalid, 0, 0], EPERM],
  ['reboot', numbers.reboot, [0, 0, 0, 0], EPERM],
  ['swapon', numbers.swapon, [0, 0], EPERM],
  ['quotactl', numbers.quotactl, [0, 0, 0, 0], EPERM],
  ['syslog', numbers.syslog, [10, 0, 0], EPERM],
  ['fanotify', numbers.fanotify_init, [0x200, 0], EPERM],
  ['a personality that maps page zero', numbers.personality, [0x100000], EPERM],
  ['a personality that makes data executable', numbers.personality, [0x400000], EPERM],
  ['typing into a terminal', numbers.ioctl, [0, 0x5412, 0], EPERM],
  ['typing into a terminal, with high bits set', numbers.ioctl, [0, 0x1_0000_5412, 0], EPERM],
  ['the console selection', numbers.ioctl, [0, 0x541c, 0], EPERM],
  ['a socket to the hypervisor', numbers.socket, [AF_VSOCK, stream, 0], EAFNOSUPPORT],
  ['a packet socket', numbers.socket, [AF_PACKET, raw, 0], EAFNOSUPPORT],
  ['a socket to kernel cryptography', numbers.socket, [AF_ALG, 5, 0], EAFNOSUPPORT],
  ['a socket of an unknown family', numbers.socket, [44, stream, 0], EAFNOSUPPORT],
  ['a netfilter socket', numbers.socket, [AF_NETLINK, raw, 12], EPROTONOSUPPORT],
  ['an SCTP socket', numbers.socket, [AF_INET, stream, 132], EPROTONOSUPPORT],
  ['an L2TP socket', numbers.socket, [AF_INET6, datagram, 115], EPROTONOSUPPORT],
  ['a pair of TIPC sockets', numbers.socketpair, [30, stream, 0, 0], EAFNOSUPPORT],
  ...(process.arch === 'x64' ? ([['x32: getpid', 0x40000000 + 39, [], ENOSYS]] as const) : []),
];

const allowed: readonly Probe[] = [
  ['a local socket', numbers.socket, [AF_UNIX, stream, 0], 0],
  ['TCP', numbers.socket, [AF_INET, stream, 6], 0],
  ['UDP', numbers.socket, [AF_INET6, datagram, 17], 0],
  ['asking for routes', numbers.socket, [AF_NETLINK, raw, 0], 0],
  ['asking for the personality', numbers.personality, [0xffffffff], 0],
  ['unshare without a namespace', numbers.unshare, [0x400], 0],
  ['an ioctl of no terminal', numbers.ioctl, [invalid, 0x5401, 0], 9],
  ['unshare with flags nobody knows', numbers.unshare, [0x1], EINVAL],
];

const script =
  'for my $line (split /;/, $ARGV[0]) { my @call = map { $_ + 0 } split / /, $line; $! = 0; my $r = syscall(shift @call, @call); print(($r == -1 ? $! + 0 : 0), "\\n"); }';

const linesOf = (probes: readonly Probe[]): string =>
  probes.map(([, number, args]) => [number, ...args].join(' ')).join(';');

describe.skipIf(jail === undefined || !existsSync(perl) || callTables[process.arch] === undefined)(
  'system calls',
  () => {
    test('are refused where nothing honest needs them, and work where it does', async () => {
      if (jail === undefined) return;
      const { workspace, policy } = makeScene();
      const probes = [...refused, ...allowed];
      const command = { ...shell(workspace, ''), program: perl, args: ['-e', script, linesOf(probes)] };
      const { stdout, stderr } = await runProcess(jail.wrap(command, policy));
      const answers = stdout.text.trim().split('\n').map(Number);
      expect(stderr.text).toBe('');
      expect(Object.fromEntries(probes.map(([name], index) => [name, answers[index]]))).toEqual(
        Object.fromEntries(probes.map(([name, , , error]) => [name, error])),
      );
    });

    test('are answered otherwise without the filter', () => {
      const telling = refused.filter(([name]) => /keyctl|hypervisor|kernel crypto|maps page|time namespace/.test(name));
      const { stdout } = spawnSync(perl, ['-e', script, linesOf(telling)], { encoding: 'utf8' });
      expect(stdout.trim().split('\n').map(Number)).not.toEqual(telling.map(([, , , error]) => error));
    });

    test.skipIf(process.arch !== 'x64' || !existsSync('/usr/bin/cc'))(
      'a call through the 32-bit interface ends the program',
      async () => {
        if (jail === undefined) return;
        const { workspace, policy } = makeScene();
        const source = join(workspace, 'old.c');
        writeFileSync(
          source,
          'int main(void) { int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20)); return r > 0 ? 7 : 8; }',
        );
        spawnSync('/usr/bin/cc', ['-o', join(workspace, 'old'), source]);
        const { end } = await runProcess(jail.wrap(shell(workspace, './old; echo "ended: $?"'), policy));
        const { stdout } = await runProcess(jail.wrap(shell(workspace, './old; echo "ended: $?"'), policy));
        expect(end).toEqual({ status: 'exited', code: 0 });
        expect(stdout.text).toBe(`ended: ${128 + 31}\n`);
      },
    );

    test('honest programs start threads, children, workers and servers', async () => {
      if (jail === undefined) return;
      const { workspace, policy } = makeScene();
      const work = `
      const { Worker } = require('node:worker_threads');
      const { execFileSync } = require('node:child_process');
      const fs = require('node:fs');
      new Worker('require("node:worker_threads").parentPort.postMessage(6 * 7)', { eval: true }).on('message', async (answer) => {
        await fs.promises.writeFile('made', execFileSync('git', ['--version']));
        const wasm = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
        const server = require('node:http').createServer((_, reply) => reply.end('served')).listen(0, async () => {
          const text = await (await fetch('http://127.0.0.1:' + server.address().port)).text();
          console.log(answer, text, wasm.buffer.byteLength, Object.keys(require('node:os').networkInterfaces()).length > 0);
          process.exit();
        });
      });`;
      const { stdout, stderr } = await runProcess(jail.wrap(nodeScript(workspace, work), policy));
      expect({ out: stdout.text, err: stderr.text }).toEqual({ out: '42 served 65536 true\n', err: '' });
    });
  },
);

test('the filter is a whole number of instructions, short enough for the kernel, and ends with an answer', () => {
  for (const arch of ['x64', 'arm64', 'riscv64', 'loong64']) {
    const bytes = Buffer.from(seccompFilter(arch) ?? []);
    expect(bytes.length % 8).toBe(0);
    expect(bytes.length / 8).toBeGreaterThan(100);
    expect(bytes.length / 8).toBeLessThan(4096);
    expect(bytes.readUInt16LE(bytes.length - 8)).toBe(0x06);
    for (let at = 0; at < bytes.length - 8; at += 8) {
      const farthest = Math.max(bytes.readUInt8(at + 2), bytes.readUInt8(at + 3));
      expect(at / 8 + 1 + farthest).toBeLessThan(bytes.length / 8);
    }
  }
  expect(seccompFilter('s390x')).toBeUndefined();
});
