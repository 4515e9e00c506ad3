/**
 * Files of a commit that should be there, their syntax, and what one of them expects of another: what can be said
 * without running anything. Names in the answer are those that were asked with.
 */
import { checkContracts, type ModuleFile } from '../evidence/contracts/check-contracts.ts';
import { resolveJs } from '../evidence/contracts/js-resolve.ts';
import { pathsOf } from '../evidence/contracts/paths.ts';
import { resolvePython } from '../evidence/contracts/python-resolve.ts';
import { readFiles } from '../evidence/contracts/read-files.ts';
import { listFiles } from '../git/changes.ts';
import type { Repository } from '../git/git.ts';
import { isPlainFile, readBlobs } from '../git/tree-edit.ts';

export interface NamedFile {
  /** As it was asked with. */
  readonly name: string;
  /** In the commit. */
  readonly path: string;
}

export interface FilePair {
  readonly exporter: NamedFile;
  readonly importer: NamedFile;
}

export interface InspectRequest {
  readonly commit: string;
  readonly files: readonly NamedFile[];
  readonly pairs: readonly FilePair[];
  /** Of what is no part of the commit: whether it exists all the same. */
  readonly isThere: (path: string) => Promise<boolean>;
}

export type StaticResult =
  | { readonly type: 'file_check'; readonly file: string; readonly passed: boolean }
  | { readonly type: 'syntax_check'; readonly file: string; readonly passed: boolean; readonly error?: string }
  | {
      readonly type: 'contract_check';
      readonly exporter: string;
      readonly importer: string;
      readonly passed: boolean;
      /** What the texts show; empty where a file cannot be read. */
      readonly exportedNames: readonly string[];
      readonly importedNames: readonly string[];
      readonly missing?: readonly string[];
      readonly error?: string;
    };

const limits = { eachBytes: 2_000_000, allBytes: 64_000_000 };

export async function inspectFiles(repo: Repository, request: InspectRequest): Promise<readonly StaticResult[]> {
  const { commit, files, pairs, isThere } = request;
  if (files.length + pairs.length === 0) return [];
  const entries = new Map((await listFiles(repo, commit)).map((entry) => [entry.path, entry]));
  const all = [...entries.keys()];
  const named = [...files, ...pairs.flatMap(({ exporter, importer }) => [exporter, importer])];
  const ids = named.flatMap(({ path }) => {
    const entry = entries.get(path);
    return isPlainFile(entry) ? [entry.id] : [];
  });
  const contents = await readBlobs(repo, ids, limits);
  // A link is there, but what it says is not text of its language.
  const read = (task: string, { path }: NamedFile): ModuleFile => {
    const entry = entries.get(path);
    const content = isPlainFile(entry) ? contents.get(entry.id) : undefined;
    const text = content === undefined || content.includes(0) ? undefined : content.toString('utf8');
    return { task, path, text, exists: entry !== undefined };
  };
  const own = files.map((file) => read('files', file));
  const found = checkContracts({ files: own, all, about: undefined });
  const exists = await Promise.all(own.map(async (file, at) => file.exists || isThere(files[at]?.path ?? '')));
  const results: StaticResult[] = files.map(({ name }, at) => ({
    type: 'file_check',
    file: name,
    passed: exists[at] === true,
  }));
  for (const { name, path } of files) {
    const syntax = found.filter((result) => result.type === 'syntax_check' && result.file === path);
    if (syntax.length === 0) continue;
    const wrong = syntax.filter((result) => !result.passed).map(({ line, message }) => `line ${line}: ${message}`);
    const passed = wrong.length === 0;
    results.push({ type: 'syntax_check', file: name, passed, ...(passed ? {} : { error: wrong.join('\n') }) });
  }
  for (const { exporter, importer } of pairs) {
    const two = [read('exporter', exporter), read('importer', importer)];
    results.push(judgePair({ exporter, importer }, two, all));
  }
  return results;
}

function judgePair(
  { exporter, importer }: FilePair,
  files: readonly ModuleFile[],
  all: readonly string[],
): StaticResult {
  const { exportedNames, importedNames } = namesOf({ exporter, importer }, files, all);
  const pair = { type: 'contract_check', exporter: exporter.name, importer: importer.name } as const;
  const names = { exportedNames, importedNames };
  if (files.some((file) => !file.exists))
    return { ...pair, passed: false, ...names, error: 'One or both files not found' };
  const wrong = checkContracts({ files, all, about: undefined }).filter(
    (result) =>
      !result.passed &&
      (result.type === 'syntax_check' || (result.file === importer.path && result.exporter === exporter.path)),
  );
  if (wrong.length === 0) return { ...pair, passed: true, ...names };
  const missing = importedNames.filter((name) => !exportedNames.includes(name));
  return {
    ...pair,
    passed: false,
    ...names,
    ...(missing.length === 0 ? {} : { missing }),
    error: wrong.map(({ file, line, message }) => `${file}:${line} ${message}`).join('\n'),
  };
}

/** What the one offers, and what the other asks of it. */
function namesOf({ exporter, importer }: FilePair, files: readonly ModuleFile[], all: readonly string[]) {
  const texts = files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  const readings = readFiles(texts);
  const shapeOf = ({ path }: NamedFile) => {
    const reading = readings.get(path);
    return reading?.status === 'read' ? reading.shape : undefined;
  };
  const paths = pathsOf([...new Set([...all, exporter.path, importer.path])]);
  const resolve = importer.path.endsWith('.py') ? resolvePython : resolveJs;
  const wants = (shapeOf(importer)?.wants ?? []).filter(
    ({ specifier }) => resolve(paths, importer.path, specifier) === exporter.path,
  );
  return {
    exportedNames: [...(shapeOf(exporter)?.exports.keys() ?? [])],
    importedNames: [...new Set(wants.map(({ name }) => name))],
  };
}
