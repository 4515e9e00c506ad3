/** `promises.inspect`: promised files and links in a commit, by syntax, in a thread of its own. */
import { computeInWorker } from '../checks/compute-in-worker.ts';
import type { Performer } from '../engine/performer.ts';
import { definedNames } from '../evidence/syntax/languages.ts';
import type { EffectDeps } from './deps.ts';
import { sourceTexts } from './source-texts.ts';

const timeMs = 80_000;

export function promisesInspect({ repo }: Pick<EffectDeps, 'repo'>): Performer<'promises.inspect'> {
  return {
    async perform({ commit, promises }) {
      const { artifacts, links } = promises;
      const named = [...artifacts.map(({ path }) => path), ...links.flatMap(({ from, to }) => [from, to])];
      const own = await sourceTexts(repo, commit, { words: [], always: named });
      const stems = named.map((path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''));
      const defined = own.files.flatMap(({ path, text }) => [...definedNames(path, text).keys()]);
      // A file may have a short name; short names of what it defines would fit everything.
      const words = [...new Set([...stems, ...defined.filter((word) => word.length > 2)])];
      const { files, all } = await sourceTexts(repo, commit, { words, always: named });
      const found = await computeInWorker('inspectPromises', { promises, files, all }, { timeMs });
      if (found.status === 'done') return found.value;
      return { artifacts: [], links: [], missingOutput: [], problem: `The files could not be read: ${found.reason}` };
    },
  };
}
