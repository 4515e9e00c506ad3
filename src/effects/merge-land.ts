/**
 * `merge.land`: the integration head moves by compare-and-swap. After a crash it only has to look: a ref
 * that already is at the commit has been moved by us, for nobody else makes that commit. A head that another
 * task of the run has landed (its fact may still be missing) is an outcome; any other was moved by somebody
 * else, and trying again would never end.
 */
import type { EffectOutput, EffectRequest } from '../engine/effect-map.ts';
import type { EffectContext, Performer } from '../engine/performer.ts';
import { ForgeError } from '../errors.ts';
import type { Repository } from '../git/git.ts';
import { buildReceipt } from '../git/receipt.ts';
import { integrationRef } from '../git/ref-name.ts';
import { moveRef } from '../git/refs.ts';
import type { EffectDeps } from './deps.ts';

export function mergeLand({ repo }: EffectDeps): Performer<'merge.land'> {
  return {
    async perform(request, context) {
      const stale = await moveHead(repo, request, context);
      return stale === undefined ? merged(request) : { status: 'stale', head: stale };
    },
  };
}

/** Undefined when it was moved, otherwise where another part of the run has moved it. */
export async function moveHead(
  repo: Repository,
  { commit, before }: { readonly commit: string; readonly before: string },
  { run, snapshot }: Pick<EffectContext, 'run' | 'snapshot'>,
): Promise<string | undefined> {
  const from = snapshot.integration === undefined ? undefined : before;
  const outcome = await moveRef(repo, integrationRef(run.id), { from, to: commit });
  if (outcome.status === 'moved') return undefined;
  const { actual } = outcome;
  // Removed by somebody: what was merged is kept by other refs, so the head can simply be made again.
  if (actual === undefined && from !== undefined) {
    const made = await moveRef(repo, integrationRef(run.id), { from: undefined, to: commit });
    if (made.status === 'moved') return undefined;
  }
  if (actual === undefined || !snapshot.merges.includes(actual)) throw movedByOthers(run.id, actual);
  return actual;
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
