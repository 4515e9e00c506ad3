/**
 * The last word on a result, whatever the workflow says: a run that published a commit is done only if the engine
 * checked exactly that commit and the checks did not fail. Pure, over the run's own facts.
 */
import { checkReportSchema } from '../policy/check-report.ts';
import type { RunState } from './run-state.ts';

/** Why the run cannot be called done; undefined where nothing speaks against it. */
export function unprovenPublication({ effects }: Pick<RunState, 'effects'>): string | undefined {
  const all = [...effects.values()].filter(({ result }) => result !== undefined);
  const published = all.findLast(({ kind }) => kind === 'branch.publish')?.input as { commit?: unknown } | undefined;
  if (typeof published?.commit !== 'string') return undefined;
  const { commit } = published;
  const reports = all.flatMap(({ kind, result }) => {
    const read = kind === 'check.run' ? checkReportSchema.safeParse(result?.output) : undefined;
    return read?.success === true && read.data.commit === commit ? [read.data] : [];
  });
  const name = commit.slice(0, 12);
  if (reports.length === 0) return `the result (${name}) was published, but no check ran on it`;
  return reports.at(-1)?.status === 'failed' ? `the checks fail on the result that was published (${name})` : undefined;
}
