/**
 * After a take-over from another host the run goes on in a new file, so that a holder that wakes up finds
 * another inode and stops. The old file stays beside it. There is a journal at every moment, and a move that
 * was cut off is finished by whoever comes next.
 */
import { copyFileSync, existsSync, linkSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory, syncFile } from './durable-file.ts';

/** `epoch` is that of the take-over: the second call for it does nothing. */
export function moveJournal(directory: string, epoch: number): void {
  const file = join(directory, 'journal.jsonl');
  const old = join(directory, `journal.before-${epoch}.jsonl`);
  if (!existsSync(old)) linkSync(file, old);
  if (statSync(old).ino !== statSync(file).ino) return;
  // The old holder may have written while it was copied; once the copy is in place it cannot any more.
  do {
    copyFileSync(old, `${file}.tmp`);
    syncFile(`${file}.tmp`);
    renameSync(`${file}.tmp`, file);
  } while (statSync(old).size !== statSync(file).size);
  syncDirectory(file);
}
