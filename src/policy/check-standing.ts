/** How far a report of checks stands for the commit it is about: whole, or but for tests that no longer ran. Pure. */
import type { CheckReport, CommandResult } from './check-report.ts';
import { isGreen } from './check-verdict.ts';

/** A flaky check passed when it was run again; the report says so. */
export function isComplete({ status }: Pick<CheckReport, 'status'>): boolean {
  return status === 'passed' || status === 'flaky';
}

/** The commands whose only fault is that tests of the base did not run; empty where there is any other. */
export function onlyDrops({ commands }: Pick<CheckReport, 'commands'>): readonly CommandResult[] {
  const open = commands.filter(({ status }) => status !== 'passed' && status !== 'flaky');
  const isDrop = (command: CommandResult): boolean =>
    command.status === 'unverified' && isGreen(command) && countRun(command) > 0;
  return open.every(isDrop) ? open : [];
}

/** Whether a tree whose merges were all judged stands: it passes, or lacks only tests that were let go with them. */
export function isAcceptable(report: CheckReport): boolean {
  const drops = onlyDrops(report);
  return isComplete(report) || (drops.length > 0 && drops.every(({ origin }) => origin !== 'plan'));
}

/** How many tests came to a result. */
export function countRun({ counts }: { readonly counts?: CommandResult['counts'] | undefined }): number {
  return (counts?.passed ?? 0) + (counts?.failed ?? 0);
}
