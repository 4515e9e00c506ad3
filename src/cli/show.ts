/** `forge show`: the summary of a run, its plan, or one of its waves and tasks with the receipts of what was merged. */
import { isFinished } from '../api/choose-run.ts';
import { openContext } from '../api/context.ts';
import { resultOf } from '../api/run-result.ts';
import type { RunShown, TaskReport } from '../api/show-run.ts';
import { summaryText } from '../views/summary-text.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';
import { wordsFor } from './words-for.ts';

export async function run(call: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const terminal = openTerminal();
  const columns = terminal.isLive ? Math.max(20, Math.min(terminal.columns(), 100)) : 100;
  const withPlanText = call.switches.has('json') || call.switches.has('plan');
  const shown = await resultOf(context, { ...(await wordsFor(context, call.words)), columns, withPlanText });
  if (call.switches.has('json')) printJson(shown);
  else if (call.switches.has('plan')) console.log(shown.planText ?? 'There is no plan yet.');
  else if (shown.task !== undefined)
    for (const line of taskLines(shown.task, isFinished(shown.line))) console.log(line);
  else {
    console.log(summaryText(shown.summary, { columns }));
    for (const line of receiptLines(shown.receipts)) console.log(line);
  }
  return 0;
}

function taskLines({ task, planned, outcome, receipts, effects }: TaskReport, isRunOver: boolean): readonly string[] {
  const unfinished = isRunOver ? 'stopped' : 'open';
  return [
    `${task}${planned === undefined ? '' : `: ${plainLine(planned.title)}`}`,
    ...(planned === undefined ? [] : [`  writes ${plainLine(planned.writes.join(', ')) || '(not declared)'}`]),
    ...(planned?.objective ? [`  ${plainLine(planned.objective)}`] : []),
    ...(outcome === undefined
      ? []
      : [`  ${outcome.status}${outcome.reason === '' ? '' : `: ${plainLine(outcome.reason)}`}`]),
    ...(outcome?.commit === undefined ? [] : [`  commit ${outcome.commit}`]),
    ...effects.map(({ key, kind, finished }) => `  ${finished ? 'done' : unfinished}  ${key} (${kind})`),
    ...receiptLines(receipts),
  ];
}

function receiptLines(receipts: RunShown['receipts']): readonly string[] {
  return receipts.flatMap(({ task, before, after, source, changed, flags, leftBehind, checks }) => [
    '',
    `Receipt of ${task}: ${before.slice(0, 12)}..${after.slice(0, 12)} (from ${source.slice(0, 12)})`,
    ...changed.map((change) => `  ${change.status.padEnd(12)} ${plainLine(change.path)}`),
    ...checks.map((check) => `  check ${plainLine(check.label)}: ${check.status}`),
    ...flags.map((flag) => `  ${flag.case} ${plainLine(flag.path)}: ${flag.action} (${plainLine(flag.reason)})`),
    ...(leftBehind.length === 0
      ? []
      : [`  left behind: ${leftBehind.map((entry) => plainLine(entry.path)).join(', ')}`]),
  ]);
}
