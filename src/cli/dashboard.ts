/** `forge dashboard`: writes the overview document of a .gsd project again. */
import { openContext } from '../api/context.ts';
import { regenerateDashboard } from '../api/dashboard.ts';
import { performOperation } from '../api/operation.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const made = await performOperation(regenerateDashboard, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) printJson(made);
  else {
    for (const line of made.text.trimEnd().split('\n')) console.log(plainLine(line));
    if (made.migrated !== undefined) console.log(plainLine(`\nThe old STATE.md is kept in ${made.migrated}`));
    console.log(`\nWritten to ${made.file}`);
  }
  return 0;
}
