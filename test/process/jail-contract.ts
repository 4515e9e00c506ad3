/**
 * What holds inside a bubblewrap jail, for whoever runs it. Called by one test file as the user who runs the tests
 * and by another one as a user without any rights.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Jail, JailPolicy } from '../../src/process/jail.ts';
import type { Command, ProcessResult } from '../../src/process/process.ts';
import { runProcess, startProcess } from '../../src/process/spawn.ts';
import { listProcesses } from '../../src/process/process-table.ts';
import { makeScene, nodeScript, outsideSecret, path, runs, shell, until } from './scene.ts';

export function jailContract(jail: Jail): void {
  const run = (command: Command, policy: JailPolicy): Promise<ProcessResult> => runProcess(jail.wrap(command, policy));

  describe('what a contained program has', () => {
    test('its workspace, home and tmp, writable, at their own paths', async () => {
      const { workspace, policy } = makeScene();
      const script = 'pwd; echo 1 > made; echo 2 > "$HOME/made"; echo 3 > "$TMPDIR/made"; echo 4 > /tmp/made';
      expect(await run(shell(workspace, script), policy)).toMatchObject({
        end: { status: 'exited', code: 0 },
        stdout: { text: `${workspace}\n` },
        stderr: { text: '' },
      });
      const made = [workspace, policy.home, policy.tmp].map((place) => readFileSync(join(place, 'made'), 'utf8'));
      expect(made).toEqual(['1\n', '2\n', '3\n']);
      expect(existsSync('/tmp/made')).toBe(false);
    });

    test('an environment that is exactly what it was given, HOME and TMPDIR', async () => {
      const { workspace, policy } = makeScene();
      const command: Command = {
        program: '/usr/bin/env',
        args: [],
        cwd: workspace,
        env: { PATH: path, A_TOKEN: 'x y' },
      };
      const { stdout } = await run(command, policy);
      const expected = [
        `PATH=${path}`,
        'A_TOKEN=x y',
        `HOME=${policy.home}`,
        `TMPDIR=${policy.tmp}`,
        `PWD=${workspace}`,
      ];
      expect(stdout.text.trim().split('\n').sort()).toEqual(expected.sort());
    });

    test('no capabilities and no way to new ones', async () => {
      const { workspace, policy } = makeScene();
      for (const network of ['on', 'loopback', 'off'] as const) {
        const { stdout } = await run(shell(workspace, 'grep -E "^(Cap|NoNewPrivs|Uid|Gid)" /proc/self/status'), {
          ...policy,
          network,
        });
        const uid = process.getuid?.() === 0 ? jail.user : process.getuid?.();
        const gid = process.getgid?.() === 0 ? jail.user : process.getgid?.();
        const none = '0000000000000000';
        expect({ network, status: stdout.text.trim().split('\n') }).toEqual({
          network,
          status: [
            `Uid:\t${uid}\t${uid}\t${uid}\t${uid}`,
            `Gid:\t${gid}\t${gid}\t${gid}\t${gid}`,
            ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}:\t${none}`),
            'NoNewPrivs:\t1',
          ],
        });
      }
    });

    test('Node, a system to run it, and a name of its own', async () => {
      const { workspace, policy } = makeScene();
      const result = await run(
        nodeScript(workspace, 'console.log(process.version, require("node:os").hostname())'),
        policy,
      );
      expect(result.stdout.text).toBe(`${process.version} forge\n`);
      expect(hostname()).not.toBe('forge');
    });

    test('a path given through a symlink', async () => {
      const { root, workspace, policy } = makeScene();
      mkdirSync(join(workspace, 'sub'));
      symlinkSync(workspace, join(root, 'link'));
      const policyByLink = { ...policy, writable: [join(root, 'link')] };
      const result = await run(
        shell(join(root, 'link', 'sub'), 'touch here "$1/there"', join(root, 'link')),
        policyByLink,
      );
      expect(result).toMatchObject({ end: { status: 'exited', code: 0 }, stderr: { text: '' } });
      expect([existsSync(join(workspace, 'sub', 'here')), existsSync(join(workspace, 'there'))]).toEqual([true, true]);
    });

    test('read-only places inside writable ones, and the reverse', async () => {
      const { workspace, outside, policy } = makeScene();
      const kept = join(workspace, 'kept');
      const hole = join(outside, 'hole');
      mkdirSync(kept);
      mkdirSync(hole);
      const mixed = { ...policy, writable: [workspace, hole], readable: [kept, outside] };
      const script = 'for place in "$@"; do touch "$place/made" 2>/dev/null && echo yes || echo no; done';
      const result = await run(shell(workspace, script, workspace, kept, outside, hole), mixed);
      expect(result.stdout.text).toBe('yes\nno\nno\nyes\n');
      expect(await run(shell(workspace, 'mv kept gone || rm -rf kept'), mixed)).not.toMatchObject({ end: { code: 0 } });
      expect(existsSync(kept)).toBe(true);
    });

    test('a clear refusal where the working directory is not shown', () => {
      const { outside, policy } = makeScene();
      expect(() => jail.wrap(shell(outside, 'true'), policy)).toThrow(`${outside} is not visible in the jail`);
      expect(() => jail.wrap(shell(join(outside, 'no'), 'true'), policy)).toThrow('no does not exist');
    });
  });

  describe('what it has not', () => {
    test('anything of a home, of /var, of /run, or the files of passwords', async () => {
      const { workspace, policy } = makeScene();
      const script =
        'ls -A "$1"; ls -A /home /root /srv /mnt /var/lib /var/log /run; cat /etc/shadow /etc/gshadow /etc/sudoers';
      const { stdout } = await run(shell(workspace, script, homedir()), policy);
      expect(stdout.text.replace('/run:\n', '').trim()).toBe('');
    });

    test('secrets on its command line, where every user could read them', async () => {
      const { workspace, policy } = makeScene();
      const secret = 'secret-in-the-environment';
      const command = { ...shell(workspace, 'echo up; exec sleep 1000'), env: { PATH: path, API_TOKEN: secret } };
      for (const network of ['loopback', 'off'] as const) {
        const wrapped = jail.wrap(command, { ...policy, network });
        expect(JSON.stringify([wrapped.program, wrapped.args])).not.toContain(secret);
        const running = await startProcess(wrapped);
        let heard = '';
        running.onStdout((chunk) => {
          heard += chunk.toString();
        });
        await until('it is up', () => heard === 'up\n');
        const lines = readdirSync('/proc').flatMap((name) => {
          try {
            return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : [];
          } catch {
            return [];
          }
        });
        expect(lines.some((line) => line.includes(workspace))).toBe(true);
        expect(lines.some((line) => line.includes(secret))).toBe(false);
        await running.kill(0);
      }
    });

    test('power over the frame around it: the loader obeys its variables only inside', async () => {
      const { workspace, outside, policy } = makeScene();
      for (const network of ['loopback', 'off'] as const) {
        const env = { PATH: path, LD_DEBUG: 'libs', LD_DEBUG_OUTPUT: join(outside, 'leak') };
        const { stdout } = await run({ ...shell(workspace, 'echo "$LD_DEBUG"'), env }, { ...policy, network });
        expect(stdout.text).toMatch(/libs\n$/);
        expect(readdirSync(outside)).toEqual(['secret.txt']);
      }
    });

    test('a root of its own to write in', async () => {
      const { workspace, policy } = makeScene();
      const result = await run(
        shell(workspace, 'touch /made /var/made /home/made /usr/made /etc/made && echo GOT'),
        policy,
      );
      expect(result).toMatchObject({ end: { status: 'exited', code: 1 }, stdout: { text: '' } });
      expect(result.stderr.text.match(/Read-only file system/g)).toHaveLength(4);
    });

    test('a choice of the bubblewrap that contains it', async () => {
      const { workspace, policy } = makeScene();
      writeFileSync(join(workspace, 'bwrap'), '#!/bin/sh\necho fooled\n', { mode: 0o755 });
      const result = await run({ ...shell(workspace, 'echo contained'), env: { PATH: workspace } }, policy);
      expect(result.stdout.text).toBe('contained\n');
    });
  });

  describe('network', () => {
    const script = `
      const net = require('node:net');
      const reach = (port) => new Promise((settle) => net.connect(port, '127.0.0.1').on('connect', () => settle('yes')).on('error', (error) => settle(error.code)));
      const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
      const own = new Promise((settle) => server.on('listening', () => settle(reach(server.address().port))).on('error', (error) => settle(error.code)));
      Promise.all([reach(Number(process.argv[1])), own]).then((answers) => { console.log(answers.join(' ')); process.exit(); });`;

    test.each([
      ['on', 'yes yes'],
      ['loopback', 'ECONNREFUSED yes'],
      ['off', 'ENETUNREACH ENETUNREACH'],
    ] as const)('%s: this host and its own loopback: %s', async (network, expected) => {
      const { workspace, policy } = makeScene();
      const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await until('the server listens', () => server.listening);
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const result = await run(nodeScript(workspace, script, String(port)), { ...policy, network });
      expect(result.stdout.text.trim()).toBe(expected);
    });
  });

  describe('the end', () => {
    test('nothing is left when the program has ended, whatever it did', async () => {
      const { workspace, policy } = makeScene();
      const daemon = `setsid sh -c '(while :; do echo x >> beat; done) > /dev/null 2>&1 < /dev/null & exit 0'; until [ -s beat ]; do sleep 0.01; done; exit 3`;
      const running = await startProcess(jail.wrap(shell(workspace, daemon), policy));
      const { end } = await running.result;
      const left = listProcesses().filter((entry) => entry.running && entry.group === running.identity.pid);
      const beats = readFileSync(join(workspace, 'beat')).length;
      expect({ end, left }).toEqual({ end: { status: 'exited', code: 3 }, left: [] });
      expect(processesWith(workspace)).toEqual([]);
      expect(readFileSync(join(workspace, 'beat'))).toHaveLength(beats);
    });

    test('a request to end reaches the program inside, not only its frame', async () => {
      const { workspace, policy } = makeScene();
      const script = `trap 'echo bye > bye; exit 0' TERM; echo up; while :; do sleep 0.01; done`;
      const running = await startProcess(jail.wrap(shell(workspace, script), policy));
      let heard = '';
      running.onStdout((chunk) => {
        heard += chunk.toString();
      });
      await until('it is up', () => heard === 'up\n');
      await running.kill(10_000);
      expect(readFileSync(join(workspace, 'bye'), 'utf8')).toBe('bye\n');
      expect((await running.result).end).toEqual({ status: 'exited', code: 0 });
    });

    test('time and output limits hold inside', async () => {
      const { workspace, policy } = makeScene();
      const deaf = {
        ...shell(workspace, `trap 'echo asked' TERM; setsid sleep 1000 & while :; do sleep 1000 & wait; done`),
        limits: { timeMs: 100 },
      };
      const running = await startProcess(jail.wrap(deaf, policy));
      const asked = new Promise((settle) => running.onStdout(settle));
      const loud = await run({ ...shell(workspace, 'yes'), limits: { outputBytes: 100_000 } }, policy);
      expect(loud).toMatchObject({ end: { status: 'output-limit' }, stdout: { totalBytes: 100_000 } });
      // Its limit is what asks it to end; only then may its grace be shortened.
      await Promise.race([asked, running.result]);
      await running.kill(50);
      expect((await running.result).end).toEqual({ status: 'timed-out', timeMs: 100 });
      expect([runs(running.identity.pid), processesWith(workspace)]).toEqual([false, []]);
    });
  });

  test('what is outside stays unread', async () => {
    const { workspace, secretFile, policy } = makeScene();
    const result = await run(shell(workspace, 'cat "$1"', secretFile), policy);
    expect(result).toMatchObject({ end: { status: 'exited', code: 1 }, stdout: { text: '' } });
    expect(readFileSync(secretFile, 'utf8')).toBe(outsideSecret);
  });
}

/** Processes whose command line names a directory, as the frame of a jail and everything forked inside it does. */
function processesWith(directory: string): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const line = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : '';
      return line.includes(directory) && runs(Number(name)) ? [`${name} ${line.replaceAll('\0', ' ')}`] : [];
    } catch {
      return [];
    }
  });
}
