/**
 * Answers of git about objects named by their full ids. Such an answer never changes, so it is asked for once and kept,
 * up to a bound on bytes; whoever asks while it is on its way waits for the same process. Anything that a ref, a path on
 * disk or a setting could change does not come here: arguments without a full id are always asked anew.
 */
import type { Buffer } from 'node:buffer';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { isObjectName } from './object-reader.ts';
import { git } from './run-git.ts';

/** For all repositories of the process together. */
const mostBytes = 16 * 1024 * 1024;
/** A larger one is not worth its room. */
const largestBytes = 4 * 1024 * 1024;

const kept = new Map<string, Promise<Buffer>>();
const sizes = new Map<string, number>();
let total = 0;

/** `revisions` come last and decide whether the answer can be kept: `<id>`, or `<id>^{tree}`. */
export async function answerAbout(
  repo: Repository,
  args: readonly string[],
  revisions: readonly string[],
): Promise<Buffer> {
  const ask = async (): Promise<Buffer> => (await git([...args, ...revisions], objectCall(repo))).stdout;
  return revisions.every(isObjectName) ? keepAnswer(repo, [...args, ...revisions], ask) : ask();
}

/** An answer that is about nothing but the objects named in its question. */
export async function keepAnswer(
  repo: Repository,
  question: readonly string[],
  ask: () => Promise<Buffer>,
): Promise<Buffer> {
  const key = JSON.stringify([objectCall(repo), question]);
  const known = kept.get(key);
  if (known !== undefined) {
    // The one that was used last is dropped last.
    kept.delete(key);
    kept.set(key, known);
    return known;
  }
  const asking = ask();
  kept.set(key, asking);
  try {
    keep(key, (await asking).length);
  } catch (error) {
    kept.delete(key);
    throw error;
  }
  return asking;
}

function keep(key: string, bytes: number): void {
  const size = bytes + key.length;
  if (size > largestBytes) {
    kept.delete(key);
    return;
  }
  sizes.set(key, size);
  total += size;
  for (const oldest of kept.keys()) {
    if (total <= mostBytes) return;
    const held = sizes.get(oldest);
    // On its way: it is counted when it is there.
    if (held === undefined) continue;
    kept.delete(oldest);
    sizes.delete(oldest);
    total -= held;
  }
}
