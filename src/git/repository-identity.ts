/**
 * Which repository this is, whatever its path: a random id in its own git directory, which no clone contains and which
 * moves along. A clone without an id takes over the runs of an earlier clone only when that one is gone and this one
 * comes from the same place; a copy of a repository that is still there gets an id of its own. So the runs of one
 * clone are never acted on from another, and what is elsewhere is listed with its place.
 */
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { readConfined, writeConfined } from '../files/confined.ts';
import type { OtherClone, Repository } from './git.ts';
import { refComponent } from './ref-name.ts';
import { git, type GitCall } from './run-git.ts';
import {
  listRecords,
  readId,
  readRecord,
  repositoryFolder,
  type RepositoryRecord,
  idFile,
  writeRecord,
} from './state-dir.ts';

type Place = Pick<Repository, 'root' | 'gitDir' | 'head'>;

export interface RepositoryIdentity {
  readonly id: string;
  /** Where this repository's runs are. */
  readonly folder: string;
}

export async function identifyRepository(place: Place, stateDir: string): Promise<RepositoryIdentity> {
  const known = readId(place.gitDir);
  const own = known === undefined ? undefined : await confirmed(place, stateDir, known);
  if (own !== undefined) return { id: own, folder: repositoryFolder(stateDir, own) };
  const heir = known === undefined ? await earlierClone(place, stateDir) : undefined;
  const id = writeId(place.gitDir, heir?.id ?? newId(place.gitDir), known);
  if (heir !== undefined && id === heir.id) writeRecord(stateDir, movedTo(heir, place));
  return { id, folder: repositoryFolder(stateDir, id) };
}

/** Other clones that had runs, the newest use first. Looks at every repository in the state directory. */
export async function findOtherClones(place: Place, stateDir: string, own: string): Promise<readonly OtherClone[]> {
  const others = (await relatives(place, stateDir)).filter(({ id }) => id !== own);
  return others.map(({ id, root, gitDir }) => {
    return { id, root, stateFolder: repositoryFolder(stateDir, id), isThere: readId(gitDir) === id };
  });
}

/** Written before the first run: from then on the runs can be found again. */
export async function recordRepository(place: Place, stateDir: string, id: string): Promise<void> {
  if (readRecord(stateDir, id)?.gitDir === place.gitDir) return;
  writeRecord(stateDir, {
    id,
    gitDir: place.gitDir,
    root: place.root,
    earlier: [],
    commits: [...(await rootCommits(place)), place.head],
    remotes: [...(await remotesOf(place))],
    usedAt: new Date().toISOString(),
  });
}

/** Takes over the runs of another clone because the person asked for it. */
export async function adoptRepository(place: Place, stateDir: string, id: string): Promise<RepositoryRecord> {
  const record = readRecord(stateDir, id);
  if (record === undefined) {
    const known = (await relatives(place, stateDir)).map((other) => other.id);
    throw new ForgeError('bad-input', `There are no runs of a repository ${JSON.stringify(id)}`, {
      hint: known.length === 0 ? 'No other clone of this repository has runs here.' : `Known: ${known.join(', ')}.`,
    });
  }
  if ((await sharing(place, [record])).length === 0) {
    throw new ForgeError('bad-input', `${id} is another repository: it shares no commit with this one`, {
      hint: `Its runs belong to ${record.root}.`,
    });
  }
  if (!writeIdOver(place.gitDir, id))
    throw new ForgeError('bad-config', `${join(place.gitDir, idFile)} cannot be written`);
  const moved = movedTo(record, place);
  writeRecord(stateDir, moved);
  return moved;
}

/** The id, if this is where the repository of that id is or has moved to. */
async function confirmed(place: Place, stateDir: string, id: string): Promise<string | undefined> {
  const record = readRecord(stateDir, id);
  if (record === undefined || record.gitDir === place.gitDir) return id;
  if (isSameDirectory(record.gitDir, place.gitDir)) return id;
  // A copy: the other one is still there and keeps its runs.
  if (readId(record.gitDir) === id) return undefined;
  if ((await sharing(place, [record])).length === 0) return undefined;
  writeRecord(stateDir, movedTo(record, place));
  return id;
}

/** Other repositories that share history with this one, the newest use first. */
async function relatives(place: Place, stateDir: string): Promise<readonly RepositoryRecord[]> {
  return sharing(place, listRecords(stateDir));
}

/** One that is gone, and that was a clone of the same place or the very place this was cloned from. */
async function earlierClone(place: Place, stateDir: string): Promise<RepositoryRecord | undefined> {
  const gone = (await relatives(place, stateDir)).filter((record) => !isPresent(record.gitDir));
  if (gone.length === 0) return undefined;
  const remotes = await remotesOf(place);
  return gone.find(
    (record) =>
      record.gitDir === place.gitDir ||
      remotes.some((remote) => record.remotes.includes(remote) || remote === plainRemote(record.root)),
  );
}

async function sharing(place: Place, records: readonly RepositoryRecord[]): Promise<readonly RepositoryRecord[]> {
  if (records.length === 0) return [];
  const commits = [...new Set(records.flatMap((record) => record.commits))].filter((id) =>
    /^[0-9a-f]{40,64}$/.test(id),
  );
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    ...callOf(place),
    stdin: commits.map((id) => `${id}\n`).join(''),
  });
  const present = new Set(
    stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line.endsWith(' commit'))
      .map((line) => line.slice(0, -' commit'.length)),
  );
  const isShallow = lstatSync(join(place.gitDir, 'shallow'), { throwIfNoEntry: false }) !== undefined;
  // A shallow clone need not have any of those commits; where it came from still tells.
  const remotes = isShallow ? await remotesOf(place) : [];
  return records.filter(
    (record) =>
      record.commits.some((id) => present.has(id)) || record.remotes.some((remote) => remotes.includes(remote)),
  );
}

/** Empty for a shallow clone, whose first commits are not the repository's. */
async function rootCommits(place: Place): Promise<readonly string[]> {
  if (lstatSync(join(place.gitDir, 'shallow'), { throwIfNoEntry: false }) !== undefined) return [];
  const { stdout } = await git(['rev-list', '--max-parents=0', 'HEAD'], callOf(place));
  return stdout.toString('utf8').split('\n').filter(Boolean).slice(0, 50);
}

async function remotesOf(place: Place): Promise<readonly string[]> {
  const { stdout } = await git(['config', '-z', '--get-regexp', String.raw`^remote\..*\.url$`], {
    ...callOf(place),
    answers: [0, 1],
  });
  const urls = stdout.toString('utf8').split('\0').filter(Boolean);
  return [...new Set(urls.map((entry) => plainRemote(entry.slice(entry.indexOf('\n') + 1))))].filter(Boolean);
}

/** `https://me:secret@host/a/b.git`, `git@host:a/b` and `ssh://host/a/b` are the same place: `host/a/b`. */
export function plainRemote(url: string): string {
  const path = url.replace(/^file:\/\//, '');
  const tail = (text: string): string => text.replace(/\/+$/, '').replace(/\/?\.git$/, '');
  if (path.startsWith('/') || path.startsWith('.')) return tail(path);
  const address =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/]+)\/*(.*)$/i.exec(url) ?? /^(?:[^/@]*@)?([^/:]+):\/*(.*)$/.exec(url);
  return address === null ? tail(path) : `${(address[1] ?? '').toLowerCase()}/${tail(address[2] ?? '')}`;
}

function callOf(place: Place): GitCall {
  return { cwd: place.gitDir, gitDir: place.gitDir };
}

/** The id that is in force afterwards: another process may have been first, or nothing can be written there. */
function writeId(gitDir: string, id: string, replaced: string | undefined): string {
  try {
    if (replaced === undefined && readConfined(gitDir, idFile, 200).status === 'absent') {
      writeConfined(gitDir, idFile, `${id}\n`, { whenPresent: 'keep' });
      return readId(gitDir) ?? pathId(gitDir);
    }
    return writeIdOver(gitDir, id) ? id : pathId(gitDir);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (error instanceof ForgeError || ['EACCES', 'EPERM', 'EROFS'].includes(code)) return pathId(gitDir);
    throw error;
  }
}

function writeIdOver(gitDir: string, id: string): boolean {
  return writeConfined(gitDir, idFile, `${id}\n`);
}

function newId(gitDir: string): string {
  return `${nameOf(gitDir)}-${randomBytes(12).toString('hex')}`;
}

/** Where no id can be kept the path has to do: then a repository that moves is a new one. */
function pathId(gitDir: string): string {
  return `${nameOf(gitDir)}-${createHash('sha256').update(gitDir).digest('hex').slice(0, 24)}`;
}

function nameOf(gitDir: string): string {
  const name = basename(gitDir) === '.git' ? basename(dirname(gitDir)) : basename(gitDir, '.git');
  const plain = refComponent(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .slice(0, 40);
  return /^[a-z0-9]/.test(plain) ? plain : `r${plain}`.slice(0, 40);
}

function movedTo(record: RepositoryRecord, place: Place): RepositoryRecord {
  const earlier = [...new Set([record.root, ...record.earlier])].filter((root) => root !== place.root).slice(0, 20);
  return { ...record, gitDir: place.gitDir, root: place.root, earlier, usedAt: new Date().toISOString() };
}

function isPresent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The same directory under another name: a bind mount, a link further up. */
function isSameDirectory(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
