/**
 * A schema for JSON that another room describes by a type, such as a summary: it checks that the value is JSON, and the
 * compiler checks its shape.
 */
import { z } from 'zod';

export function jsonShaped<T>(): z.ZodType<T> {
  return z.json() as unknown as z.ZodType<T>;
}
