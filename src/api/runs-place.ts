/** Where the runs of this repository are, and how the runs of another clone become runs of this one. */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { findRunsPlace } from './find-runs-place.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({});

const output = z.strictObject({
  /** For a person to look at. */
  place: z.string(),
  /** Runs that belong to other clones of this repository. */
  elsewhere: z.array(
    z.strictObject({
      id: z.string(),
      /** The checkout they belong to. */
      root: z.string(),
      place: z.string(),
      runs: z.array(z.string()),
      /** False: that checkout is gone. */
      isThere: z.boolean(),
    }),
  ),
});

export const runsPlace: Operation<typeof input, typeof output> = {
  name: 'runs-place',
  kind: 'query',
  description: 'Says where the runs of this repository are, and which runs belong to other clones of it.',
  input,
  output,
  run: (context) => findRunsPlace(context),
};

const adoption = z.strictObject({ id: z.string() });

const adopted = z.strictObject({
  id: z.string(),
  /** Where the runs belonged before. */
  from: z.string(),
});

export const adoptRuns: Operation<typeof adoption, typeof adopted> = {
  name: 'adopt-runs',
  kind: 'command',
  description: 'Makes the runs of another clone belong to this one.',
  input: adoption,
  output: adopted,
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
