/**
 * Runs in the order a person wants them: what needs them (questions first), what is under way, what is over; the newest
 * first in each.
 * One place for every display that lists runs, so that they agree about what needs somebody. Pure.
 */
import type { ListedRun } from './watch-runs.ts';

export interface GroupedRuns {
  readonly needing: readonly ListedRun[];
  readonly going: readonly ListedRun[];
  readonly over: readonly ListedRun[];
}

const overStates: ReadonlySet<string> = new Set(['done', 'cancelled']);
const troubledStates: ReadonlySet<string> = new Set(['failed', 'limited', 'stopped', 'interrupted', 'unreadable']);
/** A run that failed long ago needs nobody any more. */
const recentMs = 7 * 86_400_000;

export function groupRuns(runs: Iterable<ListedRun>, now: number): GroupedRuns {
  const sorted = [...runs].sort((a, b) => (a.line.updatedAt < b.line.updatedAt ? 1 : -1));
  const groups = { needing: [] as ListedRun[], going: [] as ListedRun[], over: [] as ListedRun[] };
  for (const run of sorted) groups[groupOf(run, now)].push(run);
  const asks = ({ questions }: ListedRun): number => (questions.length > 0 ? 0 : 1);
  groups.needing.sort((a, b) => asks(a) - asks(b));
  return groups;
}

function groupOf({ line, questions }: ListedRun, now: number): keyof GroupedRuns {
  if (questions.length > 0) return 'needing';
  if (troubledStates.has(line.status)) {
    return now - Date.parse(line.updatedAt || '0') < recentMs ? 'needing' : 'over';
  }
  return overStates.has(line.status) ? 'over' : 'going';
}
