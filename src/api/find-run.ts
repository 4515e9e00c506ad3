/** Reads for operations: the run a person means, and its facts as a chronicle. Takes no lease and changes nothing. */
import { join } from 'node:path';
import type { RunListing } from '../engine/engine.ts';
import { readJournalFile } from '../engine/journal.ts';
import { type Chronicle, chronicleOf } from '../views/chronicle.ts';
import { chooseRun, type Wanted } from './choose-run.ts';
import type { ApiContext } from './operation.ts';

export async function findRun(context: ApiContext, wanted: Wanted): Promise<RunListing> {
  const { engine } = await context.forge();
  return chooseRun(await engine.list(), wanted);
}

/** Throws what is wrong with the journal when it can not be read. */
export function readChronicle({ directory }: Pick<RunListing, 'directory'>): Chronicle {
  return chronicleOf(readJournalFile(join(directory, 'journal.jsonl')).facts);
}
