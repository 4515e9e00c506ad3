/** What happened, in a few words: shared by the tree, the plain lines, the summary and the documents. */
import type { CheckReport } from '../policy/check-report.ts';
import type { Bug, TesterResult } from '../policy/role-results.ts';
import type { ReviewFinding } from '../policy/review-finding.ts';
import { type AgentReading, replyOf } from './agent-reading.ts';
import { counted } from './figures.ts';

/** `unit 8/8, integration 2/2, 1 skipped`; empty when nothing was counted. */
export function tally(
  result: Pick<TesterResult, 'unit' | 'integration'> & { readonly skipped: readonly unknown[] },
): string {
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
  const modular = moduleReplyText(reading);
  if (modular !== undefined) return modular;
  // Any other workflow's result: most have these two.
  const reply: Readonly<Record<string, unknown>> = Object(reading.status === 'accepted' ? reading.reply : undefined);
  const summary = typeof reply['summary'] === 'string' ? reply['summary'] : '';
  return { text: summary, status: reply['status'] === 'failed' ? 'failed' : 'done' };
}

function moduleReplyText(reading: AgentReading): ReturnType<typeof replyText> | undefined {
  const plan = replyOf(reading, 'architect');
  if (plan !== undefined) return { text: counted(plan.tasks.length, 'module'), status: 'done' };
  const review = replyOf(reading, 'reviewer') ?? replyOf(reading, 'auditor');
  if (review !== undefined) {
    const isBad = review.findings.some(({ severity }) => severity === 'error');
    return { text: findingFigures(review.findings), status: isBad ? 'failed' : 'done' };
  }
  const cause = replyOf(reading, 'overseer');
  if (cause !== undefined) return { text: `${cause.classification}: ${cause.evidence}`, status: 'done' };
  const work = replyOf(reading, 'worker') ?? replyOf(reading, 'debugger');
  if (work?.status !== 'blocked') return undefined;
  return { text: `blocked: ${work.blocker || work.summary}`, status: 'failed' };
}

/** `no findings`, `1 error, 2 warnings`. */
export function findingFigures(findings: readonly Pick<ReviewFinding, 'severity'>[]): string {
  const words = { error: 'error', warning: 'warning', info: 'remark' } as const;
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return number === 0 ? [] : [counted(number, words[severity])];
  });
  return parts.length === 0 ? 'no findings' : parts.join(', ');
}

/** `error src/m2.js:2 m2 ignores its second argument (lenses A, B)`. */
export function findingLine(finding: ReviewFinding & { readonly lenses?: readonly string[] }): string {
  const { file, line, severity, claim, lenses = [] } = finding;
  const place = line === 0 ? file : `${file}:${line}`;
  const seen = lenses.length === 0 ? '' : ` (${lenses.length === 1 ? 'lens' : 'lenses'} ${lenses.join(', ')})`;
  return `${severity} ${place} ${claim}${seen}`;
}

export function planFigures(plan: { readonly tasks: readonly unknown[]; readonly waves: readonly unknown[] }): string {
  return `${counted(plan.tasks.length, 'task')} in ${counted(plan.waves.length, 'wave')}`;
}

/** Beside how many lessons are new: a run that went well leaves one more than its learner named. */
export function patternRemark(added: number, learnt: number): string {
  if (added <= learnt) return '';
  return added === 1 ? " (this run's shape, for forecasts)" : " (one is this run's shape, for forecasts)";
}
