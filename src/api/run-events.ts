/** What a run wrote down, as entries that can be asked for by module, phase and severity; newest last. */
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import { stateId } from '../toolbox/stored-state.ts';
import { eventSchema, newestEvents, readEvents } from '../toolbox/tool-events.ts';
import { filterEvents, type LogEvent, logEvents, logSeverities } from '../views/log-entries.ts';
import { newestFirst } from './choose-run.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({
  /** The newest when left out. */
  runId: stateId.optional(),
  moduleId: z.string().max(128).optional(),
  phase: z.string().max(64).optional(),
  severity: z.enum(logSeverities).optional(),
  limit: z.number().int().min(1).max(500).default(50),
});

const output = z.strictObject({ runId: z.string().optional(), entries: z.array(eventSchema) });

export const runEvents: Operation<typeof input, typeof output> = {
  name: 'run-events',
  kind: 'query',
  description:
    'Lists entries of a run, newest last, by module, phase (planning, execution, review, validation, retry, integration, memory, session) and severity. The newest run when none is named.',
  input,
  output,
  tool: { name: 'forge_logs', title: 'Read the log of a run' },
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
