/**
 * Any JSON value, as a schema that costs little: the facts of effects carry most of a journal's text. Unlike `z.json()` it
 * hands back the value it was given, so whoever appends such a fact gives the value away.
 */
import { z } from 'zod';

type JsonValue = z.infer<ReturnType<typeof z.json>>;

/** Not `z.custom`, which has no JSON Schema. */
export const jsonValue = z.any().refine(isJsonValue, 'must be JSON') as z.ZodType<JsonValue>;

/** What JSON would hold of a value, as a value of its own: the same as writing it as JSON and reading it again, and cheaper. */
export function asJson(value: unknown): JsonValue {
  const copy = copied(value);
  return copy === undefined ? null : copy;
}

/** Undefined: JSON leaves it out. */
function copied(value: unknown): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // JSON knows no other zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      break;
    case 'bigint':
      throw new TypeError('a big number cannot be written as JSON');
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined;
  }
  if (value === null) return null;
  if (Array.isArray(value)) return Array.from(value, asJson);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return copied(toJSON.call(value));
  const fields: [string, JsonValue][] = [];
  for (const [name, item] of Object.entries(value)) {
    const field = copied(item);
    if (field !== undefined) fields.push([name, field]);
  }
  return Object.fromEntries(fields);
}

function isJsonValue(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJsonValue);
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJsonValue);
}
