/** `npm run test:plugin`: installs Claude Code, then runs the plugin's suite on loopback. Arguments go to vitest. */
import { installClients } from '../clients/install.ts';
import { testOnLoopback } from '../clients/only-loopback.ts';

const files = process.argv.slice(2);

installClients(['claude']);
process.exitCode = testOnLoopback(files.length === 0 ? ['test/plugin', '--project', 'alone'] : files);
