/** What the run wrote down so far, for effects that look back on it. */
import type { Fact } from '../engine/facts.ts';
import { readFacts } from '../engine/journal.ts';
import type { EffectContext } from '../engine/performer.ts';

export function ownFacts({ directory }: Pick<EffectContext, 'directory'>): readonly Fact[] {
  return readFacts(directory);
}
