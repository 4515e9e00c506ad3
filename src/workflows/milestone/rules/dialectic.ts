/**
 * A review as a dispute: a challenger objects, an advocate answers, the challenger rules on the answers. What both sides
 * agree on is decided here by a table; what they do not agree on stays open for a person. Pure.
 */
export const advocateVerdicts = ['conceded', 'refuted', 'open'] as const;
export const challengeRulings = ['maintained', 'withdrawn'] as const;
export type AdvocateVerdict = (typeof advocateVerdicts)[number];
export type Ruling = (typeof challengeRulings)[number];
export type Resolution = 'conceded' | 'resolved' | 'open';

/** An advocate who says nothing leaves the matter open; a challenger who says nothing maintains it. */
export function resolveObjection(verdict: AdvocateVerdict | undefined, ruling: Ruling | undefined): Resolution {
  if (verdict === 'conceded') return 'conceded';
  return ruling === 'withdrawn' ? 'resolved' : 'open';
}

export interface AnsweredObjection<T> {
  readonly byId: ReadonlyMap<string, T>;
  readonly warnings: readonly string[];
}

/** One word per objection: the first counts, and a second one is named. Words about nothing are named too. */
export function firstWords<T extends { readonly id: string }>(
  words: readonly T[],
  known: readonly string[],
): AnsweredObjection<T> {
  const byId = new Map<string, T>();
  const warnings: string[] = [];
  for (const word of words) {
    if (!known.includes(word.id)) warnings.push(`${word.id} is not an objection of this review`);
    else if (byId.has(word.id)) warnings.push(`${word.id} was answered twice; the first answer counts`);
    else byId.set(word.id, word);
  }
  return { byId, warnings };
}

export type ReviewStyle = 'flags' | 'dialectic';

/** A small difference is only looked at once; what is found there is open, for nobody has answered it. */
export function reviewStyle(changedLines: number, mode: 'auto' | ReviewStyle): ReviewStyle {
  if (mode !== 'auto') return mode;
  return changedLines < 40 ? 'flags' : 'dialectic';
}
