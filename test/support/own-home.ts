/**
 * Every test file has a home of its own: nothing a test does reaches the settings, runs and caches of the account that
 * runs it. Loaded before each file, also where files share a process.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { tidyFile } from './after-file.ts';
import { tempDir } from './temp.ts';

const owner = process.getuid?.();
// Programs that tests download once are kept where they were.
process.env['XDG_CACHE_HOME'] ??= join(homedir(), '.cache');
process.env['HOME'] = tempDir('forge-home');
for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'FORGE_STATE_DIR']) delete process.env[name];
afterAll(async () => {
  // A test that gave its rights away cannot remove what it had before: the system's own cleaning does.
  if (process.getuid?.() === owner) await tidyFile();
});
