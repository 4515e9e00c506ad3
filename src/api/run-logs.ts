/** What agents said and what checks printed, as an operation: see read-logs.ts. */
import { z } from 'zod';
import type { JsonOf, StreamOperation } from './operation.ts';
import { readLogs } from './read-logs.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({
  run: runName,
  task: z.string().max(256).optional().describe('a task, or the key of one piece of work'),
  follow: z.boolean().default(false).describe('keep on until nobody works on the run'),
  after: z
    .record(z.string(), z.number().int().min(0))
    .default({})
    .describe('by the key of a piece of work, the number of the last entry you have: only later ones come'),
});

const entrySchema = z.strictObject({
  /** The piece of work it belongs to. */
  key: z.string(),
  /** Its number among the entries of that work, from 1. */
  number: z.number().int(),
  source: z.enum(['agent', 'check']),
  /** Empty for what checks printed. */
  at: z.string(),
  type: z.string(),
  text: z.string(),
});
export type LogEntry = JsonOf<typeof entrySchema>;
export const runLogs: StreamOperation<typeof input, typeof entrySchema> = {
  name: 'run-logs',
  kind: 'stream',
  description: 'Gives what agents said and checks printed, of a run or of one task, and continues as more is written.',
  input,
  output: entrySchema,
  run: (context, { run, task, follow, after }) => readLogs(context, { run, task, follow, after }),
};
