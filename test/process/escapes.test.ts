/** Attempts to get out of the jail. After each one: what is outside is as it was, and nothing of it was read. */
import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runProcess } from '../../src/process/spawn.ts';
import { jailOfThisMachine, makeScene, outsideSecret, runs, shell } from './scene.ts';

const jail = await jailOfThisMachine();

/** Name, script. `$1` is the file outside, `$2` a read-only store, `$3` a process outside. Success is shown by `GOT`. */
const attempts: readonly (readonly [string, string])[] = [
  ['write by absolute path', 'echo x > "$1" && echo GOT'],
  ['write by ..', 'echo x > ../outside/secret.txt && echo GOT'],
  ['write through a symlink planted before', 'echo x > planted/secret.txt && echo GOT'],
  ['write through a symlink of its own', 'ln -s "$(dirname "$1")" mine; echo x > mine/secret.txt && echo GOT'],
  ['read by absolute path', 'cat "$1"'],
  ['read through a symlink', 'cat planted/secret.txt'],
  ['read another workspace', 'cat ../other/notes.txt; ls ..; ls -R "$(dirname "$PWD")" | grep -q notes && echo GOT'],
  ['hardlink to a file outside', 'ln "$1" hard && echo GOT'],
  ['hardlink to a read-only file', 'ln "$2/object" hard && echo x >> hard && echo GOT'],
  [
    'write a read-only file',
    'echo x > "$2/object" && echo GOT; chmod 777 "$2/object" && echo GOT; rm "$2/object" && echo GOT',
  ],
  ['replace a read-only directory', 'mv "$2" "$2.old" && echo GOT; rm -rf "$2" && echo GOT'],
  ['the root of the first process', 'cat "/proc/1/root$1"; cat "/proc/1/cwd$1"; cat "/proc/self/root$1"'],
  [
    'roots of all processes',
    'for root in /proc/[0-9]*/root /proc/[0-9]*/cwd; do cat "$root$1"; cat "$root/../outside/secret.txt"; done',
  ],
  [
    'open files of the frame',
    'for file in /proc/[0-9]*/fd/*; do cat "$file/secret.txt"; cat "$file/outside/secret.txt"; done < /dev/null',
  ],
  [
    'remount',
    'for place in / /usr /etc "$2" /proc/sys; do mount -o remount,rw,bind "$place" && echo GOT; umount "$place" && echo GOT; umount -l "$place" && echo GOT; done',
  ],
  [
    'mount the disk',
    'for device in /dev/vda /dev/sda /dev/nvme0n1; do mknod disk b 254 0 && echo GOT; mount "$device" /tmp && echo GOT; done',
  ],
  ['a mount namespace of its own', 'unshare --mount sh -c "umount -l $2; echo x > $2/object" && echo GOT'],
  [
    'a user namespace of its own',
    'unshare --user --map-root-user --mount sh -c "umount -l $2; mount -o remount,rw,bind $2; echo x > $2/object" && echo GOT',
  ],
  ['a user namespace without a map', 'unshare --user --mount sh -c "umount -l $2; echo x > $2/object" && echo GOT'],
  ['the namespaces of the first process', 'nsenter -t 1 -a cat "$1"; nsenter -t 1 -m -U cat "$1"'],
  [
    'a fresh /proc',
    'unshare --user --map-root-user --mount --pid --fork sh -c "mount -t proc proc /proc && echo 0 > /proc/sys/kernel/printk && echo GOT"',
  ],
  [
    'settings of the kernel',
    'for file in kernel/core_pattern vm/swappiness kernel/hostname; do value=$(cat "/proc/sys/$file"); echo "$value" > "/proc/sys/$file" && echo GOT; done',
  ],
  [
    'triggers of the kernel',
    '[ -w /proc/sysrq-trigger ] && echo GOT; echo mem > /sys/power/state && echo GOT; ls /sys/kernel && echo GOT',
  ],
  ['signals to a process outside', 'kill -0 "$3" && echo GOT; kill -9 "$3"; kill -9 -1; true'],
  ['seeing a process outside', '[ -d "/proc/$3" ] && [ "$(cat "/proc/$3/comm")" = sleep ] && echo GOT'],
  ['the environment of Forge', 'cat /proc/*/environ | tr "\\0" "\\n" | grep SECRET_OF_FORGE && echo GOT'],
  ['memory of the frame', 'head -c 1 /proc/1/mem && echo GOT; echo x > /proc/1/mem && echo GOT'],
  ['the terminal of Forge', ': < /dev/tty && echo GOT; : < /dev/console && echo GOT'],
  [
    'a program that becomes root',
    'cp /bin/sh suid; chmod 4755 suid; su -c "cat $1" root < /dev/null; sudo -n cat "$1"; mount | grep "$PWD" | grep -v nosuid && echo GOT',
  ],
  [
    'sockets of services',
    'ls /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/systemd/private && echo GOT',
  ],
  ['files of passwords', 'cat /etc/shadow /etc/gshadow /etc/shadow- && echo GOT'],
];

describe.skipIf(jail === undefined)('an escape fails', () => {
  test.each(attempts)('%s', async (_name, script) => {
    if (jail === undefined) return;
    const { root, workspace, outside, secretFile, policy } = makeScene();
    const [store, other] = [join(workspace, 'store'), join(root, 'other')];
    mkdirSync(store);
    mkdirSync(other);
    writeFileSync(join(store, 'object'), 'object');
    writeFileSync(join(other, 'notes.txt'), outsideSecret);
    symlinkSync(outside, join(workspace, 'planted'));
    process.env['SECRET_OF_FORGE'] = outsideSecret;
    const bystander = spawn('sleep', ['1000'], { stdio: 'ignore' });
    onTestFinished(() => void bystander.kill('SIGKILL'));

    const command = shell(workspace, script, secretFile, store, String(bystander.pid));
    const result = await runProcess(
      jail.wrap({ ...command, limits: { timeMs: 30_000 } }, { ...policy, readable: [store] }),
    );

    expect(['exited', 'signalled']).toContain(result.end.status);
    expect(result.stdout.text).not.toMatch(/GOT/);
    expect(result.stdout.text + result.stderr.text).not.toContain(outsideSecret);
    expect({
      outside: readdirSync(outside),
      secret: readFileSync(secretFile, 'utf8'),
      notes: readFileSync(join(other, 'notes.txt'), 'utf8'),
      store: readdirSync(store),
      object: readFileSync(join(store, 'object'), 'utf8'),
      objectMode: lstatSync(join(store, 'object')).mode & 0o111,
      bystander: runs(bystander.pid ?? 0),
    }).toEqual({
      outside: ['secret.txt'],
      secret: outsideSecret,
      notes: outsideSecret,
      store: ['object'],
      object: 'object',
      objectMode: 0,
      bystander: true,
    });
  });
});
