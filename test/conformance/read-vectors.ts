/**
 * The behaviour vectors of earlier systems, as committed beside this file. Each adapter turns a case
 * into a call of ours and compares the decision, never the wording.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export function readVectors<T>(name: string, schema: z.ZodType<T>): T[] {
  const file = new URL(`./vectors/${name}.json`, import.meta.url);
  return z.object({ cases: z.array(schema) }).parse(JSON.parse(readFileSync(file, 'utf8'))).cases;
}
