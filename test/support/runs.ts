/** Where the runs of a repository are, as a person with that home would look for them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A path that does not exist as long as Forge never looked at the repository. */
export function runsDirectory(root: string, home = process.env['HOME'] ?? ''): string {
  const file = join(root, '.git/forge/repository-id');
  const id = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'none';
  return join(home, '.local/state/forge/repositories', id, 'runs');
}
