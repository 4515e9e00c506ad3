/** What happened, in a few words: shared by the tree, the plain lines, the summary and the documents. */
import type { CheckReport } from '../policy/check-report.ts';
import type { Bug, TesterResult } from '../policy/role-results.ts';
import { type AgentReading, replyOf } from './agent-reading.ts';
import { counted } from './figures.ts';

/** `unit 8/8, integration 2/2, 1 skipped`; empty when nothing was counted. */
export function tally(result: Pick<TesterResult, 'unit' | 'integration' | 'skipped'>): string {
  const { unit, integration, skipped } = result;
  return [
    ...(unit.total === 0 ? [] : [`unit ${unit.passed}/${unit.total}`]),
    ...(integration.total === 0 ? [] : [`integration ${integration.passed}/${integration.total}`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
  ].join(', ');
}

/** `passed, 12 tests` or the reasons of the worst commands. */
export function checksText(report: CheckReport): string {
  const { status, commands } = report;
  if (commands.length === 0) return 'unverified: there is nothing to run';
  const ran = commands.reduce((sum, { counts }) => sum + (counts === undefined ? 0 : counts.passed + counts.failed), 0);
  if (status === 'passed') return ran === 0 ? 'passed' : `passed, ${counted(ran, 'test')}`;
  const worst = commands.filter((command) => command.status === status);
  return `${status}: ${worst.map((command) => `${command.label}: ${command.reason}`).join('; ')}`;
}

export function bugLine(bug: Bug): string {
  const where = bug.files.length === 0 ? '' : ` (${bug.files.join(', ')})`;
  return `${bug.severity}: ${bug.title}${where}`;
}

/** What an accepted reply says, and whether it is good news. */
export function replyText(reading: AgentReading): { readonly text: string; readonly status: 'done' | 'failed' } {
  const plan = replyOf(reading, 'planner');
  if (plan !== undefined) return { text: planFigures(plan), status: 'done' };
  const test = replyOf(reading, 'tester');
  if (test !== undefined) {
    if (test.result === 'fail') return { text: `${counted(test.bugs.length, 'bug')} found`, status: 'failed' };
    const counts = tally(test);
    return { text: counts === '' ? 'passed' : `passed, ${counts}`, status: 'done' };
  }
  const learnt = replyOf(reading, 'learner');
  if (learnt !== undefined) {
    return { text: counted(learnt.lessons.length, 'lesson'), status: 'done' };
  }
  // Any other workflow's result: most have these two.
  const reply: Readonly<Record<string, unknown>> = Object(reading.status === 'accepted' ? reading.reply : undefined);
  const summary = typeof reply['summary'] === 'string' ? reply['summary'] : '';
  return { text: summary, status: reply['status'] === 'failed' ? 'failed' : 'done' };
}

export function planFigures(plan: { readonly tasks: readonly unknown[]; readonly waves: readonly unknown[] }): string {
  return `${counted(plan.tasks.length, 'task')} in ${counted(plan.waves.length, 'wave')}`;
}
