/**
 * Every repository this user ran Forge in, the one used last first. Runs keep the list themselves: each repository has a
 * folder with a record in the state directory. A repository that is gone from its place is marked, and its runs stay; so is
 * one in whose place there is another now, or the runs of that one would be listed twice.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { defaultStateDir, listRecords, readId } from '../git/state-dir.ts';
import type { ApiContext } from './context.ts';

export interface UserRepository {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly isThere: boolean;
}

export function userRepositories(env: ApiContext['env']): readonly UserRepository[] {
  return listRecords(defaultStateDir(env)).map(({ id, root, gitDir }) => ({
    id,
    name: basename(root),
    root,
    isThere: existsSync(root) && existsSync(gitDir) && (readId(gitDir) ?? id) === id,
  }));
}
