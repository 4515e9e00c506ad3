/** Ids for new records, in the manner of those that are there. Pure. */

/** `BUG-007` after `BUG-006`; without any, the first of `prefix`. The commonest prefix holds, then the last one. */
export function nextId(known: readonly string[], usual: string, digits: number): string {
  const numbered = known.flatMap((id) => {
    const [, prefix = '', number = ''] = /^(.*?)(\d+)$/.exec(id) ?? [];
    return number === '' ? [] : [{ prefix, number: Number(number), width: number.length }];
  });
  const counts = new Map<string, number>();
  for (const { prefix } of numbered) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  const [prefix = usual] = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  const own = numbered.filter((one) => one.prefix === prefix);
  const highest = Math.max(0, ...own.map(({ number }) => number));
  const width = Math.max(own.length === 0 ? digits : 1, ...own.map((one) => one.width));
  return `${prefix}${String(highest + 1).padStart(width, '0')}`;
}
