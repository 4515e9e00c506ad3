/**
 * Pipes in places that git opens: ignore and attribute files anywhere in a checkout, and everything in a git directory. git
 * waits for ever for somebody to write to one. Looked for only once a git command takes long; bounded. Only reads.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const opened = new Set(['.gitignore', '.gitattributes', '.gitmodules', '.mailmap', '.git']);
const mostDirectories = 50_000;

export interface GitPlaces {
  readonly root: string | undefined;
  readonly gitDir: string | undefined;
}

/** The first one that is found, as a path. */
export async function findPlantedPipe({ root, gitDir }: GitPlaces): Promise<string | undefined> {
  const inGit = gitDir === undefined ? undefined : await search(gitDir, () => true);
  if (inGit !== undefined || root === undefined) return inGit;
  return search(root, (name) => opened.has(name), gitDir);
}

async function search(top: string, isOpened: (name: string) => boolean, leftOut?: string): Promise<string | undefined> {
  const open = [top];
  for (let seen = 0; seen < mostDirectories; seen += 1) {
    const directory = open.shift();
    if (directory === undefined) return undefined;
    const entries: readonly Dirent[] = await readdir(directory, { withFileTypes: true }).catch(() => []);
    const pipe = entries.find((entry) => entry.isFIFO() && isOpened(entry.name));
    if (pipe !== undefined) return join(directory, pipe.name);
    const inside = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
    open.push(...inside.filter((path) => path !== leftOut));
  }
  return undefined;
}
