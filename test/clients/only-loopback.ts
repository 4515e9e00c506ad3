/**
 * Slow tests with real clients, run where only loopback exists. bubblewrap makes that place, as it makes every jail, so
 * nothing else is needed. Clients are installed before, while there is a network.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { clientsFolder } from './install.ts';

const root = resolve(import.meta.dirname, '../../..');
const vitest = resolve(root, 'node_modules/vitest/vitest.mjs');

/** The exit code of vitest. Files are as vitest takes them. */
export function testOnLoopback(files: readonly string[]): number {
  const place = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--chdir', root, '--'];
  const env = { ...process.env, FORGE_TESTS: 'slow', FORGE_CLIENTS: clientsFolder() };
  const command = [process.execPath, vitest, 'run', ...files];
  const { status, error } = spawnSync('bwrap', [...place, ...command], { stdio: 'inherit', env });
  if (error !== undefined) throw error;
  return status ?? 1;
}
