/**
 * Result files that a command line names (`--junitxml=out.xml`), read after the command has ended. The code under test
 * had the tree to itself, so nothing is followed: every directory on the way is real, the file is a plain one, written
 * during this run and small.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { hasRealParents } from '../git/confined.ts';

export interface ResultFile {
  readonly path: string;
  readonly content: string;
}

export interface ResultPlace {
  readonly tree: string;
  readonly cwd: string;
  readonly argv: readonly string[];
  /** Milliseconds; older files are not of this run. */
  readonly since: number;
}

export async function readResultFiles(place: ResultPlace): Promise<readonly ResultFile[]> {
  const found: ResultFile[] = [];
  for (const named of namedFiles(place.argv)) {
    const path = posix.normalize(posix.join(place.cwd, named));
    const content = await readConfined(place, path).catch(() => undefined);
    if (content !== undefined) found.push({ path, content });
  }
  return found;
}

/** Paths below the working directory that an argument list says results go to. Pure. */
export function namedFiles(argv: readonly string[]): readonly string[] {
  const files = argv.flatMap((word, index) => {
    const [, flag = '', value] = /^(--?[\w.-]+)(?:=(.*))?$/s.exec(word) ?? [];
    return flags.has(flag) ? [value ?? argv[index + 1] ?? ''] : [];
  });
  return [...new Set(files.filter((file) => /\.(?:xml|json)$/.test(file) && !posix.isAbsolute(file)))].slice(0, 8);
}

const flags = new Set([
  '--junitxml',
  '--junit-xml',
  '--outputFile',
  '--outputFile.json',
  '--outputFile.junit',
  '--test-reporter-destination',
]);

const maxBytes = 8 * 1024 * 1024;

async function readConfined({ tree, since }: ResultPlace, path: string): Promise<string | undefined> {
  if (path.startsWith('..') || !(await hasRealParents(tree, path))) return undefined;
  const file = await open(join(tree, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    // A second of slack: file systems round.
    if (!found.isFile() || found.size > maxBytes || found.mtimeMs < since - 1000) return undefined;
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
