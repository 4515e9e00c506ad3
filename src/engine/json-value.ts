/**
 * Any JSON value, as a schema that costs little: the facts of effects carry most of a journal's text. Unlike `z.json()` it
 * hands back the value it was given, so whoever appends such a fact gives the value away.
 */
import { z } from 'zod';

type JsonValue = z.infer<ReturnType<typeof z.json>>;

/** Not `z.custom`, which has no JSON Schema. */
export const jsonValue = z.any().refine(isJsonValue, 'must be JSON') as z.ZodType<JsonValue>;

function isJsonValue(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJsonValue);
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJsonValue);
}
