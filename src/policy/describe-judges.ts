/**
 * What judges the work of a run, for the person who approves its plan: the project's own checks and how the base stands
 * with them, and the commands that the plan adds. Says plainly where nothing judges. Pure.
 */
import type { VerifyEntry } from '../plan/plan.ts';
import type { CheckReport, CommandResult } from './check-report.ts';

export function describeJudges(base: CheckReport, planned: readonly VerifyEntry[]): string {
  const own = base.commands.map(describeOwn);
  const added = [...new Set(planned.map(lineOf))].filter((line) => !base.commands.some(({ label }) => label === line));
  const fromPlan = added.map((line) => `  ${line} (added by the plan)`);
  if (own.length > 0) return ['These commands judge every change:', ...own, ...fromPlan].join('\n');
  const none = 'This project has no checks of its own.';
  const advice = 'Name some in .forge/config.yaml, e.g. checks: { run: ["npm test"] }.';
  if (fromPlan.length === 0)
    return `${none} Nothing can verify the result, so no task will be accepted as done. ${advice}`;
  return [`${none} Only the commands of the plan judge:`, ...fromPlan, advice].join('\n');
}

function describeOwn(command: CommandResult): string {
  return `  ${command.label} (on the base: ${standing(command)})`;
}

function standing({ status, reason, counts }: CommandResult): string {
  if (status === 'passed') return reason === 'exit 0' ? 'passes' : reason.replace(/^exit 0, /, '');
  if (status !== 'failed') return `${status}, ${reason}`;
  return counts === undefined
    ? `${reason}; it does not name what fails, so every task has to make it pass`
    : `${reason}; these failures do not count against the run`;
}

function lineOf(entry: VerifyEntry): string {
  const run = typeof entry === 'string' ? entry : entry.run;
  return typeof run === 'string' ? run : run.join(' ');
}
