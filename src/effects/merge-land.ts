/**
 * `merge.land`: the integration head moves by compare-and-swap. After a crash it only has to look: a ref
 * that already is at the commit has been moved by us, for nobody else makes that commit. A head that another
 * task of the run has landed (its fact may still be missing) is an outcome; any other was moved by somebody
 * else, and trying again would never end.
 */
import type { EffectOutput, EffectRequest } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { ForgeError } from '../errors.ts';
import { buildReceipt } from '../git/receipt.ts';
import { integrationRef } from '../git/ref-name.ts';
import { moveRef } from '../git/refs.ts';
import type { EffectDeps } from './deps.ts';

export function mergeLand({ repo }: EffectDeps): Performer<'merge.land'> {
  return {
    async perform(request, { run, snapshot }) {
      const from = snapshot.integration === undefined ? undefined : request.before;
      const outcome = await moveRef(repo, integrationRef(run.id), { from, to: request.commit });
      if (outcome.status === 'moved') return merged(request);
      const { actual } = outcome;
      // Removed by somebody: what was merged is kept by other refs, so the head can simply be made again.
      if (actual === undefined && from !== undefined) {
        const made = await moveRef(repo, integrationRef(run.id), { from: undefined, to: request.commit });
        if (made.status === 'moved') return merged(request);
      }
      if (actual === undefined || !snapshot.merges.includes(actual)) throw movedByOthers(run.id, actual);
      return { status: 'stale', head: actual };
    },
  };
}

function movedByOthers(run: string, actual: string | undefined): ForgeError {
  const ref = integrationRef(run);
  const now = actual === undefined ? 'is gone' : `is at ${actual.slice(0, 12)}, which this run has not merged`;
  return new ForgeError('ref-moved', `${ref} ${now}`, {
    hint: 'Put it back to where the last receipt of the run says, then resume the run.',
  });
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
