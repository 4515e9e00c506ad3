/** The settings of the project a command is given in, for operations that also work where there is none. */
import { readSettings } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import type { Repository } from '../git/git.ts';
import { openRepository } from '../git/repository.ts';
import type { Settings } from '../policy/settings.ts';
import type { ApiContext } from './context.ts';

export interface ProjectHere {
  readonly repo: Repository;
  readonly settings: Settings;
}

/** Undefined outside a repository; settings that cannot be read are a failure. */
export async function projectHere({ cwd }: Pick<ApiContext, 'cwd'>): Promise<ProjectHere | undefined> {
  let repo: Repository;
  try {
    repo = await openRepository(cwd);
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
  return { repo, settings: readSettings(repo.root) };
}
