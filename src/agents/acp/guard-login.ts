/**
 * A login that is mounted must be writable, because tokens are refreshed; what in its directory would run in or instruct
 * the person's own sessions must not come from a job. What exists is mounted read-only; what did not exist, or was a
 * link, is put back as it was when the job is over, and the person is told.
 */
import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

export interface LoginGuard {
  /** To be mounted read-only within the directory. */
  readonly readOnly: readonly string[];
  /** Puts back what was added or redirected; names what that was. */
  restore(): readonly string[];
}

export function guardLogin(directory: string, entries: readonly string[]): LoginGuard {
  const before = entries.map((entry) => ({ path: join(directory, entry), was: look(join(directory, entry)) }));
  return {
    readOnly: before.filter(({ was }) => was === 'plain').map(({ path }) => path),
    restore() {
      const changed = before.filter(({ path, was }) => was !== 'plain' && look(path) !== was);
      for (const { path, was } of changed) {
        rmSync(path, { recursive: true, force: true });
        if (was !== undefined) symlinkSync(was.slice(linkMark.length), path);
      }
      return changed.map(({ path }) => path);
    },
  };
}

const linkMark = 'link:';

/** `plain`, where a link leads, or undefined when nothing is there. */
function look(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return found.isSymbolicLink() ? `${linkMark}${readlinkSync(path)}` : 'plain';
}
