/** Where the runs of a repository lie: one directory per run, named after it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '../../errors.ts';

/** Where all of them are, in the folder that a repository has on this machine. */
export function runsFolder(stateFolder: string): string {
  return join(stateFolder, 'runs');
}

const runName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export class RunsDirectory {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Whether or not there is such a run. */
  of(run: string): string {
    if (runName.test(run)) return join(this.root, run);
    throw new ForgeError('bad-input', `${JSON.stringify(run)} cannot be the name of a run`, {
      hint: 'A run is named by letters, digits, dots, dashes and underscores.',
    });
  }

  has(run: string): boolean {
    return runName.test(run) && existsSync(journalIn(this.of(run)));
  }

  /** Of a run that was begun. */
  existing(run: string): string {
    const directory = this.of(run);
    if (existsSync(journalIn(directory))) return directory;
    throw unknownRun(run);
  }

  /** Of a run that was begun, or was about to be. */
  known(run: string): string {
    const directory = this.of(run);
    if (existsSync(directory)) return directory;
    throw unknownRun(run);
  }

  names(): readonly string[] {
    if (!existsSync(this.root)) return [];
    return readdirSync(this.root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && runName.test(entry.name))
      .map((entry) => entry.name);
  }
}

function unknownRun(run: string): ForgeError {
  return new ForgeError('unknown-run', `There is no run ${run}`, { hint: 'List the runs to see what there is.' });
}

export function journalIn(directory: string): string {
  return join(directory, 'journal.jsonl');
}

export function inboxIn(directory: string): string {
  return join(directory, 'inbox');
}
