/**
 * The Markdown files of a commit, as a tree to read: what a design looked like at a tag, without a checkout. Only plain files,
 * bounded in number and size; links and larger files are left out. Needs no state of Forge.
 */
import type { Buffer } from 'node:buffer';
import { ForgeError } from '../errors.ts';
import type { ReadDirectory, ReadFile } from '../files/confined.ts';
import { git, type GitCall } from './run-git.ts';

export interface CommitDocuments {
  readonly commit: string;
  read(path: string): ReadFile;
  list(path: string): ReadDirectory;
}

const mostFiles = 4000;
const mostBytes = 1024 * 1024;
const mostBytesInAll = 32 * 1024 * 1024;

export async function readCommitDocuments(root: string, revision: string): Promise<CommitDocuments> {
  const call: GitCall = { cwd: root, config: 'user', timeMs: 60_000 };
  const named = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], {
    ...call,
    answers: [0, 1, 128],
  });
  if (named.code !== 0) {
    throw new ForgeError('bad-input', `There is no commit ${JSON.stringify(revision.slice(0, 100))} here`, {
      hint: 'Name a tag, a branch or a commit of this repository.',
    });
  }
  const commit = named.stdout.toString('utf8').trim();
  const listing = await git(['ls-tree', '-r', '-z', '--long', '--full-tree', commit], call);
  const entries = listing.stdout.toString('utf8').split('\0').flatMap(entryOf).slice(0, mostFiles);
  const files = new Map<string, Buffer>();
  const bytes = await readObjects(
    entries.map(({ id }) => id),
    call,
  );
  for (const { id, path } of entries) {
    const content = bytes.get(id);
    if (content !== undefined) files.set(path, content);
  }
  return { commit, read: (path) => fileAt(files, path), list: (path) => entriesAt(files, path) };
}

/** `100644 blob <id> <size>\t<path>`. */
function entryOf(line: string): { readonly id: string; readonly path: string }[] {
  const [head = '', path = ''] = line.split('\t', 2);
  const [mode, , id = '', size] = head.split(/\s+/);
  const isWanted = path.endsWith('.md') && (mode === '100644' || mode === '100755') && Number(size) <= mostBytes;
  return isWanted ? [{ id, path }] : [];
}

async function readObjects(ids: readonly string[], call: GitCall): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (ids.length === 0) return found;
  const { stdout } = await git(['cat-file', '--batch'], { ...call, stdin: `${[...new Set(ids)].join('\n')}\n` });
  for (let at = 0; at < stdout.length && at < mostBytesInAll; ) {
    const end = stdout.indexOf(10, at);
    const [id = '', , size = '0'] = stdout.subarray(at, end).toString('utf8').split(' ');
    found.set(id, stdout.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return found;
}

function fileAt(files: ReadonlyMap<string, Buffer>, path: string): ReadFile {
  const bytes = files.get(path);
  return bytes === undefined ? { status: 'absent' } : { status: 'read', bytes, mode: 0o644 };
}

function entriesAt(files: ReadonlyMap<string, Buffer>, path: string): ReadDirectory {
  const prefix = path === '.' || path === '' ? '' : `${path}/`;
  const names = new Map<string, 'file' | 'directory'>();
  for (const file of files.keys()) {
    if (!file.startsWith(prefix)) continue;
    const [name = '', ...rest] = file.slice(prefix.length).split('/');
    names.set(name, rest.length === 0 ? 'file' : 'directory');
  }
  if (names.size === 0) return { status: 'absent' };
  return { status: 'read', entries: [...names].map(([name, kind]) => ({ name, kind })) };
}
