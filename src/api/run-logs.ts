/**
 * What agents said and what checks printed, as entries in the order of the work: all of it, one task's, or as it comes.
 * Transcripts are streams that somebody else writes; one that is cut off or missing costs its entries, nothing more.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readTranscript, transcriptName } from '../agents/transcript.ts';
import type { EffectOutput } from '../engine/effect-map.ts';
import type { RunListing } from '../engine/engine.ts';
import { namesOf, ownerOf } from '../engine/reopen.ts';
import { ForgeError } from '../errors.ts';
import { refComponent } from '../git/ref-name.ts';
import { compareIds } from '../plan/task-id.ts';
import { waveWith } from '../views/waves-keys.ts';
import { isHeld, requireReadable } from './choose-run.ts';
import { findRun, readChronicle } from './find-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({
  run: z.string().optional(),
  /** A wave, a task or the key of one piece of work. */
  task: z.string().optional(),
  follow: z.boolean().default(false),
});

export interface LogEntry {
  readonly key: string;
  readonly source: 'agent' | 'check';
  /** Empty for what checks printed. */
  readonly at: string;
  readonly type: string;
  readonly text: string;
}

export interface RunLogs {
  readonly run: string;
  entries(signal: AbortSignal): AsyncIterable<LogEntry>;
}

const lookMs = 300;

export const runLogs: Operation<typeof input, RunLogs> = {
  name: 'run-logs',
  summary: 'what agents said and checks printed',
  input,
  async run(context, { run, task, follow }) {
    const { engine } = await context.reader();
    const listing = await findRun(context, { run, what: 'here', fits: () => true });
    assertReadable(listing);
    // What can not be read is not the same as nothing said.
    requireReadable(listing);
    const about = task === undefined ? undefined : whatIsMeant(listing, task);
    const reading = { task: about, follow };
    return { run: listing.run, entries: (signal) => readAll(() => engine.read(listing.run), { ...reading, signal }) };
  },
};

/** Without its facts nobody knows what was said: that is a failure, and not a run in which nothing was said. */
function assertReadable(listing: RunListing): void {
  if (listing.state !== undefined) return;
  readChronicle(listing);
  throw new ForgeError('journal-corrupt', `The run ${listing.run} can not be read: ${listing.problem ?? 'no journal'}`);
}

/** A task of a wave is worked on together with the others: its logs are the wave's. */
function whatIsMeant(listing: RunListing, task: string): string {
  const chronicle = readChronicle(listing);
  const meant = waveWith(chronicle, task) ?? task;
  if (keysOf(listing, meant).length > 0) return meant;
  const owners = keysOf(listing, undefined).map((key) => key.split(/[/@]/, 1)[0] ?? key);
  const members = (chronicle.waves?.waves ?? []).flatMap((ids, at) => (owners.includes(`W${at + 1}`) ? ids : []));
  const names = [...new Set([...owners, ...members])];
  throw new ForgeError('bad-input', `The run ${listing.run} has no logs of ${JSON.stringify(task)}`, {
    hint: names.length === 0 ? 'It has none yet.' : `It has some of: ${names.join(', ')}.`,
  });
}

interface Reading {
  readonly task: string | undefined;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

async function* readAll(read: () => Promise<RunListing>, { task, follow, signal }: Reading): AsyncGenerator<LogEntry> {
  const shown = new Map<string, number>();
  for (;;) {
    const listing = await read();
    assertReadable(listing);
    for (const key of keysOf(listing, task)) {
      const entries = entriesOf(listing, key);
      yield* entries.slice(shown.get(key) ?? 0);
      shown.set(key, entries.length);
    }
    if (!follow || signal.aborted || !isHeld(listing)) return;
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

function keysOf({ state }: RunListing, task: string | undefined): readonly string[] {
  const names = task === undefined || state === undefined ? undefined : namesOf(task, state.tasks);
  return [...(state?.effects ?? [])]
    .filter(
      ([key, { kind }]) =>
        ['agent.run', 'check.run', 'evidence.measure'].includes(kind) &&
        (names === undefined || ownerOf(key, names) !== undefined),
    )
    .map(([key]) => key);
}

function entriesOf({ directory, state }: RunListing, key: string): readonly LogEntry[] {
  const effect = state?.effects.get(key);
  if (effect?.kind === 'agent.run') {
    return agentEntries(directory, key, effect.result?.output as EffectOutput<'agent.run'> | undefined);
  }
  // The files of a check are complete only when it is.
  return effect?.result === undefined ? [] : checkEntries(join(directory, 'checks', refComponent(key)), key);
}

/** What it said and ran, and once it is over what it changed and how it ended. */
function agentEntries(
  directory: string,
  key: string,
  output: EffectOutput<'agent.run'> | undefined,
): readonly LogEntry[] {
  const file = join(directory, 'transcripts', transcriptName(key));
  const entry = (at: string, type: string, text: string): LogEntry => ({ key, source: 'agent', at, type, text });
  const told = existsSync(file)
    ? readTranscript(file).records.map(({ at, type, text, tool }) =>
        entry(at, type, tool === undefined ? text : toolText(tool, text)),
      )
    : [];
  if (output === undefined) return told;
  const changed = output.changes.map(({ path, status }) => `${path} (${status})`);
  return [
    ...told,
    ...(changed.length === 0 ? [] : [entry('', 'changed', changed.join('\n'))]),
    entry('', 'ended', ended(output)),
  ];
}

function ended({ outcome }: EffectOutput<'agent.run'>): string {
  if (outcome.status === 'replied') return `with its result: ${JSON.stringify(outcome.reply)}`;
  return outcome.status === 'trouble' ? `${outcome.trouble.code}: ${outcome.trouble.message}` : outcome.status;
}

/** What it was and on what; what came of it stands below. */
function toolText({ name, paths, status }: { name: string; paths: readonly string[]; status: string }, text: string) {
  const places = paths.map((path) => path.replace(/^.*\/workspaces\/[^/]+\/[^/]+\/[^/]+\/tree\//, ''));
  const others = places.filter((path) => !name.includes(path));
  const head = [name, ...others, ...(status === 'done' ? [] : [`(${status})`])].join(' ');
  return text === '' ? head : `${head}\n${text}`;
}

function checkEntries(directory: string, key: string): readonly LogEntry[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .sort(compareIds)
    .map((name) => ({
      key,
      source: 'check',
      at: '',
      type: name.slice(0, -'.log'.length),
      text: readFileSync(join(directory, name), 'utf8'),
    }));
}
