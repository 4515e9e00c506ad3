/** `symbols.check`: whether names are defined in a commit, by syntax, in a thread of its own. */
import { computeInWorker } from '../checks/compute-in-worker.ts';
import type { Performer } from '../engine/performer.ts';
import type { EffectDeps } from './deps.ts';
import { sourceTexts } from './source-texts.ts';

const timeMs = 80_000;

export function symbolsCheck({ repo }: Pick<EffectDeps, 'repo'>): Performer<'symbols.check'> {
  return {
    async perform({ commit, names, created }) {
      const words = names.map((name) => /[\p{L}\d_$]+(?=\W*$)/u.exec(name.replace(/\(.*$/, ''))?.[0] ?? name);
      const { files, isPartial } = await sourceTexts(repo, commit, { words });
      const checked = await computeInWorker('checkSymbols', { names, created, files, isPartial }, { timeMs });
      if (checked.status === 'done') return { symbols: [...checked.value] };
      const detail = `The sources could not be read: ${checked.reason}.`;
      return { symbols: names.map((name) => ({ name, state: 'uncheckable' as const, detail })) };
    },
  };
}
