/**
 * Names that belong to one try at a task. A task that a person has tried again meets nothing of the try before: not its
 * workspace, which stays as it is for whoever wants to look, nor what its agents were given to do.
 */
import type { EffectContext } from '../engine/performer.ts';

export function nameForTry(name: string, { tryNumber }: Pick<EffectContext, 'tryNumber'>): string {
  return tryNumber === 1 ? name : `${name}@try${tryNumber}`;
}
