/**
 * Every test file has a home of its own: nothing a test does reaches the settings, runs and caches of the account that
 * runs it. Loaded before each file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const home = mkdtempSync(join(tmpdir(), 'forge-home-'));
// Programs that tests download once are kept where they were.
process.env['XDG_CACHE_HOME'] ??= join(homedir(), '.cache');
process.env['HOME'] = home;
for (const name of ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'FORGE_STATE_DIR']) delete process.env[name];
const owner = process.getuid?.();
afterAll(() => {
  // A test that gave its rights away can not remove what it had before: the system's own cleaning does.
  if (process.getuid?.() === owner) rmSync(home, { recursive: true, force: true });
});
