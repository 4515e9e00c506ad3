/** The runs of this repository, newest first, each with where it stands. */
import { z } from 'zod';
import type { Operation } from './operation.ts';
import { readRunLines } from './run-lines.ts';

const input = z.strictObject({});

/** `interrupted`: the journal says running, but the process that worked on it is gone. */
const listedStatuses = [
  'created',
  'running',
  'waiting',
  'paused',
  'limited',
  'stopped',
  'done',
  'failed',
  'cancelled',
  'interrupted',
  'unreadable',
] as const;

export const runLineSchema = z.strictObject({
  run: z.string(),
  status: z.enum(listedStatuses),
  title: z.string(),
  reason: z.string(),
  workflow: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** What was under way last, e.g. `W2/test#1`. */
  at: z.string(),
  /** The same in words, e.g. `Wave 2/3 [T3] › Round 1 › tester, 1/3 done`; empty when it is over. */
  where: z.string(),
  /** Keys of the questions it asks. */
  questions: z.array(z.string()),
  usage: z.strictObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number(),
    turns: z.number(),
  }),
});

const output = z.array(runLineSchema);

export const listRuns: Operation<typeof input, typeof output> = {
  name: 'list-runs',
  kind: 'query',
  description: 'Lists the runs of this repository, newest first, with where each stands.',
  input,
  output,
  tool: { name: 'forge_list', title: 'List runs' },
  run: (context) => readRunLines(context),
};
