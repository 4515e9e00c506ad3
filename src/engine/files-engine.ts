/**
 * Runs as directories of one machine: `<runs>/<run>/` with journal.jsonl, inbox/, lease.N, transcripts/.
 * Opening a run for writing means: take the lease, (after a take-over) move the journal, read it, repair a
 * torn end, and only then let a workflow run. Reading never takes the lease.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { RunInfo, Workflow } from './bench.ts';
import type { Clock } from './clock.ts';
import { syncDirectory } from './durable-file.ts';
import type { Engine, ResumeOptions, RunHandle, RunListing, RunOptions, StartRequest } from './engine.ts';
import { Execution } from './execution.ts';
import type { Fact, FactInput, SignalInput } from './facts.ts';
import { followJournal } from './follow-journal.ts';
import type { Host } from './host.ts';
import { postMessage } from './inbox.ts';
import { type AppendProbe, Journal, readJournalFile } from './journal.ts';
import { type Lease, readHolder, takeLease } from './lease.ts';
import type { Performers } from './performer.ts';
import { fold, isOver, type RunState } from './run-state.ts';
import { Writer } from './writer.ts';

export interface FilesEngineOptions {
  /** The directory that holds one directory per run. */
  readonly runs: string;
  readonly host: Host;
  readonly clock: Clock;
  readonly workflow: (name: string) => Workflow;
  readonly performers: (run: RunInfo, directory: string) => Promise<Performers>;
  /** The version of Forge and the jail in force, recorded whenever a process opens a run. */
  readonly forge: string;
  readonly jail: string;
  readonly redact?: (text: string) => string;
  readonly probe?: AppendProbe;
}

const runName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export class FilesEngine implements Engine {
  readonly #options: FilesEngineOptions;

  constructor(options: FilesEngineOptions) {
    this.#options = options;
  }

  async start(request: StartRequest, options: RunOptions = {}): Promise<RunHandle> {
    const directory = this.#directory(request.run);
    if (!this.#clearUnbegun(directory)) {
      throw new ForgeError('run-exists', `There is a run ${request.run} already`, {
        hint: 'Resume it, or choose another name.',
      });
    }
    const workflow = this.#options.workflow(request.workflow);
    this.#makeDirectory(directory);
    const lease = takeLease(directory, this.#options.host);
    const journal = Journal.create(this.#journalOptions(directory));
    const writer = new Writer(journal, fold([]), options.onFact);
    writer.append('run.created', '', this.#created(request, workflow));
    return this.#execute({ writer, journal, lease, directory }, options);
  }

  async resume(run: string, options: ResumeOptions = {}): Promise<RunHandle> {
    const directory = this.#existing(run);
    const { host } = this.#options;
    const lease = takeLease(directory, host, { takeOver: options.takeOver === true });
    const { journal, facts } = this.#openJournal(directory, lease);
    const writer = new Writer(journal, fold(facts), options.onFact);
    return this.#execute({ writer, journal, lease, directory }, options);
  }

  async signal(run: string, signal: SignalInput): Promise<string> {
    return postMessage(join(this.#existing(run), 'inbox'), this.#options.clock, signal);
  }

  watch(run: string, signal: AbortSignal): AsyncIterable<Fact> {
    return followJournal(join(this.#existing(run), 'journal.jsonl'), signal);
  }

  async list(): Promise<readonly RunListing[]> {
    const { runs } = this.#options;
    if (!existsSync(runs)) return [];
    const names = readdirSync(runs, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && runName.test(entry.name),
    );
    return names.map((entry) => this.#listing(entry.name));
  }

  async read(run: string): Promise<RunListing> {
    this.#existing(run);
    return this.#listing(run);
  }

  #created(request: StartRequest, workflow: Workflow): FactInput<'run.created'> {
    const { run, title, base, branch, root, input, settings } = request;
    return {
      run,
      title,
      workflow: workflow.name,
      workflowVersion: workflow.version,
      base,
      ...(branch === undefined ? {} : { branch }),
      root,
      input: (input ?? null) as null,
      settings: (settings ?? null) as null,
      forge: this.#options.forge,
    };
  }

  #openJournal(directory: string, lease: Lease): { journal: Journal; facts: readonly Fact[] } {
    try {
      if (lease.foreign) moveJournal(directory, lease.epoch);
      return Journal.open(this.#journalOptions(directory));
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  /** Closes what it was given, whichever way it ends. */
  async #execute(open: OpenRun, options: RunOptions): Promise<RunHandle> {
    const { writer, journal, lease, directory } = open;
    const close = (): void => {
      journal.close();
      lease.release();
    };
    try {
      if (isOver(writer.state)) {
        close();
        return overAlready(writer.state);
      }
      const info = runInfo(writer.state);
      const workflow = this.#options.workflow(writer.state.created?.workflow ?? '');
      const { host, clock, forge, jail } = this.#options;
      const opened = { holder: host.self, epoch: lease.epoch, forge, workflowVersion: workflow.version, jail };
      writer.append('run.opened', '', opened);
      const execution = new Execution({
        info,
        writer,
        host,
        clock,
        directory,
        performers: await this.#options.performers(info, directory),
        inbox: join(directory, 'inbox'),
        whenWaiting: options.whenWaiting ?? 'stay',
      });
      const ended = execution.execute(workflow).finally(close);
      return { run: info.id, state: writer.state, pause: (detail) => execution.suspend('paused', detail), ended };
    } catch (error) {
      close();
      throw error;
    }
  }

  #listing(run: string): RunListing {
    const directory = this.#directory(run);
    try {
      const state = fold(readJournalFile(join(directory, 'journal.jsonl')).facts);
      const held = readHolder(directory, this.#options.host).status;
      const unfinished = state.status === 'running' || state.status === 'created';
      const gone = unfinished && (held === 'dead' || held === 'free');
      return { run, status: gone ? 'interrupted' : state.status, directory, state, problem: undefined };
    } catch (error) {
      return { run, status: 'unreadable', directory, state: undefined, problem: (error as Error).message };
    }
  }

  #journalOptions(directory: string) {
    const { clock, redact, probe } = this.#options;
    return {
      file: join(directory, 'journal.jsonl'),
      clock,
      ...(redact === undefined ? {} : { redact }),
      ...(probe === undefined ? {} : { probe }),
    };
  }

  /** Nothing below `runs` is for the user's repository: the directory ignores itself. */
  #makeDirectory(directory: string): void {
    mkdirSync(this.#options.runs, { recursive: true });
    writeFileSync(join(this.#options.runs, '.gitignore'), '*\n');
    mkdirSync(join(directory, 'inbox'), { recursive: true });
    mkdirSync(join(directory, 'transcripts'));
    syncDirectory(directory);
  }

  /** A start that was killed before its first fact left nothing: the name is free. False: there is a run. */
  #clearUnbegun(directory: string): boolean {
    if (!existsSync(directory)) return true;
    const file = join(directory, 'journal.jsonl');
    const begun = existsSync(file) && readJournalFile(file).facts.length > 0;
    const held = readHolder(directory, this.#options.host).status;
    if (begun || held === 'live' || held === 'foreign') return false;
    rmSync(directory, { recursive: true });
    return true;
  }

  #existing(run: string): string {
    const directory = this.#directory(run);
    if (existsSync(join(directory, 'journal.jsonl'))) return directory;
    throw new ForgeError('unknown-run', `There is no run ${run}`, { hint: 'List the runs to see what there is.' });
  }

  #directory(run: string): string {
    if (runName.test(run)) return join(this.#options.runs, run);
    throw new ForgeError('bad-input', `${JSON.stringify(run)} can not be the name of a run`, {
      hint: 'A run is named by letters, digits, dots, dashes and underscores.',
    });
  }
}

interface OpenRun {
  readonly writer: Writer;
  readonly journal: Journal;
  readonly lease: Lease;
  readonly directory: string;
}

/** The old file stays beside the new one: a holder that wakes up writes there or nowhere. */
function moveJournal(directory: string, epoch: number): void {
  const file = join(directory, 'journal.jsonl');
  const aside = join(directory, `journal.before-${epoch}.jsonl`);
  copyFileSync(file, `${file}.tmp`);
  renameSync(file, aside);
  renameSync(`${file}.tmp`, file);
  syncDirectory(file);
}

function runInfo({ created }: RunState): RunInfo {
  if (created === undefined)
    throw new ForgeError('unknown-run', 'The run was never begun', { hint: 'Start it again.' });
  const { run: id, title, base, branch, root, input, settings } = created;
  return { id, title, base, branch, root, input, settings };
}

function overAlready(state: RunState): RunHandle {
  const { status, reason, output } = state;
  const end = { status: status as 'done' | 'failed' | 'cancelled', reason, output };
  return { run: state.created?.run ?? '', state, pause: () => {}, ended: Promise.resolve(end) };
}
