/**
 * Copies an index without making it look newer than it is. Git takes a file for unchanged when size and times agree,
 * and looks at its content only if it is not older than the index: a copy with a later time would hide a change that
 * was made within the second in which the file was written.
 */
import { copyFile, stat, utimes } from 'node:fs/promises';

export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  // Rounded down: an index that seems older only makes git look at more files.
  const seconds = Math.floor(mtimeMs) / 1000;
  await utimes(to, seconds, seconds);
}
