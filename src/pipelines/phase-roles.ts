/**
 * What is known about the roles of phases: who does them, how heavy the work is, and whether the phase judges another.
 * A role of the project's own is its own persona and works at the usual tier. Pure data.
 */

export interface PhaseRole {
  /** The role file that is played. */
  readonly persona: string;
  readonly tier: 'light' | 'standard' | 'heavy';
  /** It judges what an earlier phase made, and can send it back. */
  readonly isReview: boolean;
}

const work = (persona: string, tier: PhaseRole['tier'] = 'standard'): PhaseRole => ({ persona, tier, isReview: false });
const review = (persona: string): PhaseRole => ({ persona, tier: 'heavy', isReview: true });

const known: Readonly<Record<string, PhaseRole>> = {
  plan: work('engineer'),
  'plan-fix': work('bug-fixer'),
  implement: work('engineer'),
  'update-plan': work('engineer'),
  'update-impl': work('engineer'),
  commit: work('engineer', 'light'),
  triage: work('bug-fixer'),
  writeback: work('collator', 'light'),
  'review-plan': review('supervisor'),
  'review-code': review('supervisor'),
  validate: review('qa-engineer'),
  approve: work('architect', 'heavy'),
};

export function phaseRole(role: string): PhaseRole {
  if (Object.hasOwn(known, role)) return known[role] ?? work(role);
  return { persona: role, tier: 'standard', isReview: role === 'review' || role.startsWith('review-') };
}

export const knownPhaseRoles: readonly string[] = Object.keys(known);
