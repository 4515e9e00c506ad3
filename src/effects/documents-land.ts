/** `documents.land`: the integration head moves to a commit of documents by compare-and-swap, like a merge but without a receipt. */
import type { Performer } from '../engine/performer.ts';
import type { EffectDeps } from './deps.ts';
import { moveHead } from './merge-land.ts';

export function documentsLand({ repo }: EffectDeps): Performer<'documents.land'> {
  return {
    async perform({ commit, before }, context) {
      const stale = await moveHead(repo, { commit, before }, context);
      return stale === undefined ? { status: 'landed', commit } : { status: 'stale', head: stale };
    },
  };
}
