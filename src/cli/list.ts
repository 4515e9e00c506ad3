/** `forge list`: the runs of this repository, newest first. */
import { type ApiContext, openContext } from '../api/context.ts';
import { findRunsPlace, type OtherRuns } from '../api/find-runs-place.ts';
import { performOperation } from '../api/operation.ts';
import { type RunLine, readRunLines } from '../api/run-lines.ts';
import { moneyText } from '../views/figures.ts';
import { fitText, plainLine } from '../views/terminal-text.ts';
import { narrowColumns } from '../views/text-block.ts';
import type { CommandCall } from './commands.ts';
import { agoText, printJson, tableLines } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ switches, values }: CommandCall): Promise<number> {
  if (switches.has('all')) {
    const terminal = openTerminal();
    const { listEverywhere } = await import('./list-everywhere.ts');
    return listEverywhere({
      json: switches.has('json'),
      columns: terminal.isLive ? terminal.columns() - 1 : 1000,
    });
  }
  const context = openContext({ cwd: process.cwd() });
  if (values['adopt'] !== undefined) return adopt(context, values['adopt']);
  const runs = await readRunLines(context);
  if (switches.has('names')) {
    for (const line of runs) console.log(line.run);
    return 0;
  }
  const place = await findRunsPlace(context);
  if (switches.has('json')) printJson([...runs, ...place.elsewhere.flatMap(elsewhereLines)]);
  else if (runs.length === 0) console.log('There are no runs yet. Start one: forge run "<requirement>"');
  else {
    const terminal = openTerminal();
    const columns = terminal.isLive ? terminal.columns() - 1 : 1000;
    for (const line of columns < narrowColumns ? listed(runs, columns) : tabled(runs, columns)) console.log(line);
    // A line of its own, so that it can be copied whole however narrow the terminal is.
    console.log(`\nThe runs are in\n  ${place.place}`);
  }
  if (!switches.has('json')) for (const other of place.elsewhere) console.log(elsewhereText(other));
  return 0;
}

async function adopt(context: ApiContext, id: string): Promise<number> {
  const { adoptRuns } = await import('../api/runs-place.ts');
  const { from } = await performOperation(adoptRuns, context, { id });
  console.log(`The runs of ${from} belong to this clone now. See them: forge list`);
  return 0;
}

function elsewhereLines({ id, root, place, runs }: OtherRuns): readonly object[] {
  return runs.map((name) => ({ run: name, status: 'elsewhere', repository: id, root, place }));
}

function elsewhereText({ id, root, runs, isThere }: OtherRuns): string {
  const count = runs.length === 1 ? '1 run belongs' : `${runs.length} runs belong`;
  return plainLine(
    isThere
      ? `${count} to another clone: ${root}`
      : `${count} to a clone that is gone: ${root}. To work with them here: forge list --adopt ${id}`,
  );
}

function tabled(runs: readonly RunLine[], columns: number): readonly string[] {
  const rows = runs.map((line) => [
    line.run,
    standing(line),
    agoText(line.updatedAt),
    line.usage.costUsd > 0 ? moneyText(line.usage.costUsd) : '',
    line.title || line.reason,
  ]);
  return tableLines(rows, columns);
}

/** Names stay whole: they are what a person types next. */
function listed(runs: readonly RunLine[], columns: number): readonly string[] {
  return runs.flatMap((line) => {
    const cost = line.usage.costUsd > 0 ? `, ${moneyText(line.usage.costUsd)}` : '';
    const below = [standing(line), `${agoText(line.updatedAt)}${cost}`, line.title];
    return [line.run, ...below.filter(Boolean).map((text) => `  ${fitText(plainLine(text), columns - 2)}`)];
  });
}

/** How it stands, and where it stopped if it did. */
function standing({ status, where, questions, reason }: RunLine): string {
  if (status === 'waiting' && questions.length > 0) return `asks: ${questions.join(' ')}`;
  if (status === 'limited') return `stopped by a limit at ${where}`;
  if (['interrupted', 'paused', 'stopped'].includes(status)) return `${status} at ${where}`;
  return status === 'running' ? where : status === 'unreadable' ? `unreadable: ${reason}` : status;
}
