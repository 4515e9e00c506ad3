/** Where checks failed in files of a difference: of the newest checks, or of those that looked at one session's work. */
import type { RunDetails } from '../../../src/api/inspect-run.ts';

type Check = RunDetails['report']['checks'][number];

export interface Failure {
  readonly check: string;
  readonly line: number;
  readonly text: string;
}

/** By file. What names no file of the difference is in Evidence only. */
export function failuresIn(
  paths: readonly string[],
  details: RunDetails | undefined,
  work: string | undefined,
): ReadonlyMap<string, readonly Failure[]> {
  const failures = new Map<string, Failure[]>();
  if (details === undefined) return failures;
  for (const { name, places = [] } of work === undefined ? newestFailed(details) : failedAfter(details, work)) {
    for (const { file, line, text } of places) {
      for (const path of paths.filter((one) => isSame(one, file))) {
        const own = failures.get(path) ?? [];
        failures.set(path, own);
        if (!own.some((one) => one.line === line && one.check === name)) own.push({ check: name, line, text });
      }
    }
  }
  return failures;
}

/** Programs print the path as they were given it: whole, or from the directory they stood in. */
function isSame(path: string, printed: string): boolean {
  return path === printed || printed.endsWith(`/${path}`) || path.endsWith(`/${printed}`);
}

function newestFailed({ report }: RunDetails): readonly Check[] {
  const newest = new Map(report.checks.map((check) => [`${check.owner}\n${check.name}`, check] as const));
  return [...newest.values()].filter(({ status }) => status === 'failed');
}

/** Until the same role was at work on the same thing again. */
function failedAfter({ report, sessions }: RunDetails, work: string): readonly Check[] {
  const session = sessions.find(({ key }) => key === work);
  if (session?.endedAt === undefined) return [];
  const { endedAt, owner, role } = session;
  const next = sessions
    .filter((one) => one.owner === owner && one.role === role && one.startedAt > endedAt)
    .reduce<string | undefined>(
      (first, { startedAt }) => (first !== undefined && first < startedAt ? first : startedAt),
      undefined,
    );
  const isBetween = (at: string): boolean => at >= endedAt && (next === undefined || at <= next);
  const spans = report.spans.filter((span) => span.owner === owner && isBetween(span.startedAt));
  const keys = new Set(spans.map(({ key }) => key));
  return report.checks.filter(({ key, status }) => status === 'failed' && keys.has(key));
}
