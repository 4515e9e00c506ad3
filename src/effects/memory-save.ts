/** `memory.save`: new lessons merged into memory. Merging what is there already changes nothing, so it may run twice. */
import type { Performer } from '../engine/performer.ts';
import type { EffectDeps } from './deps.ts';

export function memorySave({ memory }: EffectDeps): Performer<'memory.save'> {
  return {
    async perform({ lessons, applied }, { clock }) {
      const { added, merged, files } = await memory.save({
        lessons,
        applied,
        date: clock.now().toISOString().slice(0, 10),
      });
      return { added, merged, files: [...files] };
    },
  };
}
