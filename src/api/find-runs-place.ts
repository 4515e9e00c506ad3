/**
 * Where the runs of this repository are, and which runs other clones of it have. Those are listed and never acted on
 * from here. Loads no schemas, and no git unless there are other repositories.
 */
import { openRunsOf } from '../open-reader.ts';
import type { ApiContext } from './context.ts';

export interface RunsPlace {
  /** For a person to look at. */
  readonly place: string;
  readonly elsewhere: readonly OtherRuns[];
}

/** Runs of another clone of this repository. */
export interface OtherRuns {
  readonly id: string;
  /** The checkout they belong to. */
  readonly root: string;
  readonly place: string;
  readonly runs: readonly string[];
  /** False: that checkout is gone. */
  readonly isThere: boolean;
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
  const { findOtherClones } = await import('../git/repository-identity.ts');
  const clones = await findOtherClones(repo, repo.stateDir, repo.id);
  const found = clones.map(async ({ id, root, stateFolder, isThere }) => {
    const { engine, place } = openRunsOf(stateFolder);
    return { id, root, place, runs: (await engine.list()).map(({ run }) => run), isThere };
  });
  return (await Promise.all(found)).filter(({ runs }) => runs.length > 0);
}
