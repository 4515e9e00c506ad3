/** `memory.save`: new lessons merged into memory. Merging what is there already changes nothing;
 * killed between writing and its fact, it counts a lesson as applied once more, which does no harm. */
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
