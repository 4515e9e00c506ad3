/** `workspace.drop`: a workspace goes if all it holds is captured; one that is gone already is gone. */
import type { Performer } from '../engine/performer.ts';
import { removeWorkspace } from '../git/cleanup.ts';
import { findWorkspace } from '../git/workspace.ts';
import type { EffectDeps } from './deps.ts';
import { nameForTry } from './name-for-try.ts';

export function workspaceDrop({ repo, jail }: EffectDeps): Performer<'workspace.drop'> {
  return {
    async perform(request, context) {
      const name = nameForTry(request.workspace, context);
      const workspace = await findWorkspace(repo, { run: context.run.id, name });
      if (workspace === undefined) return { dropped: true, reason: '' };
      // Without a jail a reader could have written all the same: then it is looked at like any other.
      const force = request.readOnly && jail.name !== 'none';
      const removal = await removeWorkspace(repo, workspace, { force, jail });
      return removal.status === 'removed' ? { dropped: true, reason: '' } : { dropped: false, reason: removal.reason };
    },
  };
}
