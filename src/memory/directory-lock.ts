/**
 * Takes turns at a directory of small files: a lock file that exists while someone writes there. The holder is named in
 * it, so that the lock of a process that died is taken away; one of another machine is given time. Held for
 * milliseconds; whoever can not get it in time gets a failure, and nothing was changed.
 */
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A holder that is older than this is gone, wherever it ran. */
const staleMs = 30_000;
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
  const [content, found] = await Promise.all([
    readFile(lock, 'utf8').catch(() => ''),
    stat(lock).catch(() => undefined),
  ]);
  if (found === undefined) return true;
  if (Date.now() - found.mtimeMs < staleMs && !isDead(content)) return false;
  const away = `${lock}.${process.pid}`;
  try {
    await rename(lock, away);
    if ((await stat(away)).ino !== found.ino) await link(away, lock);
  } catch {
    // Somebody else was quicker, which is as good.
  }
  await rm(away, { force: true });
  return true;
}

function isDead(content: string): boolean {
  try {
    const { host, pid } = JSON.parse(content) as { host?: unknown; pid?: unknown };
    if (host !== hostname() || typeof pid !== 'number') return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
