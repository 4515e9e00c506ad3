/**
 * The other repositories of a run, as a person names them. Each is looked at before anything is started: if one cannot
 * take part, nothing runs.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { Repository } from '../git/git.ts';
import { type JoinedRepository, joinRepositories } from '../git/join-repositories.ts';
import { openRepository } from '../git/repository.ts';
import type { RunRepositories } from '../policy/run-repositories.ts';

export interface JoinedRun {
  /** The commit that holds all of them. */
  readonly base: string;
  readonly repositories: RunRepositories;
}

/** `named`: directories with commas between them, relative to where the person stands. Undefined: there are none. */
export async function joinRun(
  repo: Repository,
  about: { readonly named: string; readonly base: string; readonly cwd: string },
): Promise<JoinedRun | undefined> {
  const { named, base, cwd } = about;
  const roots = named.split(',').map((one) => one.trim());
  const wanted = [...new Set(roots.filter((one) => one !== ''))];
  if (wanted.length === 0) return undefined;
  const others: JoinedRepository[] = [];
  for (const one of wanted) {
    const other = await openOther(repo, resolve(cwd, one));
    const twin = others.find(({ repo: known, path }) => known.root === other.repo.root || path === other.path);
    if (twin !== undefined) throw refused(other.repo.root, `${twin.repo.root} would lie in the same directory`);
    others.push(other);
  }
  const joined = await joinRepositories(repo, { base, others });
  const parts = others.map(({ path, repo: { root }, base: from }) => ({ path, root, base: from }));
  return { base: joined, repositories: { home: base, others: parts } };
}

async function openOther(home: Repository, directory: string): Promise<JoinedRepository> {
  const { dataDir, stateDir } = home;
  const repo = await openRepository(directory, { dataDir, stateDir });
  if (repo.root === home.root || repo.gitDir === home.gitDir)
    throw refused(directory, 'it is the repository that the run is started in');
  // The result becomes a branch there. Whether that works is not found out in the morning.
  for (const place of [repo.objectsDir, join(repo.gitDir, 'refs')]) {
    await access(place, constants.W_OK).catch(() => {
      throw refused(repo.root, `${place} cannot be written`);
    });
  }
  const inside = relative(home.root, repo.root);
  const isInside = !inside.startsWith('..');
  return { path: isInside ? inside.split(sep).join('/') : basename(repo.root), repo, base: repo.head };
}

function refused(root: string, why: string): ForgeError {
  return new ForgeError('bad-input', `${root} cannot take part in the run: ${why}`, {
    hint: 'Nothing was started. Name the other repositories by their directories: --with ../api,../web',
  });
}
