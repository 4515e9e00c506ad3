/** `forge milestone status`: where the milestones of a `.gsd` project stand, and what comes next. */
import { milestoneStatus } from '../api/milestone-status.ts';
import { openContext } from '../api/context.ts';
import { perform } from '../api/operation.ts';
import { milestoneText } from '../views/milestone-text.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ words: [milestone], switches }: Call): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const report = await perform(milestoneStatus, context, milestone === undefined ? {} : { milestone });
  if (switches.has('json')) printJson(report);
  else {
    const terminal = openTerminal();
    const columns = terminal.isLive ? terminal.columns() : 120;
    for (const line of milestoneText(report, { columns, isVerbose: switches.has('verbose') })) console.log(line);
  }
  return 0;
}
