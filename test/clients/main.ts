/**
 * `npm run test:clients`: installs the clients, then runs their suite where only loopback exists. bubblewrap makes that
 * place, as it makes every jail, so nothing else is needed. Arguments go to vitest.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { clientsFolder, installClients } from './install.ts';

const root = resolve(import.meta.dirname, '../../..');
const vitest = resolve(root, 'node_modules/vitest/vitest.mjs');
const files = process.argv.slice(2);

installClients();
const { status, error } = spawnSync(
  'bwrap',
  [
    ...['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--chdir', root, '--'],
    ...[process.execPath, vitest, 'run', ...(files.length === 0 ? ['test/clients'] : files)],
  ],
  { stdio: 'inherit', env: { ...process.env, FORGE_TESTS: 'slow', FORGE_CLIENTS: clientsFolder() } },
);
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
