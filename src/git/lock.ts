/**
 * One at a time, across processes of this machine. The lock is a file that names its holder; it appears complete, by
 * hard link, and the lock of a holder that is gone is taken over at once, so nobody waits for the dead. It only
 * saves double work: what is done under it must be right even if two were to do it.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, ownIdentity, sameHost } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/process.ts';

export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, JSON.stringify(ownIdentity()));
  try {
    await take(path, own);
    try {
      return await work();
    } finally {
      await rm(path, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

async function take(path: string, own: string): Promise<void> {
  for (;;) {
    try {
      await link(own, path);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isHeld(path)) await sleep(pauseMs);
    // Moved aside, not removed: only one of several waiters succeeds.
    else await rename(path, `${own}.stale`).then(() => rm(`${own}.stale`, { force: true }), () => undefined);
  }
}

const pauseMs = 50;

async function isHeld(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  try {
    const holder = JSON.parse(text) as ProcessIdentity;
    return !sameHost(holder) || isAlive(holder);
  } catch {
    return false;
  }
}
