/**
 * Refs of runs as they lie on disk: one file each, or a line of `packed-refs`. A file counts more than a line. Files are
 * read first, because git writes the line before it removes the file. Anything that is not a plain id, and any other way
 * of keeping refs, is left to git.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from './git.ts';
import type { Ref } from './refs.ts';

/** Undefined where git has to be asked. In the order of their names. */
export async function readRefFiles({ gitDir }: Repository, prefix: string): Promise<readonly Ref[] | undefined> {
  try {
    if (await exists(join(gitDir, 'reftable'))) return undefined;
    const found = new Map<string, string>();
    for (const name of await filesBelow(join(gitDir, prefix))) {
      if (name.endsWith('.lock')) continue;
      const text = (await readFile(join(gitDir, prefix, name), 'latin1')).trimEnd();
      if (!isId.test(text)) return undefined;
      found.set(`${prefix}${name}`, text);
    }
    for (const { ref, commit } of await readPacked(join(gitDir, 'packed-refs')))
      if (ref.startsWith(prefix) && !found.has(ref)) found.set(ref, commit);
    return [...found].map(([ref, commit]) => ({ ref, commit })).sort((a, b) => (a.ref < b.ref ? -1 : 1));
  } catch {
    // Somebody removed one while it was read.
    return undefined;
  }
}

const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.replace(/\/+$/, '').length + 1));
}

interface PackedRefs {
  readonly stamp: string;
  readonly refs: readonly Ref[];
}

/** Of each repository the lines of runs, for as long as the file is the same. */
const packed = new Map<string, PackedRefs>();

async function readPacked(file: string): Promise<readonly Ref[]> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found === undefined) return [];
  const stamp = `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  const known = packed.get(file);
  if (known?.stamp === stamp) return known.refs;
  const refs: Ref[] = [];
  for (const [, commit = '', ref = ''] of (await readFile(file, 'utf8')).matchAll(/^([0-9a-f]+) (refs\/forge\/.+)$/gm))
    refs.push({ ref, commit });
  packed.set(file, { stamp, refs });
  return refs;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
