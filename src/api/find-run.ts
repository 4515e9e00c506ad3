/** Reads for operations: the run a person means, and its facts as a chronicle. Takes no lease and changes nothing. */
import type { RunListing } from '../engine/engine.ts';
import { readFacts } from '../engine/journal.ts';
import { ForgeError } from '../errors.ts';
import { type Chronicle, chronicleOf } from '../views/chronicle.ts';
import { chooseRun, newestFirst, type Wanted } from './choose-run.ts';
import type { ApiContext } from './operation.ts';
import { hintElsewhere } from './runs-place.ts';

export async function findRun(context: ApiContext, wanted: Wanted): Promise<RunListing> {
  const { engine } = await context.reader();
  try {
    return chooseRun(await engine.list(), wanted);
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== 'unknown-run' || wanted.run === undefined) throw error;
    const hint = await hintElsewhere(context, wanted.run);
    throw hint === undefined ? error : new ForgeError('unknown-run', error.message, { hint });
  }
}

/** Newest first. */
export async function runsThat(
  context: ApiContext,
  fits: (listing: RunListing) => boolean,
): Promise<readonly RunListing[]> {
  const { engine } = await context.reader();
  return newestFirst((await engine.list()).filter(fits));
}

/** Throws what is wrong with the journal when it can not be read. */
export function readChronicle({ directory }: Pick<RunListing, 'directory'>): Chronicle {
  return chronicleOf(readFacts(directory));
}
