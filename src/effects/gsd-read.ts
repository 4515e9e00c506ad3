/** `gsd.read`: the documents in `.gsd` of the user's checkout. They are only read. */
import type { Performer } from '../engine/performer.ts';
import { readGsdTexts } from '../gsd/read-project.ts';
import type { EffectDeps } from './deps.ts';

export function gsdRead({ repo, redactor }: Pick<EffectDeps, 'repo' | 'redactor'>): Performer<'gsd.read'> {
  return {
    perform: async () => {
      const { texts, remarks } = readGsdTexts(repo.root);
      const files = [...texts].map(([path, text]) => ({
        path,
        ...(text === undefined ? {} : { text: redactor.redact(text) }),
      }));
      return { files, remarks: [...remarks] };
    },
  };
}
