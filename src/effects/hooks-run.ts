/** `hooks.run`: the repository's git hooks on a commit that is about to be merged. Running them again is harmless. */
import { runHooks } from '../checks/run-hooks.ts';
import type { Performer } from '../engine/performer.ts';
import { withCheckDeps } from './check-deps.ts';
import type { EffectDeps } from './deps.ts';

export function hooksRun(deps: EffectDeps): Performer<'hooks.run'> {
  return {
    async perform({ commit, before, judge, hooks }, context) {
      const request = { run: context.run.id, name: context.key, commit, before, judge, hooks };
      const runs = await withCheckDeps(deps, context, (ready) => runHooks(ready, request, context.signal));
      return { hooks: [...runs] };
    },
  };
}
