/** `forge list`: the runs of this repository, newest first. */
import { listRuns } from '../api/list-runs.ts';
import { openContext, perform } from '../api/operation.ts';
import type { Call } from './commands.ts';
import { ago, printJson, table } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ switches }: Call): Promise<number> {
  const runs = await perform(listRuns, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) printJson(runs);
  else if (runs.length === 0) console.log('There are no runs yet. Start one: forge run "<requirement>"');
  else {
    const terminal = openTerminal();
    const rows = runs.map((line) => [
      line.run,
      line.questions.length > 0 && line.status === 'waiting' ? `asks: ${line.questions.join(' ')}` : line.status,
      ago(line.updatedAt),
      line.title || line.reason,
    ]);
    for (const line of table(rows, terminal.isLive ? terminal.columns() - 1 : 1000)) console.log(line);
  }
  return 0;
}
