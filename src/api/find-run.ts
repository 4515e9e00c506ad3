/** Reads for operations: the run a person means, and its facts as a chronicle. Takes no lease and changes nothing. */
import type { RunListing, RunReader, RunSummary } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { type Chronicle, chronicleOf } from '../views/chronicle.ts';
import { chooseRun, newestFirst, type WantedRun } from './choose-run.ts';
import type { ApiContext } from './context.ts';

/** With its whole state: of this run alone the journal is read. */
export async function findRun(context: ApiContext, wanted: WantedRun): Promise<RunListing> {
  const { engine } = await context.runs();
  return engine.read((await findSummary(context, wanted)).run);
}

/** The run in short: no journal is read. */
export async function findSummary(context: ApiContext, wanted: WantedRun): Promise<RunSummary> {
  const { engine } = await context.runs();
  try {
    // A whole name settles it: the other runs are not looked at.
    if (wanted.run !== undefined && (await engine.has(wanted.run))) return await engine.summarize(wanted.run);
    return chooseRun(await engine.list(), wanted);
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== 'unknown-run' || wanted.run === undefined) throw error;
    const { hintElsewhere } = await import('./find-runs-place.ts');
    const hint = await hintElsewhere(context, wanted.run);
    throw hint === undefined ? error : new ForgeError('unknown-run', error.message, { hint });
  }
}

/** Newest first. */
export async function runsThat(
  context: ApiContext,
  fits: (run: RunSummary) => boolean,
): Promise<readonly RunSummary[]> {
  const { engine } = await context.runs();
  return newestFirst((await engine.list()).filter(fits));
}

/** Throws what is wrong with the journal when it cannot be read. */
export async function readChronicle(engine: RunReader, run: string): Promise<Chronicle> {
  return chronicleOf(await engine.facts(run));
}
