/** `branch.land`: a branch of the user's moves to a commit on top of it. What stands in the way is an answer. */
import type { Performer } from '../engine/performer.ts';
import { ForgeError } from '../errors.ts';
import { landOn } from '../git/land.ts';
import { settleOperations } from '../git/move-branches.ts';
import { isAncestor, readRef } from '../git/refs.ts';
import type { EffectDeps } from './deps.ts';

export function branchLand({ repo }: EffectDeps): Performer<'branch.land'> {
  return {
    async perform({ branch, commit, before }, { run }) {
      const ref = `refs/heads/${branch}`;
      if ((await readRef(repo, ref)) !== before) return { status: 'stale' };
      try {
        await landOn(repo, { run: run.id, branch, commit, asEffect: true });
      } catch (error) {
        if (!(error instanceof ForgeError) || error.code !== 'land-refused') throw error;
        const reason = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
        return (await readRef(repo, ref)) === before ? { status: 'refused', reason } : { status: 'stale' };
      }
      return { status: 'landed', move: { ref, before, after: commit } };
    },
    // It may have moved before the process died: then the branch holds the commit.
    async recover({ branch, commit, before }) {
      await settleOperations(repo, async () => {});
      const ref = `refs/heads/${branch}`;
      const at = await readRef(repo, ref);
      if (at === undefined || !(await isAncestor(repo, commit, at))) return undefined;
      return { status: 'landed', move: { ref, before, after: commit } };
    },
  };
}
