/**
 * Where the records of a project are, for all operations on them: the nearest directory above with a store, else the
 * root of the repository. And the one way their refusals become a failure: all faults at once, exit code 1.
 */
import { dirname, join, relative, sep } from 'node:path';
import { lstatSync, realpathSync } from 'node:fs';
import { readSettings } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { ownSummaryKeys } from '../pipelines/own-phases.ts';
import type { Repository } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import type { Issue } from '../plan/refusal.ts';
import { type EntityName, isRecordId } from '../records/entity.ts';
import { didYouMean } from '../records/suggest-words.ts';
import { storeDirectory } from '../store/store-files.ts';
import type { ApiContext } from './context.ts';

export async function findStoreRoot(context: Pick<ApiContext, 'cwd'>): Promise<string> {
  return existingStoreRoot(context) ?? (await openRepository(context.cwd)).root;
}

/** For an operation that has nothing to do without records, and must not create a store. */
export function requireStoreRoot(context: Pick<ApiContext, 'cwd'>): string {
  const root = existingStoreRoot(context);
  if (root !== undefined) return root;
  throw recordError(
    'This project has no records: there is no .forge/store here or in a directory above',
    [],
    'Begin with a sprint: forge sprint new "<wish>". Or write a record: forge store template sprint prints one to start from.',
  );
}

/**
 * Whatever is at that place counts, because reading it names a link or a file there. What lies above a repository is not
 * the project's: on a shared machine somebody else may have put it there.
 */
function existingStoreRoot({ cwd }: Pick<ApiContext, 'cwd'>): string | undefined {
  for (let here = cwd; ; here = dirname(here)) {
    if (isThere(join(here, storeDirectory))) return here;
    if (dirname(here) === here || isThere(join(here, '.git'))) return undefined;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // The directory on the way is a file or may not be entered.
    return !['ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** The records of a run that is started here, as a directory below the repository's root; undefined for the root itself. */
export function storeBelow({ root }: Pick<Repository, 'root'>, cwd: string): string | undefined {
  const found = existingStoreRoot({ cwd: realpathSync(cwd) });
  const below = found === undefined ? '' : relative(root, found).split(sep).join('/');
  return below === '' || below.startsWith('..') ? undefined : below;
}

/** Settings are the repository's, wherever in it the records are. */
export function repositoryRoot(storeRoot: string): string {
  for (let here = storeRoot; ; here = dirname(here)) {
    if (isThere(join(here, '.git'))) return here;
    if (dirname(here) === here) return storeRoot;
  }
}

/** Summary keys of the project's own phases, which its records may hold. */
export function ownPhasesOf(storeRoot: string): readonly string[] {
  return ownSummaryKeys(readSettings(repositoryRoot(storeRoot)).pipelines);
}

/** `allowed`: those that this operation can do something with. */
export function requireEntity<E extends EntityName>(word: string, allowed: readonly E[]): E {
  const found = allowed.find((entity) => entity === word);
  if (found !== undefined) return found;
  const fix = [didYouMean(word, allowed), `Use one of ${allowed.join(', ')}.`].filter(Boolean).join(' ');
  throw recordError(`There is no kind of record ${JSON.stringify(word)}`, [], fix);
}

export function requireId(id: string): string {
  if (isRecordId(id)) return id;
  throw recordError(`${JSON.stringify(id)} is not an id`, [], 'An id may hold letters, digits, _ and - only.');
}

export function notFound(entity: string, id: string, hint: string): ForgeError {
  return recordError(`There is no ${entity} ${JSON.stringify(id)}`, [], hint);
}

export function recordError(what: string, faults: readonly Issue[], hint?: string): ForgeError {
  const lines = faults.map(({ where, problem, fix }) => `  - ${where}: ${problem} ${fix}`.trimEnd());
  return new ForgeError('record-refused', [what, ...lines].join('\n'), hint === undefined ? {} : { hint });
}

/** What somebody typed as JSON. */
export function parseTyped(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw recordError(
      `That is not JSON: ${(error as Error).message}`,
      [],
      'Quote it for your shell. Nothing was changed.',
    );
  }
}
