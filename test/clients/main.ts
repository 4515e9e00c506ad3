/** `npm run test:clients`: installs the clients, then runs their suite on loopback. Arguments go to vitest. */
import { installClients } from './install.ts';
import { testOnLoopback } from './only-loopback.ts';

const files = process.argv.slice(2);

installClients();
process.exitCode = testOnLoopback(files.length === 0 ? ['test/clients', '--project', 'alone'] : files);
