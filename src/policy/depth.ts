/** How deeply a value from outside may be nested, asked without recursion. Pure. */

/** No result of a role comes near this. */
export const deepestValue = 100;

export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepestValue) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
