/**
 * Commits that a run's facts name stay in the repository until the run is cleaned up, whatever garbage collection does:
 * each is reachable from a ref below refs/forge/<run>/ before its fact is written.
 */
import { refCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { isObjectName, readObjectInfo } from './object-reader.ts';
import { keptPrefix, runPrefix } from './ref-name.ts';
import { moveRefs, wasPlaced } from './refs.ts';
import { git } from './run-git.ts';
import { wasMadeHere } from './write-objects.ts';

/**
 * Keeps the commits of one run for as long as a process works on it, and asks git only about those it has not seen: the
 * refs of a run go when it is cleaned up, and nobody works on it then.
 */
export function commitKeeper(repo: Repository, run: string): (ids: readonly string[]) => Promise<void> {
  const seen = new Set<string>();
  return async (ids) => {
    const unseen = ids.filter((id) => !seen.has(id) && isObjectName(id));
    const known = (await readObjectInfo(repo, unseen)).filter((info) => info !== undefined);
    const commits = known.filter(({ type }) => type === 'commit' || type === 'tag').map(({ id }) => id);
    await keepCommits(
      repo,
      run,
      commits.filter((id) => !wasPlaced(repo, runPrefix(run), id)),
    );
    // What is not there yet may become a commit later.
    for (const { id } of known) seen.add(id);
  };
}

/** Ids that are not commits of this repository are passed over. */
export async function keepCommits(repo: Repository, run: string, ids: readonly string[]): Promise<void> {
  const loose = await unreachable(repo, run, ids);
  if (loose.length === 0) return;
  const prefix = keptPrefix(run);
  const moves = loose.map((id) => ({ ref: `${prefix}${id}`, before: undefined, after: id }));
  const stale = await moveRefs(repo, moves, { reason: 'forge: kept' });
  // Another process kept the same commit a moment ago; what is left is looked at once more.
  if (stale !== undefined && stale.actual !== undefined) {
    await keepCommits(
      repo,
      run,
      loose.filter((id) => stale.ref !== `${prefix}${id}`),
    );
  }
}

/** Which of the commits are not in the repository any more. */
export async function missingCommits(repo: Repository, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    ...refCall(repo),
    stdin: `${ids.join('\n')}\n`,
  });
  const lines = stdout.toString('latin1').split('\n');
  return ids.filter((_, at) => lines[at]?.endsWith(' missing') === true);
}

async function unreachable(repo: Repository, run: string, ids: readonly string[]): Promise<readonly string[]> {
  // Nobody has to ask about what was made a moment ago, unless it has its ref already.
  const fresh = ids.filter((id) => wasMadeHere(repo, id));
  const asked = ids.filter((id) => !fresh.includes(id));
  return [...fresh, ...(await unreachableByRefs(repo, run, asked))];
}

async function unreachableByRefs(repo: Repository, run: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const args = ['rev-list', '--ignore-missing', '--stdin', '--not', `--glob=${runPrefix(run)}*`];
  const { stdout } = await git(args, { ...refCall(repo), stdin: `${ids.join('\n')}\n` });
  const loose = new Set(stdout.toString('latin1').split('\n'));
  return ids.filter((id) => loose.has(id));
}
