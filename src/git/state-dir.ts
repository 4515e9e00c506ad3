/**
 * Where runs live: the user's state directory, outside every repository. `$FORGE_STATE_DIR`, else
 * `$XDG_STATE_HOME/forge`, else `~/.local/state/forge`. Below it, one folder per repository with the repository's runs
 * and a small record (`repository.json`) that says where the repository was seen. Only this user's own directory is
 * used, because whoever can write there decides what is resumed.
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { listConfined, readConfined, writeConfined } from '../files/confined.ts';
import { outsideOf } from './data-dir.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function defaultStateDir(env: Environment = process.env): string {
  const chosen = env['FORGE_STATE_DIR'] ?? '';
  if (chosen !== '') {
    if (isAbsolute(chosen)) return chosen;
    throw new ForgeError('bad-config', `FORGE_STATE_DIR is ${JSON.stringify(chosen)}, which is not an absolute path`, {
      hint: 'Set it to an absolute path outside your repositories, or unset it.',
    });
  }
  const xdg = env['XDG_STATE_HOME'] ?? '';
  // The XDG specification wants relative values ignored.
  return join(isAbsolute(xdg) ? xdg : join(env['HOME'] || homedir(), '.local', 'state'), 'forge');
}

/** The state directory with links resolved, or a refusal when it lies inside the checkout or belongs to someone else. */
export async function resolveStateDir(stateDir: string, root: string): Promise<string> {
  const real = await outsideOf(stateDir, root, {
    what: 'state',
    hint: 'Set FORGE_STATE_DIR to a directory outside the repository.',
  });
  const found = lstatSync(real, { throwIfNoEntry: false });
  const user = process.getuid?.() ?? 0;
  if (found !== undefined && user !== 0 && found.uid !== user) {
    throw new ForgeError('bad-config', `the state directory ${real} belongs to another user`, {
      hint: 'Set FORGE_STATE_DIR to a directory of your own.',
    });
  }
  return real;
}

/** Readable, and random enough that no repository can guess another's. */
export function isRepositoryId(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,40}-[0-9a-f]{24}$/.test(text);
}

export interface RepositoryRecord {
  readonly id: string;
  /** Where it was used last: the common git directory and the top of a checkout. */
  readonly gitDir: string;
  readonly root: string;
  /** Where it was used before. */
  readonly earlier: readonly string[];
  /** Commits that a clone of it has: its roots, and HEAD when the first run began. */
  readonly commits: readonly string[];
  /** Without user names and passwords. */
  readonly remotes: readonly string[];
  readonly usedAt: string;
}

/** By hand: whoever lists runs reads a record, and needs no schemas for anything else. */
function parseRecord(value: unknown): RepositoryRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, gitDir, root, usedAt, earlier = [], commits = [], remotes = [] } = value as Partial<RepositoryRecord>;
  const lists = [earlier, commits, remotes];
  const areTexts = [id, gitDir, root, usedAt].every((text) => typeof text === 'string');
  const areLists = lists.every((list) => Array.isArray(list) && list.every((text) => typeof text === 'string'));
  if (!areTexts || !areLists) return undefined;
  return { id, gitDir, root, usedAt, earlier, commits, remotes } as RepositoryRecord;
}

const folders = 'repositories';
const recordFile = 'repository.json';

/** The folder of a repository. */
export function repositoryFolder(stateDir: string, id: string): string {
  return join(stateDir, folders, id);
}

export function readRecord(stateDir: string, id: string): RepositoryRecord | undefined {
  const found = isPresent(stateDir) ? readConfined(stateDir, `${folders}/${id}/${recordFile}`) : undefined;
  if (found?.status !== 'read') return undefined;
  try {
    const record = parseRecord(JSON.parse(found.bytes.toString('utf8')));
    return record?.id === id && isRepositoryId(id) ? record : undefined;
  } catch {
    return undefined;
  }
}

export function writeRecord(stateDir: string, record: RepositoryRecord): void {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify(record, null, 2)}\n`;
  writeConfined(stateDir, `${folders}/${record.id}/${recordFile}`, text, { mode: 0o600, directoryMode: 0o700 });
}

export function listRecords(stateDir: string): readonly RepositoryRecord[] {
  return listRecordIds(stateDir)
    .flatMap((id) => readRecord(stateDir, id) ?? [])
    .sort((a, b) => (a.usedAt < b.usedAt ? 1 : -1));
}

/** Ids of all repositories that were used on this machine. */
export function listRecordIds(stateDir: string): readonly string[] {
  if (!isPresent(stateDir)) return [];
  const found = listConfined(stateDir, folders);
  if (found.status !== 'read') return [];
  const names = found.entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
  return names.filter((name) => isRepositoryId(name));
}

/** Where a repository keeps its id, relative to its common git directory. */
export const idFile = 'forge/repository-id';

/** Not a file of ours, or not readable as one: as if there were none. */
export function readId(gitDir: string): string | undefined {
  if (!isPresent(gitDir)) return undefined;
  const found = readConfined(gitDir, idFile, 200);
  if (found.status !== 'read') return undefined;
  const id = found.bytes.toString('utf8').trim();
  return isRepositoryId(id) ? id : undefined;
}

function isPresent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
