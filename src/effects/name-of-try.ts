/**
 * Names that belong to one try at a task. A task that a person has tried again meets nothing of the try before: not its
 * workspace, which stays as it is for whoever wants to look, nor what its agents were given to do.
 */
import type { EffectContext } from '../engine/performer.ts';

export function nameOfTry(name: string, { generation }: Pick<EffectContext, 'generation'>): string {
  return generation === 1 ? name : `${name}@try${generation}`;
}
