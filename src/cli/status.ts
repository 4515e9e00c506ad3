/** `forge status`: one run as a tree, with what it asks. */
import { openContext } from '../api/context.ts';
import type { OpenQuestion } from '../api/open-questions.ts';
import { standingOf } from '../api/run-standing.ts';
import type { RunReport } from '../api/run-status.ts';
import { spendText } from '../views/figures.ts';
import { landingOf } from '../views/landing.ts';
import { answerCommand, questionText } from '../views/question-text.ts';
import { renderTree } from '../views/render-tree.ts';
import { runView } from '../views/run-view.ts';
import { failedCommands } from '../views/summary.ts';
import { plainLine, wrapText } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ words: [name], switches }: CommandCall): Promise<number> {
  const { report, chronicle, activity } = await standingOf(openContext({ cwd: process.cwd() }), name);
  if (switches.has('json')) {
    printJson(report);
    return 0;
  }
  const terminal = openTerminal();
  const { color, ascii } = terminal;
  const columns = terminal.isLive ? terminal.columns() : 120;
  const view = runView(chronicle, { now: new Date(), activity, isHeld: report.isHeld });
  for (const line of renderTree(view, { columns, rows: 1000, color, ascii, frame: 0 })) console.log(line);
  console.log('');
  for (const line of wrapText(standing(report), columns, '  ')) console.log(line);
  const to = landingOf(chronicle.state);
  if (to?.asked && !to.landed) console.log(`  When it is done, it lands on ${to.into}.`);
  for (const question of report.questions) {
    const next =
      question.answered === undefined
        ? answerCommand(report.run, question.key, question)
        : `Answered: ${answerText(question, question.answered)}. The run takes it up when it continues.`;
    const plan = question.answered === undefined ? question.plan : undefined;
    if (plan !== undefined) console.log(`\n${plan}`);
    console.log(`\n${questionText(question, { columns })}\n  ${next}`);
  }
  const isAnswered = report.questions.length > 0 && report.questions.every(({ answered }) => answered !== undefined);
  const goesOn = ['interrupted', 'paused', 'limited', 'stopped'].includes(report.status);
  const next =
    goesOn || (report.status === 'waiting' && isAnswered) ? [`forge resume ${report.run}`] : failedCommands(chronicle);
  for (const command of next) console.log(`  ${command}`);
  return 0;
}

function answerText({ options }: OpenQuestion, { option, text }: NonNullable<OpenQuestion['answered']>): string {
  const label = options.find(({ id }) => id === option)?.label ?? option;
  const words = text === undefined ? undefined : plainLine(text.length > 200 ? `${text.slice(0, 199)}…` : text);
  return [label, words].filter((part) => part !== undefined).join(': ');
}

/** e.g. `add-login-x1y2: paused at Wave 1/2 [T1] › Round 1 › tester, 0/2 done: interrupted at the terminal. So far $0.12, 9k tokens in, 1k out`. */
function standing({ run: name, status, where, reason, usage, budget }: RunReport): string {
  const word = status === 'limited' ? 'stopped by a limit' : status;
  const stopped = where === '' || status === 'running' || status === 'waiting' ? '' : ` at ${where}`;
  const used = spendText(usage);
  const why = reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`;
  return `${name}: ${word}${stopped}${why}${used === '' ? '' : `. So far ${used}; it may use ${budget.text}`}`;
}
