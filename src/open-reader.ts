/**
 * Where interfaces meet implementations for those who only look at runs: no settings, no agents, no git process. Loads
 * little, because most commands only look.
 */
import type { RunReader } from './engine/engine.ts';
import { FilesReader } from './engine/files/files-reader.ts';
import { runsFolder } from './engine/files/runs-directory.ts';
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
  return { ...openRunsOf(found.stateFolder), hasOthers: found.hasOthers };
}

/** The runs of a repository whose folder is known. */
export function openRunsOf(stateFolder: string): Pick<OpenedReader, 'engine' | 'place'> {
  const place = runsFolder(stateFolder);
  const engine = new FilesReader({ runs: place, host: { self: ownIdentity(), isAlive }, describe: describeRuns });
  return { engine, place };
}

/** Loaded when a run is to be described that is not over. */
export async function describeRuns() {
  return (await import('./views/step-lines.ts')).describeStanding;
}
