/**
 * Where interfaces meet implementations for those who only look at runs: no settings, no agents, no git process. Loads
 * little, because most commands only look.
 */
import { join } from 'node:path';
import type { RunReader } from './engine/engine.ts';
import { FilesReader } from './engine/files/files-reader.ts';
import { locateRuns } from './git/locate-runs.ts';
import { isAlive, ownIdentity } from './process/identity.ts';

export interface OpenedReader {
  readonly engine: RunReader;
  /** Where all of them are, as a person would look for them. */
  readonly place: string;
  /** Other repositories have runs on this machine: some may be clones of this one. */
  readonly hasOthers: boolean;
}

/** Undefined where the repository has to be opened as a whole to know which runs are its own. */
export async function openReader(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<OpenedReader | undefined> {
  const found = await locateRuns(cwd, env);
  if (found === undefined) return undefined;
  const place = join(found.stateFolder, 'runs');
  const engine = new FilesReader({ runs: place, host: { self: ownIdentity(), isAlive }, describe: describeRuns });
  return { engine, place, hasOthers: found.hasOthers };
}

/** Loaded when a run is to be described that is not over. */
export async function describeRuns() {
  return (await import('./views/step-lines.ts')).describeStanding;
}
