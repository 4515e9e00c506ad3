/** What moves a ref is done only if the run's own facts allow it. A workflow that gets here without proof is at fault. */
import { type ProvenKind, provenKinds } from '../engine/merge-proof.ts';
import type { EffectContext, Performer, Performers } from '../engine/performer.ts';
import { ForgeError } from '../errors.ts';

export function withProof(performers: Performers): Performers {
  const guarded = provenKinds.map((kind) => [kind, guard(performers[kind] as Performer<ProvenKind>)]);
  return { ...performers, ...(Object.fromEntries(guarded) as Pick<Performers, ProvenKind>) };
}

function guard(performer: Performer<ProvenKind>): Performer<ProvenKind> {
  return {
    async perform(request, context) {
      requireProof(context);
      return performer.perform(request, context);
    },
    async recover(request, context) {
      if (performer.recover === undefined) return undefined;
      requireProof(context);
      return performer.recover(request, context);
    },
  };
}

function requireProof({ key, snapshot }: EffectContext): void {
  if (snapshot.unproven === undefined) return;
  throw new ForgeError('unproven', `${key} is refused: ${snapshot.unproven}`, {
    hint: 'This is a fault of the workflow: use the moves verify, integrate and publishResult, and readyChecks before them.',
  });
}
