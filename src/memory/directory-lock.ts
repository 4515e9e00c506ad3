/**
 * Takes turns at a directory of small files: a lock file that exists while someone writes there. The holder is named in
 * it, so that the lock of a process that died is taken away; one of another machine is given time. Held for
 * milliseconds; whoever can not get it in time gets a failure, and nothing was changed.
 */
import { link, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfined } from '../files/confined.ts';

/** A holder that is older than this is gone if nobody can look, and one of this machine that seems alive is another. */
const staleMs = 30_000;
const longestMs = 10 * 60_000;
const patienceMs = 10_000;
const pauseMs = 10;

export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const lock = join(directory, '.lock');
  const holder = JSON.stringify({ host: hostname(), pid: process.pid });
  for (let waited = 0; waited <= patienceMs; waited += pauseMs) {
    try {
      await writeFile(lock, holder, { flag: 'wx' });
      return async () => rm(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (!(await removeStale(lock))) await pause(pauseMs);
  }
  throw new Error(`another process holds ${lock}`);
}

/**
 * Moved away under a name of its own first, so that of two who find it stale only one removes it; a lock that turns
 * out to be another one by then is put back.
 */
async function removeStale(lock: string): Promise<boolean> {
  const found = await lstat(lock).catch(() => undefined);
  if (found === undefined) return true;
  const held = readConfined(dirname(lock), basename(lock), 1000);
  // Who holds a lock wrote a plain file: a link or a pipe was put there by somebody else.
  const content = held.status === 'read' ? held.bytes.toString('utf8') : '';
  const age = Date.now() - found.mtimeMs;
  const holder = holderOf(content);
  if (held.status !== 'refused' && holder !== 'dead' && age < (holder === 'alive' ? longestMs : staleMs)) return false;
  const away = `${lock}.${process.pid}`;
  try {
    await rename(lock, away);
    if ((await lstat(away)).ino !== found.ino) await link(away, lock);
  } catch {
    // Somebody else was quicker, which is as good.
  }
  await rm(away, { force: true });
  return true;
}

function holderOf(content: string): 'alive' | 'dead' | 'unknown' {
  try {
    const { host, pid } = JSON.parse(content) as { host?: unknown; pid?: unknown };
    if (host !== hostname() || typeof pid !== 'number') return 'unknown';
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'dead' : 'unknown';
  }
}
