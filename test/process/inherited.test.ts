/** What a program that Forge starts finds open: its standard streams, whatever was open where Forge was started. */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtFile } from '../../src/agents/built-file.ts';
import { runProcess } from '../../src/process/spawn.ts';
import { jailOfThisMachine, makeScene, outsideSecret, shell, temporaryDirectory } from './scene.ts';

const jail = await jailOfThisMachine();

/** The directory is listed through one more, which is the listing's own. */
const listing = 'for one in /proc/self/fd/*; do echo "${one##*/} $(readlink "$one")"; done';

/** Starts `ls /proc/self/fd` as Forge starts programs, from a process that was given a secret as descriptor 57. */
function listedFrom(spawnModule: string, close: boolean): string {
  const directory = temporaryDirectory();
  const secret = join(directory, 'secret.txt');
  writeFileSync(secret, outsideSecret);
  const program = `
    const { runProcess } = await import(${JSON.stringify(spawnModule)});
    const { closeInherited } = await import(${JSON.stringify(spawnModule.replace('spawn.js', 'inherited.js'))});
    if (${close}) closeInherited();
    const command = { program: '/bin/sh', args: ['-c', ${JSON.stringify(`${listing}; cat <&57`)}], cwd: '/', env: { PATH: '/usr/bin:/bin' } };
    const { stdout } = await runProcess(command);
    console.log(stdout.text);`;
  const start = 'exec 57<"$1"; exec "$2" --input-type=module -e "$3"';
  return execFileSync('/bin/bash', ['-c', start, 'sh', secret, process.execPath, program], { encoding: 'utf8' });
}

describe.skipIf(!existsSync('/bin/bash'))('a descriptor that was open where Forge was started', () => {
  const spawnModule = builtFile('process/spawn.js');

  test('does not reach what it starts', () => {
    const listed = listedFrom(spawnModule, false);
    expect(listed).not.toContain(outsideSecret);
    expect(listed).not.toContain('secret.txt');
    expect(listed).toMatch(/^57 \/dev\/null$/m);
  });

  test('is closed by the program itself', () => {
    expect(listedFrom(spawnModule, true)).not.toMatch(/^57 /m);
  });
});

test.skipIf(jail === undefined)('a contained program has its standard streams and no file of Forge', async () => {
  if (jail === undefined) return;
  const { workspace, policy } = makeScene();
  const { stdout } = await runProcess(jail.wrap(shell(workspace, 'ls -l /proc/self/fd'), policy));
  const links = Array.from(
    stdout.text.matchAll(/(\d+) -> (\S+)/g),
    ([, descriptor, target]) => `${descriptor} ${target}`,
  );
  const kinds = links.map((line) => line.replace(/\[\d+\]/, '')).filter((line) => !/^\d+ \/proc\//.test(line));
  const beyond = kinds.filter((line) => !/^[012] /.test(line));
  expect(kinds.filter((line) => /^[012] /.test(line))).toEqual(['0 /dev/null', '1 socket:', '2 socket:']);
  // What this test process itself inherited is covered.
  expect(beyond.every((line) => line.endsWith(' /dev/null'))).toBe(true);
});
