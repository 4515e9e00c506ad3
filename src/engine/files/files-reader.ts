/**
 * Runs on files, for those who only look: which there are, how they stand, their facts, and what lies beside them. Takes
 * no lease. Loads no schemas: what is read was checked when it was written, and its hashes say that it still is that.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../errors.ts';
import { type LineMatches, type LinePage, readLines, searchLines } from '../../files/line-index.ts';
import type { FactTail, ListedStatus, Message, RunListing, RunReader, RunSummary, SummaryOptions } from '../engine.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Fact, Signal } from '../facts.ts';
import type { RunArtifacts } from '../run-artifacts.ts';
import type { RunState, RunStatus } from '../run-state.ts';
import { emptySummary } from '../run-summary.ts';
import { dropMessage } from './drop-message.ts';
import { FileArtifacts } from './file-artifacts.ts';
import { followJournal } from './follow-journal.ts';
import { type JournalPlace, JournalTail, pieceBytes } from './journal-file.ts';
import { type KnownHost, readHolder } from './lease.ts';
import { type RunIndex, readIndex, verifiedPlace, writeIndex } from './run-index.ts';
import { inboxIn, journalIn, RunsDirectory } from './runs-directory.ts';
import { watchDirectory } from './watch-directory.ts';

export interface FilesReaderOptions {
  /** The directory that holds one directory per run. */
  readonly runs: string;
  readonly host: KnownHost;
  /** By default the system's. */
  readonly clock?: Clock;
  /** Says in words where a run stands that is not over; loaded when there is one to describe. */
  readonly describe?: () => Promise<(state: RunState) => string>;
}

export class FilesReader implements RunReader {
  protected readonly directories: RunsDirectory;
  readonly #options: FilesReaderOptions;
  /** How far facts were read, by run: those who ask for what is new get it without what is old being read. */
  readonly #read = new Map<string, JournalPlace>();

  constructor(options: FilesReaderOptions) {
    this.directories = new RunsDirectory(options.runs);
    this.#options = options;
  }

  async list(options: SummaryOptions = {}): Promise<readonly RunSummary[]> {
    const summaries: RunSummary[] = [];
    for (const run of this.directories.names()) summaries.push(await this.#summary(run, options));
    return summaries;
  }

  async summarize(run: string, options: SummaryOptions = {}): Promise<RunSummary> {
    this.directories.known(run);
    return this.#summary(run, options);
  }

  async read(run: string): Promise<RunListing> {
    const directory = this.directories.known(run);
    try {
      if (!existsSync(journalIn(directory))) throw neverBegun();
      // The holder first: a run that ends while it is looked at must not seem abandoned.
      const held = readHolder(directory, this.#options.host).status;
      const { foldRun } = await import('../run-state.ts');
      const state = foldRun(new JournalTail(journalIn(directory)).read());
      return { run, status: statusNow(state.status, held), state, problem: undefined };
    } catch (error) {
      return { run, status: 'unreadable', state: undefined, problem: messageOf(error) };
    }
  }

  async has(run: string): Promise<boolean> {
    return this.directories.has(run);
  }

  async facts(run: string, after = 0): Promise<readonly Fact[]> {
    const directory = this.directories.existing(run);
    const known = this.#read.get(run);
    const from = known !== undefined && known.seq <= after ? known : undefined;
    const tail = new JournalTail(journalIn(directory), { from });
    const facts = tail.read();
    if (tail.place !== undefined) this.#read.set(run, tail.place);
    return facts.filter((fact) => fact.seq > after);
  }

  watch(run: string, signal: AbortSignal, after = 0): AsyncIterable<Fact> {
    return followJournal(journalIn(this.directories.existing(run)), signal, after);
  }

  tail(run: string): FactTail {
    const directory = this.directories.existing(run);
    const file = journalIn(directory);
    const tail = new JournalTail(file, { verified: verifiedPlace(directory) });
    return {
      next: async () => tail.read(pieceBytes),
      onChange: (listener) => watchDirectory(dirname(file), listener),
    };
  }

  async journal(run: string, from: number, count: number): Promise<LinePage> {
    return readLines(journalIn(this.directories.existing(run)), from, count);
  }

  async searchJournal(run: string, fits: (line: string) => boolean, most: number): Promise<LineMatches> {
    return searchLines(journalIn(this.directories.existing(run)), fits, most);
  }

  async messages(run: string): Promise<readonly Message[]> {
    const inbox = inboxIn(this.directories.of(run));
    if (!existsSync(inbox)) return [];
    return (await import('./inbox.ts')).readMessages(inbox);
  }

  async post(run: string, signal: Signal): Promise<string> {
    const inbox = inboxIn(this.directories.existing(run));
    return dropMessage(inbox, this.#options.clock ?? systemClock, signal);
  }

  artifacts(run: string): RunArtifacts {
    return new FileArtifacts(this.directories.of(run));
  }

  describePlace(run: string): string {
    return this.directories.of(run);
  }

  async #summary(run: string, { withStanding = true }: SummaryOptions): Promise<RunSummary> {
    const directory = this.directories.of(run);
    try {
      if (!existsSync(journalIn(directory))) throw neverBegun();
      let index = readIndex(directory);
      let held: Held = 'live';
      if (isUnfinished(index.summary.status)) {
        held = readHolder(directory, this.#options.host).status;
        // It may have ended between the two looks: then it is not abandoned.
        if (held === 'dead' || held === 'free') index = readIndex(directory);
      }
      const { summary, standing = '' } = withStanding ? await this.#described(directory, index) : index;
      return { ...summary, run, status: statusNow(summary.status, held), standing, problem: undefined };
    } catch (error) {
      return { ...emptySummary(), run, status: 'unreadable', standing: '', problem: messageOf(error) };
    }
  }

  /** Said once for each place a run comes to. */
  async #described(directory: string, index: RunIndex): Promise<RunIndex> {
    const { describe } = this.#options;
    const isOver = ['done', 'failed', 'cancelled'].includes(index.summary.status);
    if (isOver || index.standing !== undefined || describe === undefined) return index;
    const [describeState, { foldRun }] = await Promise.all([describe(), import('../run-state.ts')]);
    const standing = describeState(foldRun(new JournalTail(journalIn(directory)).read()));
    const described = { ...index, standing };
    writeIndex(directory, described);
    return described;
  }
}

function neverBegun(): Error {
  return new Error('it was never begun');
}

type Held = 'free' | 'live' | 'dead' | 'foreign';

function isUnfinished(status: RunStatus): boolean {
  return status === 'running' || status === 'created';
}

/** A run that its journal says is going on, and that nobody holds, was interrupted. */
function statusNow(status: RunStatus, held: Held): ListedStatus {
  return isUnfinished(status) && (held === 'dead' || held === 'free') ? 'interrupted' : status;
}
