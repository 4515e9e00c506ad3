/**
 * Whether another attempt at a module is worth its price, from nothing but the scores and issues measured so far:
 * the same issues again, a score that does not rise, issues that come back, or no speed left mean that it is not.
 */

export interface Attempt {
  /** Share of the checks that passed, 0 to 1. */
  readonly score: number;
  /** What failed, named so that the same failure has the same name next time. */
  readonly issues: readonly string[];
}

export const attemptRecommendations = ['PASS', 'RETRY_WITH_DEBUGGER', 'ESCALATE'] as const;
export type Recommendation = (typeof attemptRecommendations)[number];

export interface AttemptVerdict {
  readonly passed: boolean;
  readonly score: number;
  readonly attempt: number;
  readonly stagnant: boolean;
  readonly oscillating: boolean;
  /** Mean gain per attempt over the last three; null while there are fewer. */
  readonly velocity: number | null;
  readonly recommendation: Recommendation;
}

/** How far back issues that return are looked for. */
const memory = 4;

export function judgeAttempt(earlier: readonly Attempt[], now: Attempt): AttemptVerdict {
  const passed = now.issues.length === 0 && now.score >= 1;
  const velocity = speed([...earlier, now]);
  const oscillating = !passed && returns(earlier, now);
  const stagnant = !passed && (oscillating || repeats(earlier, now) || isFlat(earlier, now) || isStill(velocity));
  return {
    passed,
    score: now.score,
    attempt: earlier.length + 1,
    stagnant,
    oscillating,
    velocity,
    recommendation: passed ? 'PASS' : stagnant ? 'ESCALATE' : 'RETRY_WITH_DEBUGGER',
  };
}

/** The share that passed; nothing to check is nothing passed. */
export function scoreOf(results: readonly { readonly passed: boolean }[]): number {
  return results.length === 0 ? 0 : results.filter((result) => result.passed).length / results.length;
}

function repeats(earlier: readonly Attempt[], now: Attempt): boolean {
  const last = earlier.at(-1);
  return last !== undefined && sameIssues(last, now);
}

function returns(earlier: readonly Attempt[], now: Attempt): boolean {
  if (repeats(earlier, now)) return false;
  return earlier.slice(-memory, -1).some((attempt) => sameIssues(attempt, now));
}

function isFlat(earlier: readonly Attempt[], now: Attempt): boolean {
  return earlier.length >= 2 && now.score <= (earlier.at(-1)?.score ?? 0);
}

function isStill(velocity: number | null): boolean {
  return velocity !== null && velocity <= 0;
}

function speed(attempts: readonly Attempt[]): number | null {
  const [first, , last] = attempts.slice(-3);
  if (first === undefined || last === undefined) return null;
  return (last.score - first.score) / 2;
}

function sameIssues(a: Attempt, b: Attempt): boolean {
  return JSON.stringify([...new Set(a.issues)].sort()) === JSON.stringify([...new Set(b.issues)].sort());
}
