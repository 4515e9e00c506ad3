import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findGroupPlaces } from '../../src/process/control-group-places.ts';
import { openJail } from '../../src/process/open-jail.ts';
import { runProcess } from '../../src/process/spawn.ts';
import { jailOfThisMachine, makeScene, shell, temporaryDirectory } from './scene.ts';

const jail = await jailOfThisMachine();

function fakeBwrap(script: string): string {
  const program = join(temporaryDirectory(), 'bwrap');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return program;
}

describe('openJail', () => {
  test.skipIf(jail === undefined)('opens bubblewrap where a program can really be contained', async () => {
    const opened = await openJail({ mode: 'auto' });
    const user = process.getuid?.() === 0 ? { user: 65_534 } : {};
    const limitsHeldBy = findGroupPlaces() === undefined ? 'watching' : 'kernel';
    expect(opened).toEqual({ jail: { name: 'bubblewrap', ...user, limitsHeldBy, wrap: expect.any(Function) } });
  });

  test('none comes with a notice, and only with a private HOME and TMPDIR', async () => {
    const { workspace, outside, policy } = makeScene();
    const opened = await openJail({ mode: 'none' });
    expect(opened).toEqual({
      jail: { name: 'none', wrap: expect.any(Function) },
      notice: expect.stringContaining('No jail'),
    });
    const command = shell(workspace, 'echo "$HOME $TMPDIR"; touch "$1/written"', outside);
    const wrapped = opened.jail.wrap(command, policy);
    expect(wrapped).toEqual({ ...command, env: { ...command.env, HOME: policy.home, TMPDIR: policy.tmp } });
    expect(await runProcess(wrapped)).toMatchObject({
      end: { status: 'exited', code: 0 },
      stdout: { text: `${policy.home} ${policy.tmp}\n` },
    });
  });

  test.runIf(process.platform === 'linux')('says that bubblewrap is missing', async () => {
    await expect(openJail({ mode: 'auto', program: '/no/such/bwrap' })).rejects.toMatchObject({
      code: 'jail-unavailable',
      message: 'bubblewrap (bwrap) is not installed',
      hint: expect.stringContaining('apt install bubblewrap'),
    });
  });

  test.runIf(process.platform === 'linux')('says what bubblewrap said', async () => {
    const program = fakeBwrap('echo "bwrap: the moon is wrong" >&2; exit 1');
    await expect(openJail({ mode: 'auto', program })).rejects.toMatchObject({
      code: 'jail-unavailable',
      message: 'bubblewrap is installed but could not start a program: bwrap: the moon is wrong',
    });
  });

  test.skipIf(jail === undefined)('loses only the network policy off where `unshare` is not allowed', async () => {
    const { workspace, policy } = makeScene();
    // Told from the inside: bubblewrap after `unshare` is no longer in the network namespace of this test.
    const program = fakeBwrap(
      `[ "$(readlink /proc/self/ns/net)" = "$(readlink /proc/${process.pid}/ns/net)" ] || { echo "not allowed" >&2; exit 1; }; exec bwrap "$@"`,
    );
    const opened = await openJail({ mode: 'auto', program });
    const command = shell(workspace, 'exit 5');
    expect((await runProcess(opened.jail.wrap(command, policy))).end).toEqual({ status: 'exited', code: 5 });
    expect(() => opened.jail.wrap(command, { ...policy, network: 'off' })).toThrow(
      'the network policy `off` does not work here: not allowed',
    );
  });
});
