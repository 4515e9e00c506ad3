/** `files.measure`: how large files of a commit are. Nobody's checkout is looked at. */
import type { Performer } from '../engine/performer.ts';
import { fileSizesIn } from '../git/file-sizes.ts';
import type { EffectDeps } from './deps.ts';

export function filesMeasure({ repo }: EffectDeps): Performer<'files.measure'> {
  return {
    async perform({ commit, paths }, { clock }) {
      const sizes = await fileSizesIn(repo, commit, paths);
      return { at: clock.now().toISOString(), sizes: Object.fromEntries(sizes) };
    },
  };
}
