/** Temporary directories that go when the test file ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

export function tempDir(name = 'forge-test'): string {
  const directory = mkdtempSync(join(tmpdir(), `${name}-`));
  made.push(directory);
  return directory;
}

afterAll(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});
