/**
 * `merge.land`: the integration head moves by compare-and-swap. After a crash it only has to look: a ref
 * that already is at the commit has been moved by us, for nobody else makes that commit.
 */
import type { EffectOutput, EffectRequest } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { buildReceipt } from '../git/receipt.ts';
import { integrationRef } from '../git/ref-name.ts';
import { moveRef } from '../git/refs.ts';
import type { EffectDeps } from './deps.ts';

export function mergeLand({ repo }: EffectDeps): Performer<'merge.land'> {
  return {
    async perform(request, { run, state }) {
      const from = state.integration === undefined ? undefined : request.before;
      const outcome = await moveRef(repo, integrationRef(run.id), { from, to: request.commit });
      if (outcome.status === 'moved') return merged(request);
      return { status: 'stale', head: outcome.actual ?? run.base };
    },
  };
}

function merged(request: EffectRequest<'merge.land'>): EffectOutput<'merge.land'> {
  const { task, declared, flags, changed, before, commit, leftBehind, source, base, checks } = request;
  const candidate = { status: 'ready', commit, before, changes: changed } as const;
  const receipt = buildReceipt({
    task,
    declared,
    flags,
    candidate,
    snapshot: { commit: source, leftBehind },
    base,
    checks,
  });
  return { status: 'merged', receipt };
}
