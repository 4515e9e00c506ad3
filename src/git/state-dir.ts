/**
 * Where runs live: the user's state directory, outside every repository. `$FORGE_STATE_DIR`, else
 * `$XDG_STATE_HOME/forge`, else `~/.local/state/forge`. Below it, one folder per repository with the repository's runs
 * and a small record (`repository.json`) that says where the repository was seen. Only this user's own directory is
 * used, because whoever can write there decides what is resumed.
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
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
export const repositoryIdSchema = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,40}-[0-9a-f]{24}$/);

const recordSchema = z.object({
  id: repositoryIdSchema,
  /** Where it was used last: the common git directory and the top of a checkout. */
  gitDir: z.string(),
  root: z.string(),
  /** Where it was used before. */
  earlier: z.array(z.string()).default([]),
  /** Commits that a clone of it has: its roots, and HEAD when the first run began. */
  commits: z.array(z.string()).default([]),
  /** Without user names and passwords. */
  remotes: z.array(z.string()).default([]),
  usedAt: z.string(),
});
export type RepositoryRecord = z.infer<typeof recordSchema>;

const folders = 'repositories';
const recordFile = 'repository.json';

/** The folder of a repository. */
export function repositoryFolder(stateDir: string, id: string): string {
  return join(stateDir, folders, id);
}

export function readRecord(stateDir: string, id: string): RepositoryRecord | undefined {
  const found = isThere(stateDir) ? readConfined(stateDir, `${folders}/${id}/${recordFile}`) : undefined;
  if (found?.status !== 'read') return undefined;
  try {
    const record = recordSchema.parse(JSON.parse(found.bytes.toString('utf8')));
    return record.id === id ? record : undefined;
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
  if (!isThere(stateDir)) return [];
  const found = listConfined(stateDir, folders);
  if (found.status !== 'read') return [];
  const names = found.entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
  return names
    .filter((name) => repositoryIdSchema.safeParse(name).success)
    .flatMap((name) => readRecord(stateDir, name) ?? [])
    .sort((a, b) => (a.usedAt < b.usedAt ? 1 : -1));
}

/** Names of the runs in a repository's folder. */
export function runNames(stateDir: string, id: string): readonly string[] {
  const found = listConfined(stateDir, `${folders}/${id}/runs`);
  return found.status === 'read'
    ? found.entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name)
    : [];
}

function isThere(stateDir: string): boolean {
  return lstatSync(stateDir, { throwIfNoEntry: false })?.isDirectory() === true;
}
