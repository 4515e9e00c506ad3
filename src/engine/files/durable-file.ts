/** Small files that must be whole or absent, whatever dies: written aside, fsynced, renamed, directory fsynced. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeDurably(file: string, content: string): void {
  const aside = `${file}.${process.pid}.tmp`;
  writeSynced(aside, content);
  renameSync(aside, file);
  syncDirectory(file);
}

/** The content is on disk when this returns; the name is not yet. */
export function writeSynced(file: string, content: string): void {
  const fd = openSync(file, 'w', 0o600);
  try {
    writeFileSync(fd, content);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a rename, link or creation of `file` itself durable. */
export function syncDirectory(file: string): void {
  syncFile(dirname(file));
}

export function syncFile(file: string): void {
  const fd = openSync(file, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
