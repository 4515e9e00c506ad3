/**
 * Is this a renewed credential? The same JSON object with other values: no field is gone, none changed its kind, and a
 * new one is a plain value. An untrusted program wrote it, and the person's own programs will read it. Pure.
 */

export function hasSameShape(before: string, after: string): boolean {
  const [old, renewed] = [parse(before), parse(after)];
  return isObject(old) && isObject(renewed) && sameFields(old, renewed, 0);
}

type Fields = Readonly<Record<string, unknown>>;

const deepest = 8;

function sameFields(old: Fields, renewed: Fields, depth: number): boolean {
  if (depth > deepest) return false;
  if (!Object.keys(old).every((name) => Object.hasOwn(renewed, name))) return false;
  return Object.entries(renewed).every(([name, value]) => {
    const before = Object.hasOwn(old, name) ? old[name] : undefined;
    if (isObject(before)) return isObject(value) && sameFields(before, value, depth + 1);
    if (Array.isArray(before)) return isList(value);
    return isPlain(value) || (before === undefined && isList(value));
  });
}

function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPlain);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
