/**
 * What agents said and what checks printed, as entries in the order of the work: all of it, one task's, or as it comes.
 * Transcripts are streams that somebody else writes; one that is cut off or missing costs its entries, nothing more.
 * Loads no schemas: people read logs often.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseTranscript } from '../agents/transcript.ts';
import { transcriptName } from '../agents/transcript-name.ts';
import type { EffectOutput } from '../engine/effect-map.ts';
import type { RunReader } from '../engine/engine.ts';
import type { RunArtifacts } from '../engine/run-artifacts.ts';
import type { EffectRecord, RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import { refComponent } from '../git/ref-name.ts';
import { advanceChronicle, type Chronicle } from '../views/chronicle.ts';
import { belongsTo, knownNames } from '../views/task-names.ts';
import { repositoryPath } from '../views/workspace-path.ts';
import { isHeld, requireReadable } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle } from './find-run.ts';
import type { LogEntry } from './run-logs.ts';

type LogText = Omit<LogEntry, 'number'>;

const lookMs = 300;

export interface LogRequest {
  readonly run: string | undefined;
  /** A task, or the key of one piece of work. */
  readonly task: string | undefined;
  readonly follow: boolean;
  /** By the key of a piece of work, the number of the last entry the caller has. */
  readonly after?: Readonly<Record<string, number>>;
}

export async function* readLogs(
  context: ApiContext,
  { run, task, follow, after = {} }: LogRequest,
): AsyncGenerator<LogEntry> {
  const { engine } = await context.runs();
  const listing = await findSummary(context, { run, what: 'here', fits: () => true });
  // What cannot be read is not the same as nothing said.
  requireReadable(listing);
  const chronicle = await readChronicle(engine, listing.run);
  if (task !== undefined) requireLogs(chronicle, task);
  const reading = { task, follow, after, signal: context.signal };
  yield* readAll({ engine, chronicle, isHeld: isHeld(listing) }, reading);
}

/** A planned task that is worked on together with others has their logs. */
function requireLogs({ state }: Chronicle, task: string): void {
  if (keysOf(state, task).length > 0) return;
  const names = knownNames(state).filter((name) => keysOf(state, name).length > 0);
  const owners = keysOf(state, undefined).map((key) => key.split(/[/@]/, 1)[0] ?? key);
  const known = [...new Set([...names, ...owners])];
  throw new ForgeError('bad-input', `The run ${state.created?.run ?? ''} has no logs of ${JSON.stringify(task)}`, {
    hint: known.length === 0 ? 'It has none yet.' : `It has some of: ${known.join(', ')}.`,
  });
}

interface Reading {
  readonly task: string | undefined;
  readonly follow: boolean;
  readonly after: Readonly<Record<string, number>>;
  readonly signal: AbortSignal;
}

interface ReadRun {
  readonly engine: RunReader;
  /** Advanced by what is new. */
  readonly chronicle: Chronicle;
  readonly isHeld: boolean;
}

async function* readAll(at: ReadRun, { task, follow, after, signal }: Reading): AsyncGenerator<LogEntry> {
  const { engine, chronicle } = at;
  const { state } = chronicle;
  const run = state.created?.run ?? '';
  const readers = new Map<string, EntryReader>();
  for (let held = at.isHeld; ; held = isHeld(await engine.summarize(run))) {
    for (const fact of await engine.facts(run, state.seq)) advanceChronicle(chronicle, fact);
    for (const key of keysOf(state, task)) {
      const reader = readers.get(key) ?? new EntryReader(engine.artifacts(run), key);
      readers.set(key, reader);
      const known = after[key] ?? 0;
      for (const entry of await reader.next(state.effects.get(key))) if (entry.number > known) yield entry;
    }
    if (!follow || signal.aborted || !held) return;
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

function keysOf(state: RunState, task: string | undefined): readonly string[] {
  const isMeant = task === undefined ? () => true : belongsTo(state, task);
  return [...state.effects]
    .filter(([key, { kind }]) => ['agent.run', 'check.run', 'evidence.measure'].includes(kind) && isMeant(key))
    .map(([key]) => key);
}

/** What one piece of work says, each time only what is new: transcripts are read from where the last reading ended. */
class EntryReader {
  readonly #artifacts: RunArtifacts;
  readonly #key: string;
  #bytes = 0;
  #isDone = false;
  #count = 0;

  constructor(artifacts: RunArtifacts, key: string) {
    this.#artifacts = artifacts;
    this.#key = key;
  }

  async next(effect: EffectRecord | undefined): Promise<readonly LogEntry[]> {
    return (await this.#new(effect)).map((text) => {
      this.#count += 1;
      return { ...text, number: this.#count };
    });
  }

  async #new(effect: EffectRecord | undefined): Promise<readonly LogText[]> {
    if (effect === undefined || this.#isDone) return [];
    this.#isDone = effect.result !== undefined;
    if (effect.kind === 'agent.run') {
      const said = await this.#said();
      if (effect.result === undefined) return said;
      return [...said, ...endOf(this.#key, effect.result.output as EffectOutput<'agent.run'>)];
    }
    // The files of a check are complete only when it is.
    return effect.result === undefined ? [] : this.#printed();
  }

  async #said(): Promise<readonly LogText[]> {
    const added = await this.#artifacts.readFrom(transcriptName(this.#key), this.#bytes);
    const whole = added.subarray(0, added.lastIndexOf('\n') + 1);
    this.#bytes += whole.length;
    return parseTranscript(whole).records.map(({ at, type, text, tool }) =>
      agentEntry(this.#key, { at, type, text: tool === undefined ? text : toolText(tool, text) }),
    );
  }

  async #printed(): Promise<readonly LogText[]> {
    const folder = `checks/${refComponent(this.#key)}`;
    const entries: LogText[] = [];
    for (const { name } of await this.#artifacts.list(folder)) {
      if (!name.endsWith('.log')) continue;
      const text = (await this.#artifacts.read(`${folder}/${name}`))?.toString('utf8') ?? '';
      entries.push({ key: this.#key, source: 'check', at: '', type: name.slice(0, -'.log'.length), text });
    }
    return entries;
  }
}

function agentEntry(key: string, said: Pick<LogText, 'at' | 'type' | 'text'>): LogText {
  return { key, source: 'agent', ...said };
}

/** Once it is over: what it changed and how it ended. */
function endOf(key: string, output: EffectOutput<'agent.run'>): readonly LogText[] {
  const changed = output.changes.map(({ path, status }) => `${path} (${status})`).join('\n');
  return [
    ...(changed === '' ? [] : [agentEntry(key, { at: '', type: 'changed', text: changed })]),
    agentEntry(key, { at: '', type: 'ended', text: ended(output) }),
  ];
}

function ended({ outcome }: EffectOutput<'agent.run'>): string {
  if (outcome.status === 'replied') return `with its result: ${JSON.stringify(outcome.reply)}`;
  return outcome.status === 'trouble' ? `${outcome.trouble.code}: ${outcome.trouble.message}` : outcome.status;
}

/** What it was and on what; what came of it stands below. */
function toolText({ name, paths, status }: { name: string; paths: readonly string[]; status: string }, text: string) {
  const places = paths.map(repositoryPath);
  const others = places.filter((path) => !name.includes(path));
  const head = [name, ...others, ...(status === 'done' ? [] : [`(${status})`])].join(' ');
  return text === '' ? head : `${head}\n${text}`;
}
