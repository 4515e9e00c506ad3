/**
 * What is left when Forge itself is killed with SIGKILL. A small host program stands for Forge: it starts the command it
 * is given as `spawn.ts` does (own session, pipes) and waits. What it starts leaves its session and all its parents.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { identifyProcess, isAlive } from '../../src/process/identity.ts';
import type { Command, ProcessIdentity } from '../../src/process/process.ts';
import { listProcesses } from '../../src/process/process-table.ts';
import { startProcess } from '../../src/process/spawn.ts';
import { killTree } from '../../src/process/tree.ts';
import { jailOfThisMachine, makeScene, shell, until } from './scene.ts';

const jail = await jailOfThisMachine();

const host = `
  const { program, args, cwd, env, before = [], inputs = [] } = JSON.parse(process.argv[1]);
  const { spawn, spawnSync } = require('node:child_process');
  const fs = require('node:fs');
  for (const step of before) spawnSync(step.program, step.args);
  const files = inputs.map((bytes, index) => {
    const path = require('node:path').join(env.TMPDIR, 'input' + index);
    fs.writeFileSync(path, Buffer.from(Object.values(bytes.data ?? bytes)));
    return fs.openSync(path);
  });
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', ...files] });
  child.stdout.resume(); child.stderr.pipe(process.stderr);
  console.log(child.pid); setInterval(() => {}, 1000);`;

/** Twice forked, in a session of its own, with nothing open, writing forever. */
const outliving = `setsid sh -c '(exec setsid sh -c "while :; do echo x >> beat; sleep 0.005; done" beating) > /dev/null 2>&1 < /dev/null & exit 0' ; exec sleep 1000`;

async function killHost(command: Command): Promise<{ readonly started: ProcessIdentity | undefined }> {
  const forge = spawn(process.execPath, ['-e', host, '--', JSON.stringify(command)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void forge.kill('SIGKILL'));
  const [line] = (await once(forge.stdout, 'data')) as [Buffer];
  const started = identifyProcess(Number(line.toString()));
  onTestFinished(() => (started === undefined ? undefined : killTree(started, 0)));
  await until('it beats', () => beats(command) > 3);
  forge.kill('SIGKILL');
  await once(forge, 'exit');
  return { started };
}

function beats(command: Command): number {
  try {
    return readFileSync(join(command.env['MARK'] ?? '', 'beat')).length;
  } catch {
    return 0;
  }
}

/** The processes that beat in this workspace. What is contained is visible from here too. */
function beating(workspace: string): readonly number[] {
  return listProcesses().flatMap(({ pid, running }) => {
    try {
      const isBeat = readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith('\0beating\0');
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`MARK=${workspace}\0`);
      return running && isBeat && isOurs ? [pid] : [];
    } catch {
      return [];
    }
  });
}

function marked(workspace: string): Command {
  const command = shell(workspace, outliving);
  return { ...command, env: { ...command.env, MARK: workspace } };
}

describe('a process that left its session and its parents', () => {
  test('survives without a jail, even a kill of the tree: the hazard', async () => {
    const { workspace } = makeScene();
    const command = marked(workspace);
    const { started } = await killHost(command);
    if (started !== undefined) await killTree(started, 0);
    const [survivor] = beating(workspace);
    onTestFinished(() => void (survivor === undefined || process.kill(survivor, 'SIGKILL')));
    const before = beats(command);
    await until('it still beats', () => beats(command) > before);
    expect(beating(workspace)).toEqual([survivor]);
  });

  test.skipIf(jail === undefined).each(['on', 'loopback', 'off'] as const)(
    'does not survive in a jail (network %s), though nobody is left to kill it',
    async (network) => {
      if (jail === undefined) return;
      const { workspace, policy } = makeScene();
      const command = jail.wrap(marked(workspace), { ...policy, network });
      const { started } = await killHost(command);
      await until('the frame is gone', () => started !== undefined && !isAlive(started));
      await until('it is gone', () => beating(workspace).length === 0);
      const before = beats(command);
      await sleep(50);
      expect(beats(command)).toBe(before);
    },
  );

  test.skipIf(jail === undefined)('is ended with its jail by whoever finds the orphan', async () => {
    if (jail === undefined) return;
    const { workspace, policy } = makeScene();
    const command = jail.wrap(marked(workspace), policy);
    const { identity } = await startProcess(command);
    await until('it beats', () => beats(command) > 3);
    await killTree(identity, 0);
    expect(beating(workspace)).toEqual([]);
  });
});
