/**
 * Runs as directories of one machine: `<runs>/<run>/` with journal.jsonl, inbox/, lease.N, transcripts/.
 * Opening a run for writing means: take the lease, (after a take-over) move the journal, read it, repair a
 * torn end, and only then let a workflow run. Reading never takes the lease.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { ForgeError, messageOf } from '../errors.ts';
import type { RunInfo, Workflow } from './bench.ts';
import type { Clock } from './clock.ts';
import { syncDirectory } from './durable-file.ts';
import type { Engine, ResumeOptions, RunHandle, RunListing, RunOptions, StartRequest } from './engine.ts';
import { Execution } from './execution.ts';
import { type Fact, type FactData, factSchemas, type RefMove, type SignalInput } from './facts.ts';
import { followJournal } from './follow-journal.ts';
import type { Host } from './host.ts';
import { postMessage } from './inbox.ts';
import { type AppendProbe, Journal, readFacts } from './journal.ts';
import { type Lease, readHolder, takeLease } from './lease.ts';
import { moveJournal } from './move-journal.ts';
import { eachFact, type Observer, Observers } from './observers.ts';
import type { RunCommits } from './keyed-effects.ts';
import type { Performers } from './performer.ts';
import { commitsIn } from './named-commits.ts';
import { planReopening } from './reopen.ts';
import { commitsOf, planRepair } from './repair.ts';
import { fold, isOver, type RunState } from './run-state.ts';
import { Writer } from './writer.ts';

export interface FilesEngineOptions {
  /** The directory that holds one directory per run. */
  readonly runs: string;
  /** Called before the first file of a run is made. */
  readonly claim?: () => Promise<void>;
  readonly host: Host;
  readonly clock: Clock;
  readonly workflow: (name: string) => Workflow | Promise<Workflow>;
  /** What puts the result of a run on a branch that has moved. */
  readonly landing?: (state: Readonly<RunState>) => Workflow;
  readonly performers: (run: RunInfo, directory: string) => Promise<Performers>;
  /** The version of Forge and the jail in force, recorded whenever a process opens a run. */
  readonly forge: string;
  /** A function is asked when a run is about to be worked on, before anything of it is touched. */
  readonly jail: string | (() => Promise<string>);
  readonly redact?: (text: string) => string;
  /** Keeps the commits that facts name. */
  readonly commits?: (run: string) => RunCommits;
  /** Called when a process opens a run, with the facts so far; what it returns hears of every fact after. */
  readonly observe?: (directory: string, facts: readonly Fact[]) => Observer;
  /** Told once about an observer that fails. The run goes on. */
  readonly report?: (message: string) => void;
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
    const created = this.#created(request, await this.#options.workflow(request.workflow));
    const jail = await this.#jail();
    this.#assertFree(directory);
    await this.#options.claim?.();
    await this.#options.commits?.(request.run).keep([request.base]);
    this.#makeDirectory(directory);
    const lease = takeLease(directory, this.#options.host);
    const journal = releasing(lease, () => this.#createJournal(directory));
    const writer = new Writer(journal, fold([]), this.#observers(directory, [], options));
    return this.#execute({ writer, journal, lease, directory }, options, { jail, created });
  }

  async resume(run: string, options: ResumeOptions = {}): Promise<RunHandle> {
    const jail = await this.#jail();
    return this.#execute(this.#open(run, options), options, { jail, posts: options.posts });
  }

  async retry(run: string, task: string | readonly string[], options: ResumeOptions = {}): Promise<RunHandle> {
    const jail = await this.#jail();
    const open = this.#open(run, options);
    const tasks = typeof task === 'string' ? [task] : task;
    try {
      // Refused before anything is written.
      if (tasks.length === 0) planRepair(open.writer.state, await this.#gone(run, open.writer.state));
      for (const one of tasks) planReopening(open.writer.state, one);
    } catch (error) {
      close(open);
      throw error;
    }
    return this.#execute(open, options, { jail, reopen: tasks, posts: options.posts });
  }

  async land(
    run: string,
    wish: { readonly branch: string; readonly commit: string },
    options: ResumeOptions = {},
  ): Promise<RunHandle> {
    const jail = await this.#jail();
    const open = this.#open(run, options);
    const { status, reason, output } = open.writer.state;
    if (status !== 'done' && status !== 'failed' && status !== 'cancelled') {
      close(open);
      throw new ForgeError('land-refused', `The run ${run} is not over (${status})`, { hint: `forge resume ${run}` });
    }
    const ended = { status, reason, ...(output === undefined ? {} : { output: output as null }) };
    return this.#execute(open, options, { jail, landing: { ...wish, ended } });
  }

  /** What a person did with the result of a run, written down when nobody is at work on it: for undo to know. */
  async recordRefs(run: string, moves: readonly RefMove[], known?: number): Promise<void> {
    if (moves.length === 0) return;
    await this.#options.commits?.(run).keep(commitsIn(moves));
    const open = this.#open(run, {});
    try {
      const { refs } = open.writer.state;
      const since = known === undefined ? [] : refs.slice(known);
      const missing = moves.filter((move) => !since.some((one) => isSameMove(one, move)));
      // Keys of their own: no workflow asks for these.
      for (const move of missing) open.writer.append('ref.moved', `ref#${refs.length + 1}`, move);
    } finally {
      close(open);
    }
  }

  async signal(run: string, signal: SignalInput): Promise<string> {
    return postMessage(join(this.#existing(run), 'inbox'), this.#options.clock, signal);
  }

  watch(run: string, signal: AbortSignal): AsyncIterable<Fact> {
    return followJournal(journalIn(this.#existing(run)), signal);
  }

  async list(): Promise<readonly RunListing[]> {
    const { runs } = this.#options;
    if (!existsSync(runs)) return [];
    const names = readdirSync(runs, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && runName.test(entry.name),
    );
    return names.map((entry) => this.#listing(entry.name));
  }

  has(run: string): boolean {
    return runName.test(run) && existsSync(journalIn(this.#directory(run)));
  }

  facts(run: string): readonly Fact[] {
    return readFacts(this.#existing(run));
  }

  directoryOf(run: string): string {
    return this.#directory(run);
  }

  async read(run: string): Promise<RunListing> {
    this.#existing(run);
    return this.#listing(run);
  }

  async #jail(): Promise<string> {
    const { jail } = this.#options;
    return typeof jail === 'string' ? jail : jail();
  }

  async #gone(run: string, state: RunState): Promise<readonly string[]> {
    return (await this.#options.commits?.(run).missing(commitsOf(state))) ?? [];
  }

  /** Taken from whoever held it, moved after a take-over, mended where it was torn. */
  #open(run: string, options: ResumeOptions): OpenRun {
    const directory = this.#existing(run);
    const lease = takeLease(directory, this.#options.host, { takeOver: options.takeOver === true });
    const { journal, facts } = releasing(lease, () => {
      if (lease.takenOver !== undefined) moveJournal(directory, lease.takenOver);
      return Journal.open(this.#journalOptions(directory));
    });
    const writer = new Writer(journal, fold(facts), this.#observers(directory, facts, options));
    return { writer, journal, lease, directory };
  }

  #observers(directory: string, facts: readonly Fact[], { onFact }: RunOptions): Observers {
    const { observe, report = () => {} } = this.#options;
    const own = observe === undefined ? undefined : openObserver(() => observe(directory, facts), report);
    const listener = onFact === undefined ? undefined : eachFact('The listener for progress', onFact);
    return new Observers(
      [own, listener].filter((one) => one !== undefined),
      report,
    );
  }

  /** Refuses a bad request before anything exists. */
  #created(request: StartRequest, workflow: Workflow): FactData<'run.created'> {
    const { run, title, base, branch, root, input, settings } = request;
    const created = factSchemas['run.created'].safeParse({
      run,
      title,
      workflow: workflow.name,
      workflowVersion: workflow.version,
      base,
      ...(branch === undefined ? {} : { branch }),
      root,
      input: input ?? null,
      settings: settings ?? null,
      forge: this.#options.forge,
    });
    if (created.success) return created.data;
    throw new ForgeError('bad-input', `The run can not be begun: ${z.prettifyError(created.error)}`, {
      hint: 'Input and settings must be JSON.',
    });
  }

  /** Closes what it was given, whichever way it ends. */
  async #execute(
    open: OpenRun,
    options: RunOptions,
    { jail, created, reopen, landing, posts = [] }: Opening,
  ): Promise<RunHandle> {
    const { writer, lease, directory } = open;
    try {
      if (created !== undefined) writer.append('run.created', '', created);
      if (landing !== undefined) writer.append('landing.started', '', landing);
      if (isOver(writer.state) && reopen === undefined) {
        close(open);
        return overAlready(writer.state);
      }
      const info = runInfo(writer.state);
      const lands = writer.state.landing === undefined ? undefined : this.#options.landing;
      const workflow = lands?.(writer.state) ?? (await this.#options.workflow(writer.state.created?.workflow ?? ''));
      const { host, clock, forge } = this.#options;
      const opened = { holder: host.self, epoch: lease.epoch, forge, workflowVersion: workflow.version, jail };
      writer.append('run.opened', '', opened);
      const inbox = join(directory, 'inbox');
      for (const post of posts) postMessage(inbox, clock, post);
      const execution = new Execution({
        info,
        writer,
        host,
        clock,
        directory,
        performers: await this.#options.performers(info, directory),
        inbox,
        whenWaiting: options.whenWaiting ?? 'stay',
        reopen,
        commits: this.#options.commits?.(info.id),
      });
      const ended = execution.execute(workflow).finally(() => close(open));
      return { run: info.id, state: writer.state, pause: (detail) => execution.suspend('paused', detail), ended };
    } catch (error) {
      close(open);
      throw error;
    }
  }

  #listing(run: string): RunListing {
    const directory = this.#directory(run);
    try {
      // The holder first: a run that ends while it is looked at must not seem abandoned.
      const held = readHolder(directory, this.#options.host).status;
      if (!existsSync(journalIn(directory))) throw new Error('it was never begun');
      const state = fold(readFacts(directory));
      const unfinished = state.status === 'running' || state.status === 'created';
      const gone = unfinished && (held === 'dead' || held === 'free');
      return { run, status: gone ? 'interrupted' : state.status, directory, state, problem: undefined };
    } catch (error) {
      return { run, status: 'unreadable', directory, state: undefined, problem: messageOf(error) };
    }
  }

  #journalOptions(directory: string) {
    const { clock, redact, probe } = this.#options;
    return {
      file: journalIn(directory),
      clock,
      ...(redact === undefined ? {} : { redact }),
      ...(probe === undefined ? {} : { probe }),
    };
  }

  /** What agents said may be private: the directories are the user's alone. */
  #makeDirectory(directory: string): void {
    const { runs } = this.#options;
    mkdirSync(join(directory, 'inbox'), { recursive: true, mode: 0o700 });
    mkdirSync(join(directory, 'transcripts'), { recursive: true, mode: 0o700 });
    for (const made of [directory, runs, dirname(runs)]) syncDirectory(made);
  }

  /** A start that was killed before its first fact left nothing: the name is free. */
  #assertFree(directory: string): void {
    if (!existsSync(directory)) return;
    const held = readHolder(directory, this.#options.host).status;
    if (!hasBegun(directory) && held !== 'live' && held !== 'foreign') return;
    throw new ForgeError('run-exists', `There is a run ${basename(directory)} already`, {
      hint: 'Resume it, or choose another name.',
    });
  }

  /** The caller holds the lease, so nobody else can begin here any more. */
  #createJournal(directory: string): Journal {
    if (hasBegun(directory)) {
      throw new ForgeError('run-exists', `The run ${basename(directory)} was begun just now by another process`);
    }
    rmSync(journalIn(directory), { force: true });
    return Journal.create(this.#journalOptions(directory));
  }

  #existing(run: string): string {
    const directory = this.#directory(run);
    if (existsSync(journalIn(directory))) return directory;
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

interface Opening {
  /** The one in force. */
  readonly jail: string;
  readonly created?: FactData<'run.created'>;
  /** Tasks to be tried again. */
  readonly reopen?: readonly string[];
  /** A result to put on a branch. */
  readonly landing?: FactData<'landing.started'>;
  /** Heard of first. */
  readonly posts?: readonly SignalInput[] | undefined;
}

function isSameMove(a: RefMove, b: RefMove): boolean {
  return a.ref === b.ref && a.before === b.before && a.after === b.after;
}

function close({ writer, journal, lease }: OpenRun): void {
  writer.flush();
  journal.close();
  lease.release();
}

/** An observer that can not even begin is reported like one that fails later. */
function openObserver(open: () => Observer, report: (message: string) => void): Observer | undefined {
  try {
    return open();
  } catch (error) {
    report(`Following the run failed: ${messageOf(error)}. The run is not affected.`);
    return undefined;
  }
}

function journalIn(directory: string): string {
  return join(directory, 'journal.jsonl');
}

function hasBegun(directory: string): boolean {
  const file = journalIn(directory);
  return existsSync(file) && readFacts(directory).length > 0;
}

function releasing<T>(lease: Lease, action: () => T): T {
  try {
    return action();
  } catch (error) {
    lease.release();
    throw error;
  }
}

function runInfo({ created }: RunState): RunInfo {
  if (created === undefined)
    throw new ForgeError('unknown-run', 'The run was never begun', { hint: 'Start it again.' });
  const { run: id, title, workflowVersion, base, branch, root, input, settings } = created;
  return { id, title, workflowVersion, base, branch, root, input, settings };
}

function overAlready(state: RunState): RunHandle {
  const { status, reason, output } = state;
  const end = { status: status as 'done' | 'failed' | 'cancelled', reason, output };
  return { run: state.created?.run ?? '', state, pause: () => {}, ended: Promise.resolve(end) };
}
