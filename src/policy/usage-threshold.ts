/**
 * Who begins a piece of work, by how much of each account's usage windows is left. A seat is an agent on an account.
 * Work that has not begun goes to the first seat below the threshold, so that it is not cut off in the middle. When all
 * of them are full, it waits for the first window to reset. Pure. Without figures, work goes on.
 */

export interface UsageWindow {
  /** As the provider names it: `5h`, `7d`. */
  readonly window: string;
  /** Percent. */
  readonly used: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt?: number | undefined;
}

export interface SeatUsage {
  readonly seat: string;
  readonly windows: readonly UsageWindow[];
}

export type SeatChoice =
  | { readonly action: 'take'; readonly seat: string }
  | { readonly action: 'handoff'; readonly seat: string; readonly window: UsageWindow }
  /** Nobody begins before then; the window is the one that is waited for. */
  | { readonly action: 'wait'; readonly seat: string; readonly until: number; readonly window: UsageWindow };

export const usageThreshold = 90;

export function chooseSeat(question: {
  /** In the order in which they are asked; the first is whom the work was meant for. */
  readonly seats: readonly [SeatUsage, ...SeatUsage[]];
  readonly now: number;
  readonly threshold?: number;
  /** A reset that is further away is not waited for. */
  readonly longestWaitMs?: number;
}): SeatChoice {
  const { seats, now, threshold = usageThreshold, longestWaitMs = Number.POSITIVE_INFINITY } = question;
  const [meant] = seats;
  const judged = seats.map(({ seat, windows }) => ({ seat, full: fullWindow(windows, { now, threshold }) }));
  const free = judged.find(({ full }) => full === undefined);
  const first = judged[0]?.full;
  if (first === undefined) return { action: 'take', seat: meant.seat };
  if (free !== undefined) return { action: 'handoff', seat: free.seat, window: first };
  // A window that never says when it resets could be waited for until the end of days: the work goes on instead.
  const open = judged.find(({ full }) => full !== undefined && full.resetsAt === undefined && full.used < 100);
  if (open !== undefined) return { action: 'take', seat: open.seat };
  const soonest = judged
    .flatMap(({ seat, full }) =>
      full?.resetsAt === undefined ? [] : [{ seat, until: full.resetsAt, window: full } as const],
    )
    .reduce<{ seat: string; until: number; window: UsageWindow } | undefined>(
      (best, next) => (best === undefined || next.until < best.until ? next : best),
      undefined,
    );
  if (soonest === undefined || soonest.until - now > longestWaitMs) return { action: 'take', seat: meant.seat };
  return { action: 'wait', ...soonest };
}

/** The fullest window that has not ended. */
export function tightestWindow(windows: readonly UsageWindow[], now: number): UsageWindow | undefined {
  return current(windows, now).reduce<UsageWindow | undefined>(
    (worst, next) => (next.used > (worst?.used ?? -1) ? next : worst),
    undefined,
  );
}

/** Why an account may not be used: of the full windows the one that ends last, because all of them have to. */
function fullWindow(
  windows: readonly UsageWindow[],
  { now, threshold }: { readonly now: number; readonly threshold: number },
): UsageWindow | undefined {
  const endOf = ({ resetsAt }: UsageWindow): number => resetsAt ?? 0;
  return current(windows, now)
    .filter(({ used }) => used >= threshold)
    .reduce<UsageWindow | undefined>(
      (last, next) => (last === undefined || endOf(next) > endOf(last) ? next : last),
      undefined,
    );
}

function current(windows: readonly UsageWindow[], now: number): readonly UsageWindow[] {
  return windows.filter(({ used, resetsAt }) => Number.isFinite(used) && (resetsAt === undefined || resetsAt > now));
}
