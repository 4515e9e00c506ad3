/** Redacts every string inside a JSON value: an agent's reply becomes a fact, and facts hold no secrets. Pure. */
import type { Redactor } from '../process/redact.ts';

export function redactValue(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redactor));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redactor.redact(name), redactValue(item, redactor)]),
  );
}
