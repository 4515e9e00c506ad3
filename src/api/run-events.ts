/** What a run wrote down, as entries that can be asked for by module, phase and severity; newest last. */
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import { filterEvents, type LogEvent, logEvents, severities } from '../views/log-entries.ts';
import { newestFirst } from './choose-run.ts';
import type { Operation } from './operation.ts';
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
    const forge = await context.forge();
    const all = runId === undefined ? await newest(forge) : await eventsOf(forge, runId);
    return { runId: runId ?? all.at(-1)?.runId, entries: filterEvents(all, filter) };
  },
};

async function newest(forge: Forge): Promise<readonly LogEvent[]> {
  const runs = await forge.engine.list();
  const last = newestFirst(runs)[0];
  const noted = await newestEvents(forge.repo.stateFolder);
  if (last === undefined || (noted.at(-1)?.timestamp ?? '') > last.updatedAt) return noted;
  return eventsOf(forge, last.run);
}

async function eventsOf({ engine, repo }: Forge, runId: string): Promise<readonly LogEvent[]> {
  const noted = await readEvents(repo.stateFolder, runId);
  if (!(await engine.has(runId))) return noted;
  return [...logEvents(await engine.facts(runId)), ...noted].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}
