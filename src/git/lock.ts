/**
 * One at a time, across processes of this machine. Everyone who wants in puts down a claim under a name of its own,
 * then looks: any other living claim means stepping back. Of two, at least the later one sees the other, so two are
 * never in. Claims of processes that are gone count for nothing, so nobody waits for the dead.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, ownIdentity, sameHost } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/process.ts';

export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const claim = await enter(path);
  try {
    return await work();
  } finally {
    await rm(claim, { force: true });
  }
}

async function enter(path: string): Promise<string> {
  const claim = `${path}.${randomUUID()}`;
  for (;;) {
    if (!(await isTaken(path, claim))) {
      await writeFile(`${path}-${basename(claim)}`, JSON.stringify(ownIdentity()));
      await rename(`${path}-${basename(claim)}`, claim);
      if (!(await isTaken(path, claim))) return claim;
      await rm(claim);
    }
    // Of different length, so that two who met do not meet for ever.
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}

const pauseMs = 40;

async function isTaken(path: string, claim: string): Promise<boolean> {
  const names = await readdir(dirname(path));
  for (const name of names) {
    const other = join(dirname(path), name);
    if (!name.startsWith(`${basename(path)}.`) || other === claim) continue;
    if (await isHeld(other)) return true;
    await rm(other, { force: true });
  }
  return false;
}

/** How long a claim of another machine counts, which can not be asked whether it lives. */
const foreignMs = 60 * 60_000;

async function isHeld(claim: string): Promise<boolean> {
  try {
    const holder = JSON.parse(await readFile(claim, 'utf8')) as ProcessIdentity;
    if (sameHost(holder)) return isAlive(holder);
    return Date.now() - (await stat(claim)).mtimeMs < foreignMs;
  } catch (error) {
    // Given up meanwhile, or garbage. Anything else must not make a living claim look dead.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
