/**
 * The files of a store, below `.forge/store` of a project. Everything is read without following links, for a repository
 * may bring anything along; everything is written whole, by whoever holds the store's lock, and is on disk when the call
 * returns. So a reader needs no lock: it sees a record as it was before a write or after it.
 */
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import {
  appendConfined,
  listConfined,
  unusableFile,
  readConfined,
  removeConfined,
  writeConfined,
} from '../files/confined.ts';
import { lockDirectory } from '../files/directory-lock.ts';

export const storeDirectory = '.forge/store';

/** What the files of a store look like. A store without a version was made by another tool, or before there was one. */
export const storeVersion = 1;
export const versionFile = 'STORE.json';

export interface FoundJson {
  readonly status: 'read' | 'absent' | 'damaged';
  readonly value?: unknown;
  /** Of what is damaged. */
  readonly problem?: string;
}

const patienceMs = 60_000;

export function readStoreJson(root: string, path: string): FoundJson {
  const found = readConfined(root, `${storeDirectory}/${path}`);
  if (found.status === 'absent') return { status: 'absent' };
  if (found.status === 'refused') return { status: 'damaged', problem: `it ${found.why}` };
  try {
    return { status: 'read', value: JSON.parse(found.bytes.toString('utf8')) as unknown };
  } catch (error) {
    return { status: 'damaged', problem: `it is not JSON: ${(error as Error).message}` };
  }
}

export interface StoreEntries {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** Links, pipes and the like. */
  readonly others: readonly string[];
}

/** Names in a directory of the store, sorted; none where it is missing. Those that begin with a dot are left out. */
export function listStore(root: string, path: string): StoreEntries {
  const found = listConfined(root, `${storeDirectory}/${path}`);
  if (found.status === 'refused') throw unusableFile(`${storeDirectory}/${path}`, found.why);
  const entries = found.status === 'read' ? found.entries.filter(({ name }) => !name.startsWith('.')) : [];
  const named = (kind: 'file' | 'directory' | 'other'): readonly string[] =>
    entries.flatMap((entry) => (entry.kind === kind ? [entry.name] : [])).sort();
  return { files: named('file'), directories: named('directory'), others: named('other') };
}

/** What the holder of the lock may do. Paths are below the store. */
export interface StoreWriter {
  write(path: string, value: unknown): void;
  remove(path: string): void;
  append(path: string, line: string): void;
  writeText(path: string, text: string): void;
}

/** Runs `work` while no other process writes this store. */
export async function changeStore<T>(root: string, work: (writer: StoreWriter) => T): Promise<T> {
  refuseNewer(root);
  const found = listConfined(root, storeDirectory);
  if (found.status === 'refused') throw unusableFile(storeDirectory, found.why);
  // Makes the directories too. A writer that died here left an empty store, which is as good as none.
  if (found.status === 'absent' || found.entries.every(({ name }) => name.startsWith('.')))
    writeConfined(root, `${storeDirectory}/${versionFile}`, toJson({ version: storeVersion }), { whenPresent: 'keep' });
  const unlock = await lockDirectory(join(root, storeDirectory), { patienceMs }).catch((cause: unknown) => {
    if (cause instanceof ForgeError) throw cause;
    throw new ForgeError('lease-held', 'Another process is writing the store', {
      hint: 'Try again in a moment.',
      cause,
    });
  });
  try {
    return work(storeWriter(root));
  } finally {
    await unlock();
  }
}

export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Undefined: it has none. */
export function readStoreVersion(root: string): number | undefined {
  const { value } = readStoreJson(root, versionFile);
  const version = typeof value === 'object' && value !== null ? (value as { version?: unknown }).version : undefined;
  return typeof version === 'number' ? version : undefined;
}

function refuseNewer(root: string): void {
  const version = readStoreVersion(root);
  if (version === undefined || version <= storeVersion) return;
  throw new ForgeError(
    'bad-config',
    `This store has version ${version}; this Forge knows versions up to ${storeVersion}`,
    {
      hint: 'Update Forge. Nothing was changed.',
    },
  );
}

function storeWriter(root: string): StoreWriter {
  const at = (path: string): string => `${storeDirectory}/${path}`;
  return {
    write: (path, value) => void writeConfined(root, at(path), toJson(value)),
    writeText: (path, text) => void writeConfined(root, at(path), text),
    remove: (path) => removeConfined(root, at(path)),
    append: (path, line) => appendConfined(root, at(path), line),
  };
}
