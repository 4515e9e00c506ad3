/** A call as arguments again, for a process of its own that is to do the same with a few differences. */
import type { Call } from './commands.ts';

export function sameCall(
  name: string,
  { words, values, switches }: Call,
  change: { readonly without: readonly string[]; readonly values?: Readonly<Record<string, string>> },
): string[] {
  const given = Object.entries({ ...values, ...change.values }).map(([flag, value]) => `--${flag}=${value}`);
  const set = [...switches].filter((flag) => !change.without.includes(flag)).map((flag) => `--${flag}`);
  return [process.argv[1] ?? '', name, ...given, ...set, '--', ...words];
}
