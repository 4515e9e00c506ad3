/** The context of a run before its checks are known, and its plans as a commit. */
import type { Bench } from '../../../engine/bench.ts';
import type { DesignContext } from '../context.ts';
import { planDocuments, writeDocuments } from '../keep-delivery.ts';
import { renderConventions } from '../plan/conventions.ts';

export type PlannedContext = Omit<DesignContext, 'checks'>;

export async function commitPlans(bench: Bench, key: string, context: PlannedContext, message: string): Promise<void> {
  const whole = { ...context, checks: { source: 'plan', entries: [] } } as const;
  const files = planDocuments(bench, whole, renderConventions(context.conventions));
  await bench.exclusive('integrate', () => writeDocuments(bench, key, context, { message, files }));
}
