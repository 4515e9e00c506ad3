/** What a wave leaves for the rest of the run, kept in its outcome so that it survives a restart. */
import { z } from 'zod';
import { bugSchema, handoffSchema } from './role-results.ts';

const tally = z.object({ passed: z.number(), total: z.number() });

export const waveDataSchema = z.object({
  handoff: handoffSchema.prefault({}),
  /** The developer's session, for bugs that the integration test finds later. */
  session: z.string().optional(),
  found: z.number().default(0),
  open: z.array(bugSchema).default([]),
  rounds: z.number().default(0),
  tests: z.object({ unit: tally, integration: tally, skipped: z.number() }).optional(),
  unverified: z.array(z.string()).default([]),
});
export type WaveData = z.infer<typeof waveDataSchema>;

export function readWaveData(data: unknown): WaveData {
  return waveDataSchema.parse(data ?? {});
}
