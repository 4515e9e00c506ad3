/** Where a delivery stands, from its plan directory alone. Reads only, and trusts nothing it reads. */
import { z } from 'zod';
import { planStatus } from '../delivery/plan-status.ts';
import type { JsonOf, Operation } from './operation.ts';
import { locatePlan, type PlanPlace } from './plan-place.ts';

const input = z.strictObject({ directory: z.string().min(1) });

const text = z.string();
const output = z.strictObject({
  directory: text,
  /** The run on whose branch the plan directory is, before it has landed. */
  run: text,
  modules: z.array(
    z.strictObject({
      module: text,
      phase: text,
      plan: text,
      dev: text,
      test: text,
      review: text,
      merged: text,
      notes: text,
      retries: z.number().int().nonnegative(),
    }),
  ),
  phases: z.array(z.strictObject({ phase: text, completed: text, integration: text, status: text })),
  acceptance: z.array(z.strictObject({ feature: text, total: text, passed: text, failed: text, status: text })),
  verdict: text,
  /** How many criteria have a passing test right now. */
  coverage: text,
  decisions: z.array(text),
  /** The newest last. */
  events: z.array(z.strictObject({ at: text, text: text })),
  remaining: z.strictObject({ modules: z.number().int(), phases: z.number().int() }),
});
export type DeliveryStatus = JsonOf<typeof output>;

export const deliveryStatus: Operation<typeof input, typeof output> = {
  name: 'design-status',
  kind: 'query',
  description: 'Where a delivery stands, from its plan directory.',
  input,
  output,
  run: async (context, { directory }) => statusOf(await locatePlan(context, directory)),
};

export async function statusOf({ dir, readme, run, read }: PlanPlace): Promise<DeliveryStatus> {
  const { modules, ...status } = planStatus(readme, (await read('execution-log.md')) ?? '');
  const counted = await Promise.all(
    modules.map(async (row) => ({ ...row, retries: await retriesOf(read, row.module, row.dev) })),
  );
  return { directory: dir, run: run ?? '', ...status, modules: counted };
}

const stateSchema = z.object({ total_retries: z.number().int().nonnegative().max(1_000_000) });

/** What the table says while the module is built, and its report afterwards. */
async function retriesOf(read: PlanPlace['read'], module: string, dev: string): Promise<number> {
  const underway = /^retry (\d{1,6})/i.exec(dev)?.[1];
  if (underway !== undefined) return Number(underway);
  const json = await read(`reports/module-state-${module}.json`);
  if (json === undefined) return 0;
  try {
    const parsed = stateSchema.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data.total_retries : 0;
  } catch {
    return 0; // A report that is no JSON says nothing about retries.
  }
}
