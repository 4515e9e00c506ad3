/**
 * Locks that a git of ours left when it was killed in the middle of moving refs. Removed only if the operation says that
 * these refs were being moved, the lock is younger than the operation, what it holds is what the operation would have
 * written, and nobody has touched it for a while: a lock of somebody else's is never removed.
 */
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Repository } from './git.ts';
import type { OperationRecord } from './operation-file.ts';

export async function releaseAbandonedLocks(repo: Repository, operation: OperationRecord): Promise<void> {
  const { moves, ownRefs, checkouts } = operation;
  const heads = [repo.gitDir, repo.checkoutGitDir, ...checkouts.map(({ gitDir }) => gitDir)];
  const locks = [
    ...[...moves, ...ownRefs].map(({ ref, after }) => ({ file: join(repo.gitDir, `${ref}.lock`), text: after })),
    ...[...new Set(heads)].map((gitDir) => ({ file: join(gitDir, 'HEAD.lock'), text: undefined })),
    { file: join(repo.gitDir, 'packed-refs.lock'), text: undefined },
  ];
  for (const { file, text } of locks) {
    const first = await lookAt(file);
    if (first === undefined || first.mtimeMs < operation.startedAt - clockSlackMs) continue;
    if (first.content !== '' && first.content.trim() !== text) continue;
    await sleep(quietMs);
    const again = await lookAt(file);
    if (again?.ino === first.ino && again.mtimeMs === first.mtimeMs) await rm(file, { force: true });
  }
}

/** Refs are locked for milliseconds. */
const quietMs = 1000;
const clockSlackMs = 2000;

async function lookAt(file: string) {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  return { ino: found.ino, mtimeMs: found.mtimeMs, content: await readFile(file, 'latin1').catch(() => '?') };
}
