/** Where the runs of this repository are, and how the runs of another clone become runs of this one. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { findRunsPlace, type RunsPlace } from './find-runs-place.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});

export const runsPlace: Operation<typeof input, RunsPlace> = {
  name: 'runs-place',
  summary: 'where the runs of this repository are',
  input,
  run: (context) => findRunsPlace(context),
};

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
