/** `gsd.read`: the documents in `.gsd` of the user's checkout. They are only read. */
import type { Performer } from '../engine/performer.ts';
import { readGsdTexts } from '../gsd/read-project.ts';
import type { EffectDeps } from './deps.ts';

export function gsdRead({ repo, redactor }: Pick<EffectDeps, 'repo' | 'redactor'>): Performer<'gsd.read'> {
  return {
    perform: async ({ only }) => {
      const { texts, remarks } = readGsdTexts(repo.root);
      const wanted = [...texts].filter(([path]) => only?.includes(path) !== false);
      const files = wanted.map(([path, text]) => ({
        path,
        ...(text === undefined ? {} : { text: redactor.redact(text) }),
      }));
      return { files, remarks: only === undefined ? [...remarks] : [] };
    },
  };
}
