/** What a policy hides looks empty and cannot be written, and stays as it is outside. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJail } from '../../src/process/open-jail.ts';
import { startProcess } from '../../src/process/spawn.ts';
import { tempDir } from '../support/temp.ts';

const opened = await openJail({ mode: 'auto' }).catch(() => undefined);

it.skipIf(opened === undefined)('hides directories and files that are there, and minds none that is not', async () => {
  const area = tempDir('forge-hidden');
  const [tree, home, tmp] = ['tree', 'home', 'tmp'].map((name) => join(area, name)) as [string, string, string];
  for (const directory of [join(tree, '.orders'), home, tmp]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(tree, '.orders', 'hook'), 'run me');
  writeFileSync(join(tree, 'orders.json'), 'run me');
  const look = 'ls -A .orders; cat orders.json; echo x > .orders/new || echo refused; echo x > own && echo wrote';
  const hidden = ['.orders', 'orders.json', 'missing'].map((name) => join(tree, name));
  const policy = { writable: [tree], readable: [], hidden, home, tmp, network: 'loopback' } as const;
  const command = { program: '/bin/sh', args: ['-c', look], cwd: tree, env: { PATH: '/usr/bin:/bin' } };
  const running = await startProcess((opened as NonNullable<typeof opened>).jail.wrap(command, policy));
  const { stdout } = await running.result;
  expect(stdout.text).toBe('refused\nwrote\n');
  expect(readFileSync(join(tree, '.orders', 'hook'), 'utf8')).toBe('run me');
});
