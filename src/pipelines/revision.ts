/**
 * Where a chain of phases goes back to when a review asks for a revision: to the phase the review names,
 * else to the nearest earlier phase that produces something. Reviews never revise each other.
 */

export interface Phase {
  readonly role: string;
  readonly command: string;
  /** Command of an earlier phase. */
  readonly onRevision?: string | undefined;
}

/** The index of the phase to repeat; 0 when nothing before the review produces anything. */
export function revisionTarget(phases: readonly Phase[], review: number): number {
  const earlier = phases.slice(0, review);
  const wanted = phases[review]?.onRevision;
  const named = wanted === undefined ? -1 : earlier.findLastIndex((phase) => phase.command === wanted);
  if (named !== -1) return named;
  return Math.max(
    0,
    earlier.findLastIndex((phase) => !isReview(phase.role)),
  );
}

function isReview(role: string): boolean {
  return role === 'validate' || role === 'review' || role.startsWith('review-');
}
