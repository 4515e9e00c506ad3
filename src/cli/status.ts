/** `forge status`: one run as a tree, with what it asks. */
import { agentActivity } from '../api/agent-activity.ts';
import { openContext, perform } from '../api/operation.ts';
import { runStatus } from '../api/run-status.ts';
import { questionText } from '../views/question-text.ts';
import { renderTree } from '../views/render-tree.ts';
import { runView } from '../views/run-view.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ words: [name], switches }: Call): Promise<number> {
  const { report, chronicle, isHeld } = await perform(runStatus, openContext({ cwd: process.cwd() }), { run: name });
  if (switches.has('json')) {
    printJson(report);
    return 0;
  }
  const terminal = openTerminal();
  const { color, ascii } = terminal;
  const columns = terminal.isLive ? terminal.columns() : 120;
  const activity = agentActivity(report.directory, chronicle.state);
  const view = runView(chronicle, { now: new Date(), activity, isHeld });
  for (const line of renderTree(view, { columns, rows: 1000, color, ascii, frame: 0 })) console.log(line);
  console.log(`\n${report.run}: ${report.status}${report.reason === '' ? '' : `, ${report.reason}`}`);
  for (const question of report.questions) {
    console.log(`\n${questionText(question, { columns })}\n  forge answer ${report.run} ${question.key} --option <id>`);
  }
  if (['interrupted', 'paused', 'limited', 'stopped'].includes(report.status))
    console.log(`  forge resume ${report.run}`);
  return 0;
}
