/** What a run wrote down, as entries that can be asked for by module, phase and severity; newest last. */
import { join } from 'node:path';
import { z } from 'zod';
import { readJournalFile } from '../engine/journal.ts';
import { filterEvents, type LogEvent, logEvents, severities } from '../views/log-entries.ts';
import { isRun } from './iteration-state.ts';
import type { ApiContext, Operation } from './operation.ts';
import { newestEvents, readEvents } from './tool-events.ts';
import { stateId } from './tool-state.ts';

const input = z.strictObject({
  /** The newest when left out. */
  runId: stateId.optional(),
  moduleId: z.string().max(128).optional(),
  phase: z.string().max(64).optional(),
  severity: z.enum(severities).optional(),
  limit: z.number().int().min(1).max(500).default(50),
});

export interface RunEvents {
  readonly runId: string | undefined;
  readonly entries: readonly LogEvent[];
}

export const runEvents: Operation<typeof input, RunEvents> = {
  name: 'run-events',
  summary: 'what a run wrote down',
  input,
  async run(context, { runId, ...filter }) {
    const { root } = (await context.forge()).repo;
    const all = runId === undefined ? await newest(context, root) : await eventsOf(root, runId);
    return { runId: runId ?? all.at(-1)?.runId, entries: filterEvents(all, filter) };
  },
};

async function newest(context: ApiContext, root: string): Promise<readonly LogEvent[]> {
  const runs = await (await context.forge()).engine.list();
  const updated = (listing: (typeof runs)[number]): string => listing.state?.updatedAt ?? '';
  const last = runs.toSorted((a, b) => (updated(a) < updated(b) ? 1 : -1))[0];
  const noted = await newestEvents(root);
  if (last === undefined || (noted.at(-1)?.timestamp ?? '') > updated(last)) return noted;
  return eventsOf(root, last.run);
}

async function eventsOf(root: string, runId: string): Promise<readonly LogEvent[]> {
  const noted = await readEvents(root, runId);
  if (!isRun(root, runId)) return noted;
  const { facts } = readJournalFile(join(root, '.forge', 'runs', runId, 'journal.jsonl'));
  return [...logEvents(facts), ...noted].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}
