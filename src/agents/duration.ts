/**
 * Lengths of time as people write them in scripts: `200ms`, `2s`, `1.5m`, `1h`. A bare number is
 * refused on purpose: nobody can tell seconds from milliseconds by looking at it. Pure.
 */

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A timer in Node cannot wait longer than this, and no script needs to. */
const longestMs = 2 ** 31 - 1;

/** Milliseconds, or undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const parts = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h)$/.exec(text.trim());
  const unit = units[parts?.[2] ?? ''];
  if (parts === null || unit === undefined) return undefined;
  const ms = Math.round(Number(parts[1]) * unit);
  return ms <= longestMs ? ms : undefined;
}
