/** What moves a ref asks first whether the run's own facts allow it. A workflow that gets here without proof is at fault. */
import type { EffectContext } from '../engine/performer.ts';
import { ForgeError } from '../errors.ts';

export function requireProof({ key, snapshot }: Pick<EffectContext, 'key' | 'snapshot'>): void {
  if (snapshot.unproven === undefined) return;
  throw new ForgeError('unproven', `${key} is refused: ${snapshot.unproven}`, {
    hint: 'This is a fault of the workflow: use the moves verify, integrate and publishResult, and readyChecks before them.',
  });
}
