/** `branch.publish`: the result as a branch. Publishing what is published already moves nothing. */
import type { Performer } from '../engine/performer.ts';
import { publishBranch } from '../git/land.ts';
import type { EffectDeps } from './deps.ts';

export function branchPublish({ repo }: EffectDeps): Performer<'branch.publish'> {
  return {
    perform: async ({ commit }, { run }) => withoutUndefined(await publishBranch(repo, run.id, commit)),
    // The branch may have been made by the attempt that was cut off: what undo needs is that it was not there before.
    recover: async ({ commit }, { run }) => {
      const { ref, before } = await publishBranch(repo, run.id, commit);
      return before === commit ? { ref, after: commit } : withoutUndefined({ ref, before, after: commit });
    },
  };
}

function withoutUndefined({
  ref,
  before,
  after,
}: {
  ref: string;
  before: string | undefined;
  after: string | undefined;
}) {
  return { ref, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}
