/** The example design as a tree in memory, so that tests can change any file of it. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SourceTree } from '../../src/design/source-tree.ts';

const root = new URL('../../examples/design', import.meta.url).pathname;
export const designDir = 'docs/raw/design/2026-05-04-reading-list';
export const prdDir = 'docs/raw/prd/2026-04-20-reading-list';

export type Files = Readonly<Record<string, string>>;

export function exampleFiles(): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(root, name)).isFile(),
  );
  return Object.fromEntries(names.map((name) => [relative('.', name), readFileSync(join(root, name), 'utf8')]));
}

export function memoryTree(files: Files): SourceTree {
  return {
    read: (path) =>
      Object.hasOwn(files, path)
        ? { status: 'read', bytes: Buffer.from(files[path] ?? ''), mode: 0o644 }
        : { status: 'absent' },
    list: (path) => {
      const below = Object.keys(files).filter((name) => path === '.' || name.startsWith(`${path}/`));
      if (below.length === 0) return { status: 'absent' };
      const rest = below.map((name) => (path === '.' ? name : name.slice(path.length + 1)));
      const names = new Map(rest.map((name) => [name.split('/')[0] ?? '', name.includes('/')]));
      return {
        status: 'read',
        entries: [...names].map(([name, isDirectory]) => ({ name, kind: isDirectory ? 'directory' : 'file' })),
      };
    },
  };
}
