/** What tools were used for outside runs of Forge's, one line each: for those who ask later what happened. */

import { z } from 'zod';
import { type LogEvent, logSeverities } from '../views/log-entries.ts';
import { appendLine, listStates, readText, toolPlace } from './stored-state.ts';

export type ToolEvent = Pick<LogEvent, 'phase' | 'moduleId' | 'event' | 'severity' | 'data'>;

/** Where those are kept that name no run. */
const noRun = 'none';
const ending = '.jsonl';

/** A log that cannot be written is a pity, not a reason to fail. */
export async function noteEvent(root: string, runId: string | undefined, event: ToolEvent): Promise<void> {
  const line: LogEvent = { timestamp: new Date().toISOString(), runId: runId ?? noRun, ...event };
  await appendLine(root, fileOf(root, runId ?? noRun), line).catch(() => undefined);
}

export const eventSchema = z.object({
  timestamp: z.string(),
  runId: z.string(),
  phase: z.string(),
  moduleId: z.string().nullable(),
  event: z.string(),
  severity: z.enum(logSeverities),
  data: z.record(z.string(), z.unknown()),
});

/** Lines that are not events are left out. */
export async function readEvents(root: string, runId: string): Promise<readonly LogEvent[]> {
  const text = (await readText(root, fileOf(root, runId))) ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [eventSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** Everything that has events, whichever was noted last. */
export async function newestEvents(root: string): Promise<readonly LogEvent[]> {
  const names = await listStates(root, toolPlace(root, 'events'), ending);
  const all = await Promise.all(names.map((name) => readEvents(root, name)));
  return all.sort((a, b) => ((a.at(-1)?.timestamp ?? '') < (b.at(-1)?.timestamp ?? '') ? 1 : -1))[0] ?? [];
}

function fileOf(root: string, runId: string): string {
  return toolPlace(root, 'events', `${runId}${ending}`);
}
