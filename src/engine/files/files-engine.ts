/**
 * Runs as directories of one machine: `<runs>/<run>/` with journal.jsonl, blobs/, inbox/, lease.N, index.json, and what
 * is kept beside the facts. Nobody outside this folder knows that. One process works on a run at a time (open-run.ts);
 * reading never takes the lease (files-reader.ts).
 */
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../../errors.ts';
import type { RunInfo, Workflow } from '../bench.ts';
import type { Clock } from '../clock.ts';
import type { Engine, ResumeOptions, RunHandle, RunOptions, StartRequest } from '../engine.ts';
import { Execution, type ExecutionEnd } from '../execution.ts';
import type { AppendProbe } from '../fact-log.ts';
import { type Fact, type FactData, factSchemas, type RefMove, type SignalInput } from '../facts.ts';
import type { Host } from '../host.ts';
import type { RunCommits } from '../keyed-effects.ts';
import { Mutexes } from '../mutexes.ts';
import { commitsIn } from '../named-commits.ts';
import type { Observer } from '../observers.ts';
import type { Performers } from '../performer.ts';
import { planReopening } from '../reopen.ts';
import { commitsOf, planRepair } from '../repair.ts';
import type { RunArtifacts } from '../run-artifacts.ts';
import { isRunOver, type RunState } from '../run-state.ts';
import { FilesReader, type FilesReaderOptions } from './files-reader.ts';
import { openInbox, postMessage } from './inbox.ts';
import { assertFree, closeRun, createRun, type OpenRun, type OpenRunOptions, openRun } from './open-run.ts';
import { inboxIn } from './runs-directory.ts';

export interface FilesEngineOptions extends FilesReaderOptions {
  /** Called before the first file of a run is made. */
  readonly claim?: () => Promise<void>;
  readonly host: Host;
  readonly clock: Clock;
  readonly workflow: (name: string) => Workflow | Promise<Workflow>;
  /** What puts the result of a run on a branch that has moved. */
  readonly landing?: (state: Readonly<RunState>) => Workflow;
  readonly performers: (run: RunInfo, artifacts: RunArtifacts) => Promise<Performers>;
  /** The version of Forge and the jail in force, recorded whenever a process opens a run. */
  readonly forge: string;
  /** A function is asked when a run is about to be worked on, before anything of it is touched. */
  readonly jail: string | (() => Promise<string>);
  readonly redact?: (text: string) => string;
  /** Keeps the commits that facts name. */
  readonly commits?: (run: string) => RunCommits;
  /** Called when a process opens a run, with the facts so far; what it returns hears of every fact after. */
  readonly observe?: (artifacts: RunArtifacts, facts: readonly Fact[]) => readonly Observer[];
  /** Told once about an observer that fails. The run goes on. */
  readonly report?: (message: string) => void;
  readonly probe?: AppendProbe;
}

export class FilesEngine extends FilesReader implements Engine {
  readonly #options: FilesEngineOptions;

  constructor(options: FilesEngineOptions) {
    super(options);
    this.#options = options;
  }

  async start(request: StartRequest, options: RunOptions = {}): Promise<RunHandle> {
    const { clock, host, claim, commits, workflow } = this.#options;
    const directory = this.directories.of(request.run);
    const created = this.#created(request, await workflow(request.workflow));
    const jail = await this.#jail();
    assertFree(directory, host);
    await claim?.();
    await commits?.(request.run).keep([request.base]);
    const open = createRun(directory, await this.#opening(request.run, options));
    for (const post of request.posts ?? []) postMessage(inboxIn(directory), clock, post);
    return this.#execute(open, options, { jail, created });
  }

  async resume(run: string, options: ResumeOptions = {}): Promise<RunHandle> {
    const jail = await this.#jail();
    return this.#execute(await this.#open(run, options), options, { jail, posts: options.posts });
  }

  async retry(run: string, task: string | readonly string[], options: ResumeOptions = {}): Promise<RunHandle> {
    const jail = await this.#jail();
    const open = await this.#open(run, options);
    const tasks = typeof task === 'string' ? [task] : task;
    try {
      // Refused before anything is written.
      if (tasks.length === 0) planRepair(open.writer.state, await this.#gone(run, open.writer.state));
      for (const one of tasks) planReopening(open.writer.state, one);
    } catch (error) {
      await closeRun(open);
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
    const open = await this.#open(run, options);
    const { status, reason, output } = open.writer.state;
    if (status !== 'done' && status !== 'failed' && status !== 'cancelled') {
      await closeRun(open);
      throw new ForgeError('land-refused', `The run ${run} is not over (${status})`, { hint: `forge resume ${run}` });
    }
    const ended = { status, reason, ...(output === undefined ? {} : { output: output as null }) };
    return this.#execute(open, options, { jail, landing: { ...wish, ended } });
  }

  /** What a person did with the result of a run, written down when nobody is at work on it: for undo to know. */
  async recordRefs(run: string, moves: readonly RefMove[], known?: number): Promise<void> {
    if (moves.length === 0) return;
    await this.#options.commits?.(run).keep(commitsIn(moves));
    const open = await this.#open(run, {});
    try {
      const { refs } = open.writer.state;
      const since = known === undefined ? [] : refs.slice(known);
      const missing = moves.filter((move) => !since.some((one) => isSameMove(one, move)));
      // Keys of their own: no workflow asks for these.
      for (const move of missing) open.writer.append('ref.moved', `ref#${refs.length + 1}`, move);
    } finally {
      await closeRun(open);
    }
  }

  async catchUp(run: string): Promise<void> {
    await closeRun(await this.#open(run, {}));
  }

  async signal(run: string, signal: SignalInput): Promise<string> {
    return postMessage(inboxIn(this.directories.existing(run)), this.#options.clock, signal);
  }

  /** Out of its place first: half a journal must not look like a run. */
  async remove(run: string): Promise<void> {
    const directory = this.directories.of(run);
    const { root } = this.directories;
    if (existsSync(directory)) await rename(directory, join(root, `.removed-${run}`));
    const old = (await readdir(root)).filter((name) => name.startsWith('.removed-'));
    for (const name of old) await rm(join(root, name), { recursive: true, force: true });
  }

  async #jail(): Promise<string> {
    const { jail } = this.#options;
    return typeof jail === 'string' ? jail : jail();
  }

  async #gone(run: string, state: RunState): Promise<readonly string[]> {
    return (await this.#options.commits?.(run).missing(commitsOf(state))) ?? [];
  }

  async #open(run: string, options: ResumeOptions): Promise<OpenRun> {
    const directory = this.directories.existing(run);
    return openRun(directory, { ...(await this.#opening(run, options)), takeOver: options.takeOver === true });
  }

  async #opening(run: string, { onOpen, onFact }: RunOptions): Promise<OpenRunOptions> {
    const { host, clock, redact, probe, observe, report, describe } = this.#options;
    const artifacts = this.artifacts(run);
    return {
      host,
      journal: { clock, ...(redact === undefined ? {} : { redact }), ...(probe === undefined ? {} : { probe }) },
      observe: observe === undefined ? undefined : (facts) => observe(artifacts, facts),
      onOpen,
      onFact,
      report,
      describe: await describe?.(),
    };
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
    throw new ForgeError('bad-input', `The run cannot be begun: ${z.prettifyError(created.error)}`, {
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
      if (isRunOver(writer.state) && reopen === undefined) {
        await closeRun(open);
        return overAlready(writer.state);
      }
      const info = runInfo(writer.state);
      const lands = writer.state.landing === undefined ? undefined : this.#options.landing;
      const workflow = lands?.(writer.state) ?? (await this.#options.workflow(writer.state.created?.workflow ?? ''));
      const { host, clock, forge } = this.#options;
      const opened = { holder: host.self, epoch: lease.epoch, forge, workflowVersion: workflow.version, jail };
      writer.append('run.opened', '', opened);
      const inbox = inboxIn(directory);
      for (const post of posts) postMessage(inbox, clock, post);
      const artifacts = this.artifacts(info.id);
      const execution = new Execution({
        info,
        writer,
        host,
        clock,
        artifacts,
        facts: () => this.facts(info.id),
        performers: await this.#options.performers(info, artifacts),
        inbox: openInbox(inbox),
        // The lease lets one process work on a run at a time.
        locks: new Mutexes(),
        whenWaiting: options.whenWaiting ?? 'stay',
        stepLimit: options.stepLimit,
        reopen,
        commits: this.#options.commits?.(info.id),
      });
      const ended = executed(execution, workflow, open);
      return { run: info.id, state: writer.state, pause: (detail) => execution.suspend('paused', detail), ended };
    } catch (error) {
      await closeRun(open);
      throw error;
    }
  }
}

async function executed(execution: Execution, workflow: Workflow, open: OpenRun): Promise<ExecutionEnd> {
  try {
    return await execution.execute(workflow);
  } finally {
    await closeRun(open);
  }
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
