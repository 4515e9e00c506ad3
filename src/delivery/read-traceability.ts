/**
 * `traceability.json` as it is read back: which criterion is proven by which test, and which module is behind it. Anybody may
 * have written the file; what does not fit is left out. Pure.
 */
import { z } from 'zod';

const text = z.string().default('');
const texts = z.array(z.string()).catch([]).default([]);

const criterionSchema = z.object({
  id: z.string(),
  text,
  status: z.enum(['PASS', 'FAIL', 'NOT_COVERED']).catch('NOT_COVERED'),
  tests: texts,
  modules: texts,
  reason: z.string().optional().catch(undefined),
  issue: z.string().optional().catch(undefined),
});
const testSchema = z.object({
  id: z.string(),
  file: text,
  line: z.number().int().nonnegative().catch(0).default(0),
  status: text,
  criteria: texts,
  journeys: texts,
});
const moduleSchema = z.object({ id: z.string(), commits: texts, criteria: texts, files: texts });

export interface TraceabilityFile {
  readonly criteria: readonly z.infer<typeof criterionSchema>[];
  readonly tests: readonly z.infer<typeof testSchema>[];
  readonly modules: readonly z.infer<typeof moduleSchema>[];
}

export function readTraceability(json: string): TraceabilityFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { criteria, tests, modules } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(criteria)) return undefined;
  return {
    criteria: usable(criterionSchema, criteria),
    tests: usable(testSchema, tests),
    modules: usable(moduleSchema, modules),
  };
}

function usable<T>(schema: z.ZodType<T>, list: unknown): readonly T[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each) => {
    const parsed = schema.safeParse(each);
    return parsed.success ? [parsed.data] : [];
  });
}
