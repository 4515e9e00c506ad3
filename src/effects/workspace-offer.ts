/**
 * `workspace.offer` and `workspace.take`: a checkout in which a person changes files, and what they left as a commit. It is a
 * workspace like an agent's, outside of the user's own checkout, so nothing of theirs is touched and nothing is lost.
 */
import type { EffectContext, Performer } from '../engine/performer.ts';
import { takeSnapshot } from '../git/snapshot.ts';
import { findWorkspace, prepareWorkspace } from '../git/workspace.ts';
import type { EffectDeps } from './deps.ts';
import { nameForTry } from './name-for-try.ts';

export function workspaceOffer(deps: EffectDeps): Performer<'workspace.offer'> {
  return {
    async perform({ workspace, commit }, context) {
      const place = placeOf(workspace, context);
      const existing = await findWorkspace(deps.repo, place);
      // What a person has begun to change is not thrown away.
      if (existing !== undefined && existing.base === commit) return { path: existing.tree };
      const made = await prepareWorkspace(deps.repo, {
        ...place,
        commit,
        existing: 'fresh',
        jail: deps.jail,
        copy: [],
        signal: context.signal,
      });
      return { path: made.tree };
    },
  };
}

export function workspaceTake(deps: EffectDeps): Performer<'workspace.take'> {
  return {
    async perform({ workspace, commit }, context) {
      const found = await findWorkspace(deps.repo, placeOf(workspace, context));
      if (found === undefined) return { commit, changes: [] };
      const taken = await takeSnapshot(deps.repo, found, {
        jail: deps.jail,
        message: 'Edited by a person',
        parent: commit,
        task: undefined,
        date: context.clock.now(),
      });
      return { commit: taken.commit, changes: [...taken.changes] };
    },
  };
}

function placeOf(workspace: string, context: EffectContext) {
  return { run: context.run.id, name: nameForTry(workspace, context), task: undefined };
}
