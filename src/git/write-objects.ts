/**
 * Writes objects into the user's store without a process per object: the same loose files that git writes, on disk
 * before their name is known to anybody. What an object names has to be there already; then nothing that git would
 * refuse can be made here. An object that is there is left as it is.
 */
import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { ForgeError } from '../errors.ts';
import type { Repository } from './git.ts';
import { readObjectInfo } from './object-reader.ts';

export type ObjectType = 'blob' | 'tree' | 'commit';

export interface NewObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

const compress = promisify(deflate);

/** The id that git gives to an object. */
export function objectId({ objectFormat }: Pick<Repository, 'objectFormat'>, { type, content }: NewObject): string {
  return createHash(objectFormat).update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/** Answers its id, once it is on disk. */
export async function writeObject(repo: Repository, object: NewObject): Promise<string> {
  const id = objectId(repo, object);
  const directory = join(repo.objectsDir, id.slice(0, 2));
  const place = join(directory, id.slice(2));
  // One that nobody names yet could be old enough to be pruned: git makes it young again, too.
  const now = new Date();
  if (await utimes(place, now, now).then(yes, no)) return id;
  const { type, content } = object;
  // Git writes them at this level.
  const text = await compress(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]), { level: 1 });
  await makeDirectory(repo, directory);
  // By this name `git prune` knows what was left by somebody who was killed.
  const part = join(directory, `tmp_obj_${randomUUID().slice(0, 12)}`);
  const file = await open(part, 'wx', 0o444);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  try {
    await link(part, place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(part, { force: true });
  }
  noteMade(repo, id);
  return id;
}

/** Was it made by this process, and not there before? Then no ref reached it when it was made. */
export function wasMadeHere({ objectsDir }: Repository, id: string): boolean {
  return madeHere.has(`${id} ${objectsDir}`);
}

const madeHere = new Set<string>();
const mostRemembered = 1000;

function noteMade({ objectsDir }: Repository, id: string): void {
  madeHere.add(`${id} ${objectsDir}`);
  const [oldest] = madeHere;
  if (madeHere.size > mostRemembered && oldest !== undefined) madeHere.delete(oldest);
}

/** Refuses to go on where one of these is not there, or is something else. */
export async function requireObjects(repo: Repository, ids: readonly string[], type: ObjectType): Promise<void> {
  const wanted = [...new Set(ids)];
  for (const [place, info] of (await readObjectInfo(repo, wanted)).entries()) {
    if (info?.type === type) continue;
    const id = wanted[place] ?? '';
    throw new ForgeError('git-failed', `${id} is ${info === undefined ? 'not in the repository' : `no ${type}`}`);
  }
}

/** Whoever may write into the store may write into its parts. */
async function makeDirectory({ objectsDir }: Repository, directory: string): Promise<void> {
  const made = await mkdir(directory).then(yes, (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return false;
    throw error;
  });
  if (!made) return;
  const { mode } = await stat(objectsDir);
  const handle = await open(directory);
  try {
    await handle.chmod(mode & 0o7777);
  } finally {
    await handle.close();
  }
}

const yes = (): boolean => true;
const no = (): boolean => false;
