/**
 * Where the runs of this repository are, and which runs other clones of it have. Those are listed and never acted on
 * from here. Loads no schemas, and no git unless there are other repositories.
 */
import type { OtherRuns } from '../git/git.ts';
import type { ApiContext } from './context.ts';

export interface RunsPlace {
  /** For a person to look at. */
  readonly place: string;
  readonly elsewhere: readonly OtherRuns[];
}

export async function findRunsPlace(context: ApiContext): Promise<RunsPlace> {
  const { place, hasOthers } = await context.runs();
  return { place, elsewhere: hasOthers ? await othersOf(context) : [] };
}

/** For a run that is not here: the clone that has it. */
export async function hintElsewhere(context: ApiContext, run: string): Promise<string | undefined> {
  const { elsewhere } = await findRunsPlace(context);
  const other = elsewhere.find(({ runs }) => runs.some((name) => name === run || name.startsWith(run)));
  if (other === undefined) return undefined;
  return other.isThere
    ? `It belongs to another clone: run this command in ${other.root}.`
    : `It belonged to ${other.root}, which is gone. To work with its runs here: forge list --adopt ${other.id}`;
}

/** Which repositories are clones of this one is for git to say. */
async function othersOf(context: ApiContext): Promise<readonly OtherRuns[]> {
  const { repo } = await context.reader();
  const { findOtherRuns } = await import('../git/repository-identity.ts');
  return findOtherRuns(repo, repo.stateDir, repo.id);
}
