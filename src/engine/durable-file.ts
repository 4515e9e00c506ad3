/** Small files that must be whole or absent, whatever dies: written aside, fsynced, renamed, directory fsynced. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeDurably(file: string, content: string): void {
  const aside = `${file}.${process.pid}.tmp`;
  const fd = openSync(aside, 'w', 0o600);
  try {
    writeSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(aside, file);
  syncDirectory(file);
}

/** Makes a rename, link or creation of `file` itself durable. */
export function syncDirectory(file: string): void {
  const fd = openSync(dirname(file), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
