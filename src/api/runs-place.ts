/**
 * Where the runs of this repository are, and which runs other clones of it have. Those are listed and never acted on
 * from here, unless a person asks for them with `adopt`: then they belong to this clone from then on.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import type { OtherRuns } from '../git/git.ts';
import type { ApiContext, Operation } from './operation.ts';

const input = z.strictObject({});

export interface RunsPlace {
  /** For a person to look at. */
  readonly place: string;
  readonly elsewhere: readonly OtherRuns[];
}

export const runsPlace: Operation<typeof input, RunsPlace> = {
  name: 'runs-place',
  summary: 'where the runs of this repository are',
  input,
  async run(context) {
    const { place, hasOthers } = await context.runs();
    return { place, elsewhere: hasOthers ? await othersOf(context) : [] };
  },
};

/** Which repositories are clones of this one is for git to say. */
async function othersOf(context: ApiContext): Promise<readonly OtherRuns[]> {
  const { repo } = await context.reader();
  const { findOtherRuns } = await import('../git/repository-identity.ts');
  return findOtherRuns(repo, repo.stateDir, repo.id);
}

const adoption = z.strictObject({ id: z.string() });

export interface Adopted {
  readonly id: string;
  /** Where the runs belonged before. */
  readonly from: string;
}

export const adoptRuns: Operation<typeof adoption, Adopted> = {
  name: 'adopt-runs',
  summary: 'work with the runs of another clone from here',
  input: adoption,
  async run(context, { id }) {
    const { repo, engine } = await context.forge();
    if (id === repo.id) throw new ForgeError('bad-input', 'Those are the runs of this clone already');
    const own = await engine.list();
    if (own.length > 0) {
      throw new ForgeError('bad-input', `This clone has ${own.length} run(s) of its own, which would be left behind`, {
        hint: 'Remove them first (forge cleanup), or adopt the others from a fresh clone.',
      });
    }
    const { adoptRepository } = await import('../git/repository-identity.ts');
    const record = await adoptRepository(repo, repo.stateDir, id);
    return { id, from: record.earlier[0] ?? record.root };
  },
};

/** For a run that is not here: the clone that has it. */
export async function hintElsewhere(context: ApiContext, run: string): Promise<string | undefined> {
  const { elsewhere } = await runsPlace.run(context, {});
  const other = elsewhere.find(({ runs }) => runs.some((name) => name === run || name.startsWith(run)));
  if (other === undefined) return undefined;
  return other.isThere
    ? `It belongs to another clone: run this command in ${other.root}.`
    : `It belonged to ${other.root}, which is gone. To work with its runs here: forge list --adopt ${other.id}`;
}
