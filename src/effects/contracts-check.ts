/** `contracts.check`: the files of modules in a commit, their syntax, and what they expect of each other. */

import { computeInWorker } from '../checks/compute-in-worker.ts';
import type { Performer } from '../engine/performer.ts';
import type { ModuleFile } from '../evidence/contracts/check-contracts.ts';
import { isReadable } from '../evidence/contracts/read-files.ts';
import { listFiles, type TreeEntry } from '../git/changes.ts';
import { readBlobs } from '../git/tree-edit.ts';
import { compilePattern, literalPath, type Pattern, patternsMeet } from '../plan/path-pattern.ts';
import type { EffectDeps } from './deps.ts';

const limits = { eachBytes: 2_000_000, allBytes: 64_000_000 };

export function contractsCheck({ repo }: EffectDeps): Performer<'contracts.check'> {
  return {
    async perform({ commit, base, modules, about }) {
      const [entries, before] = await Promise.all([
        listFiles(repo, commit),
        base === undefined ? [] : listFiles(repo, base),
      ]);
      const files = modules.flatMap(({ task, paths }) =>
        filesOf(paths, { entries, before }).map((file) => ({ task, ...file })),
      );
      const wanted = files.flatMap(({ path, entry }) => (entry !== undefined && isText(entry, path) ? [entry.id] : []));
      const contents = await readBlobs(repo, wanted, limits);
      const known = new Map(before.map(({ path, id }) => [path, id]));
      const read = files.map(({ task, path, entry, expanded }): ModuleFile => {
        const content = entry === undefined ? undefined : contents.get(entry.id);
        const text = content === undefined || content.includes(0) ? undefined : content.toString('utf8');
        const unchanged = entry !== undefined && known.get(path) === entry.id;
        return { task, path, text, exists: entry !== undefined, expanded, unchanged };
      });
      const all = entries.map(({ path }) => path);
      const checked = await computeInWorker('checkContracts', { files: read, all, about });
      if (checked.status === 'done') return { results: [...checked.value] };
      const message = `the files could not be read: ${checked.reason}`;
      return {
        results: [
          { type: 'syntax_check', passed: false, file: about ?? '', line: 0, message, name: 'reading the files' },
        ],
      };
    },
  };
}

interface Declared {
  readonly path: string;
  readonly entry: TreeEntry | undefined;
  readonly expanded: boolean;
}

/** Each declared file, and the files that directories and globs stand for. What the work removed is not missed. */
function filesOf(
  paths: readonly string[],
  { entries, before }: { readonly entries: readonly TreeEntry[]; readonly before: readonly TreeEntry[] },
): Declared[] {
  const found = new Map<string, Declared>();
  const patterns = paths.filter((path) => path.trim() !== '').map(compilePattern);
  const wide: Pattern[] = [];
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const pattern of patterns) {
    const path = pattern.prefix.join('/');
    const entry = byPath.get(path);
    if (!pattern.literal || path === '' || (entry === undefined && isDirectory(pattern, path, entries)))
      wide.push(pattern);
    else if (entry !== undefined || !before.some((each) => isAt(each, path)))
      found.set(path, { path, entry, expanded: false });
  }
  for (const entry of wide.length === 0 ? [] : entries) {
    const target = literalPath(entry.path);
    if (!found.has(entry.path) && wide.some((pattern) => patternsMeet(pattern, target)))
      found.set(entry.path, { path: entry.path, entry, expanded: true });
  }
  return [...found.values()];
}

function isDirectory({ text }: Pattern, path: string, entries: readonly TreeEntry[]): boolean {
  return text.endsWith('/') || entries.some((entry) => entry.path.startsWith(`${path}/`));
}

function isAt(entry: TreeEntry, path: string): boolean {
  return entry.path === path || entry.path.startsWith(`${path}/`);
}

function isText({ mode }: TreeEntry, path: string): boolean {
  return mode.startsWith('100') && isReadable(path);
}
