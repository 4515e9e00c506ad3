/** Temporary directories that go when the test file ends. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';

export function tempDir(name = 'forge-test'): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  afterFile(() => removeAll(directory));
  return directory;
}

function removeAll(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // A test closed directories that are not empty.
    execFileSync('chmod', ['-R', 'u+rwX', directory]);
    rmSync(directory, { recursive: true, force: true });
  }
}
