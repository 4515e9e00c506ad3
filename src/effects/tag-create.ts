/** `tag.create`: an annotated tag of the run's result. A name that is taken stays where it is, and the answer says so. */
import type { Performer } from '../engine/performer.ts';
import { createTag } from '../git/tag.ts';
import type { EffectDeps } from './deps.ts';

export function tagCreate({ repo }: EffectDeps): Performer<'tag.create'> {
  return {
    async perform({ name, commit, message }, { snapshot }) {
      // The same tag object however often it is made: its date is the run's.
      const known = await createTag(repo, { name, commit, message, date: new Date(snapshot.createdAt) });
      return known === undefined ? { status: 'created' } : { status: 'exists', commit: known };
    },
  };
}
