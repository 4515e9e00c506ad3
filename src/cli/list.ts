/** `forge list`: the runs of this repository, newest first. */
import { listRuns, type RunLine } from '../api/list-runs.ts';
import { openContext, perform } from '../api/operation.ts';
import { money } from '../views/figures.ts';
import { fit, plainLine } from '../views/terminal-text.ts';
import { narrow } from '../views/text-block.ts';
import type { Call } from './commands.ts';
import { ago, printJson, table } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ switches }: Call): Promise<number> {
  const runs = await perform(listRuns, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) printJson(runs);
  else if (runs.length === 0) console.log('There are no runs yet. Start one: forge run "<requirement>"');
  else {
    const terminal = openTerminal();
    const columns = terminal.isLive ? terminal.columns() - 1 : 1000;
    for (const line of columns < narrow ? listed(runs, columns) : tabled(runs, columns)) console.log(line);
  }
  return 0;
}

function tabled(runs: readonly RunLine[], columns: number): readonly string[] {
  const rows = runs.map((line) => [
    line.run,
    standing(line),
    ago(line.updatedAt),
    line.usage.costUsd > 0 ? money(line.usage.costUsd) : '',
    line.title || line.reason,
  ]);
  return table(rows, columns);
}

/** Names stay whole: they are what a person types next. */
function listed(runs: readonly RunLine[], columns: number): readonly string[] {
  return runs.flatMap((line) => {
    const cost = line.usage.costUsd > 0 ? `, ${money(line.usage.costUsd)}` : '';
    const below = [standing(line), `${ago(line.updatedAt)}${cost}`, line.title];
    return [line.run, ...below.filter(Boolean).map((text) => `  ${fit(plainLine(text), columns - 2)}`)];
  });
}

/** How it stands, and where it stopped if it did. */
function standing({ status, where, questions, reason }: RunLine): string {
  if (status === 'waiting' && questions.length > 0) return `asks: ${questions.join(' ')}`;
  if (status === 'limited') return `stopped by a limit at ${where}`;
  if (['interrupted', 'paused', 'stopped'].includes(status)) return `${status} at ${where}`;
  return status === 'running' ? where : status === 'unreadable' ? `unreadable: ${reason}` : status;
}
