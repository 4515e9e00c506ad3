/**
 * Redacts every string inside a JSON value: an agent's reply becomes a fact, and facts hold no secrets. What lies deeper
 * than any result does is cut off, so that nothing after this meets a value it could exhaust itself on. Pure.
 */
import { deepestValue } from '../policy/depth.ts';
import type { Redactor } from '../process/redact.ts';

export function redactValue(value: unknown, redactor: Redactor, depth = 0): unknown {
  if (typeof value === 'string') return redactor.redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepestValue) return '(nested too deeply)';
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redactor, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redactor.redact(name), redactValue(item, redactor, depth + 1)]),
  );
}
