/**
 * Handing over before the wall: when an account has used most of a window, work that has not begun goes to the next
 * agent instead of being cut off in the middle. Pure. Without figures, or without another agent, work goes on.
 */

export interface UsageWindow {
  /** As the provider names it: `5h`, `7d`. */
  readonly window: string;
  /** Percent. */
  readonly used: number;
  readonly resetsAt?: number | undefined;
}

export type BeforeDispatch =
  | { readonly action: 'continue' }
  | { readonly action: 'handoff'; readonly agent: string; readonly window: UsageWindow };

export const usageThreshold = 90;

export function beforeDispatch(question: {
  readonly agent: string;
  readonly windows: readonly UsageWindow[];
  /** Agents that may take over, in order. */
  readonly agents: readonly string[];
  /** Those that are at their own threshold or limit. */
  readonly exhausted?: readonly string[];
  readonly now: number;
  readonly threshold?: number;
}): BeforeDispatch {
  const { agent, windows, agents, exhausted = [], now, threshold = usageThreshold } = question;
  const tightest = windows
    .filter(({ used, resetsAt }) => Number.isFinite(used) && (resetsAt === undefined || resetsAt > now))
    .reduce<UsageWindow | undefined>((worst, next) => (next.used > (worst?.used ?? -1) ? next : worst), undefined);
  if (tightest === undefined || tightest.used < threshold) return { action: 'continue' };
  const next = agents.find((name) => name !== agent && !exhausted.includes(name));
  return next === undefined ? { action: 'continue' } : { action: 'handoff', agent: next, window: tightest };
}
