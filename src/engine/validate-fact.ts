/** Checks the data of a fact against its schema. Loads every schema, so only those who need it import it. */
import { z } from 'zod';
import { factSchemas, isFactType } from './facts.ts';

/** Throws a sentence about what is wrong. */
export function validateFact(type: string, data: unknown): unknown {
  if (!isFactType(type)) throw new Error(`unknown fact ${JSON.stringify(type)}`);
  const parsed = factSchemas[type].safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`${type} does not fit its schema: ${z.prettifyError(parsed.error)}`);
}
