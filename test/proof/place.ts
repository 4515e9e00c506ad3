/**
 * Where in a run a process can die: around one of its appends. A place is named by what is written there, so that it
 * is the same one in a run that was cut off before; by its number, it is met in every run that gets so far.
 */
import type { Fact } from '../../src/engine/facts.ts';

/** Before the append, in the middle of its line, or after it. */
export type Death =
  | { readonly at: 'before' | 'torn' | 'after'; readonly place: string }
  | { readonly at: 'before' | 'torn' | 'after'; readonly seq: number };

export function placeOf({ type, key, data }: Pick<Fact, 'type' | 'key' | 'data'>): string {
  const what = type === 'effect.progressed' ? ` ${Object.keys(data).sort().join()}` : '';
  return `${type} ${key}${what}`;
}
