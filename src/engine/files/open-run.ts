/**
 * A run that this process holds: its lease, its journal, and the state folded from it. Opening means: take the lease,
 * (after a take-over) move the journal, read it, repair a torn end. Closing lets the run go again, in the other order.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ForgeError, messageOf } from '../../errors.ts';
import type { Fact } from '../facts.ts';
import type { Host } from '../host.ts';
import { eachFact, type Observer, Observers } from '../observers.ts';
import { foldRun, type RunState } from '../run-state.ts';
import { advanceSummary, emptySummary } from '../run-summary.ts';
import { Writer } from '../writer.ts';
import { syncDirectory } from './durable-file.ts';
import { Journal, type JournalOptions } from './journal.ts';
import { readJournalFile } from './journal-file.ts';
import { type Lease, readHolder, takeLease } from './lease.ts';
import { moveJournal } from './move-journal.ts';
import { journalChangedMs, writeIndex } from './run-index.ts';
import { inboxIn, journalIn } from './runs-directory.ts';

export interface OpenRun {
  readonly writer: Writer;
  readonly journal: Journal;
  readonly lease: Lease;
  readonly directory: string;
}

export interface OpenRunOptions {
  readonly host: Host;
  readonly journal: Omit<JournalOptions, 'file'>;
  readonly observe?: ((facts: readonly Fact[]) => readonly Observer[]) | undefined;
  readonly onOpen?: ((facts: readonly Fact[]) => void) | undefined;
  readonly onFact?: ((fact: Fact) => void) | undefined;
  readonly report?: ((message: string) => void) | undefined;
  readonly describe?: ((state: RunState) => string) | undefined;
}

/** Refuses a name that is in use. A start that was killed before its first fact left nothing: the name is free. */
export function assertFree(directory: string, host: Host): void {
  if (!existsSync(directory)) return;
  const held = readHolder(directory, host).status;
  if (!hasBegun(directory) && held !== 'live' && held !== 'foreign') return;
  throw new ForgeError('run-exists', `There is a run ${basename(directory)} already`, {
    hint: 'Resume it, or choose another name.',
  });
}

export function createRun(directory: string, options: OpenRunOptions): OpenRun {
  makeDirectory(directory);
  const lease = takeLease(directory, options.host);
  const journal = releasing(lease, () => {
    // The lease is ours, so nobody else can begin here any more.
    if (hasBegun(directory)) {
      throw new ForgeError('run-exists', `The run ${basename(directory)} was begun just now by another process`);
    }
    rmSync(journalIn(directory), { force: true });
    return Journal.create({ ...options.journal, file: journalIn(directory) });
  });
  return opened(directory, { lease, journal, facts: [] }, options);
}

/** Taken from whoever held it, moved after a take-over, repaired where it was torn. */
export function openRun(directory: string, options: OpenRunOptions & { readonly takeOver: boolean }): OpenRun {
  const lease = takeLease(directory, options.host, { takeOver: options.takeOver });
  const { journal, facts } = releasing(lease, () => {
    if (lease.takenOver !== undefined) moveJournal(directory, lease.takenOver);
    return Journal.open({ ...options.journal, file: journalIn(directory) });
  });
  return opened(directory, { lease, journal, facts }, options);
}

export async function closeRun({ writer, journal, lease }: OpenRun): Promise<void> {
  try {
    await writer.settle();
  } finally {
    journal.close();
    lease.release();
  }
}

function opened(
  directory: string,
  { lease, journal, facts }: { lease: Lease; journal: Journal; facts: readonly Fact[] },
  options: OpenRunOptions,
): OpenRun {
  const { observe, onOpen, onFact = () => {}, report = () => {}, describe } = options;
  const state = foldRun(facts);
  const observers = [
    indexKeeper({ directory, journal, state, describe }, facts),
    ...openObservers(() => observe?.(facts) ?? [], report),
    ...openObservers(() => {
      onOpen?.(facts);
      return [eachFact('The listener for progress', onFact)];
    }, report),
  ];
  return { directory, lease, journal, writer: new Writer(journal, state, new Observers(observers, report)) };
}

/** Keeps the index in step while this process writes. Off the write path, like every observer. */
function indexKeeper(
  at: {
    readonly directory: string;
    readonly journal: Journal;
    readonly state: RunState;
    readonly describe: OpenRunOptions['describe'];
  },
  facts: readonly Fact[],
): Observer {
  const { directory, journal, state, describe } = at;
  let summary = advanceSummary(emptySummary(), facts);
  return {
    name: 'Keeping the index',
    take: (added) => {
      summary = advanceSummary(summary, added);
      const { end: place } = journal;
      if (place.seq !== summary.seq) return;
      writeIndex(directory, { place, changedMs: journalChangedMs(directory), summary, standing: describe?.(state) });
    },
  };
}

/** Observers that cannot even begin are reported like one that fails later. */
function openObservers(open: () => readonly Observer[], report: (message: string) => void): readonly Observer[] {
  try {
    return open();
  } catch (error) {
    report(`Following the run failed: ${messageOf(error)}. The run is not affected.`);
    return [];
  }
}

/** What agents said may be private: the directories are the user's alone. */
function makeDirectory(directory: string): void {
  const runs = dirname(directory);
  mkdirSync(inboxIn(directory), { recursive: true, mode: 0o700 });
  mkdirSync(join(directory, 'transcripts'), { recursive: true, mode: 0o700 });
  for (const made of [directory, runs, dirname(runs)]) syncDirectory(made);
}

function hasBegun(directory: string): boolean {
  const file = journalIn(directory);
  return existsSync(file) && readJournalFile(file).facts.length > 0;
}

function releasing<T>(lease: Lease, action: () => T): T {
  try {
    return action();
  } catch (error) {
    lease.release();
    throw error;
  }
}
