/**
 * `forge land [run] [--into <branch>]`: moves a branch of the user's to the result of a run. If the branch has moved, the run
 * is open meanwhile: what happens is shown, and a person is asked what it asks.
 */

import { openContext } from '../api/context.ts';
import { landRun } from '../api/land-run.ts';
import { landableRun } from '../api/landable-run.ts';
import { performOperation } from '../api/operation.ts';
import { standingOf } from '../api/run-standing.ts';
import type { CommandCall } from './commands.ts';
import { conductRun } from './conduct.ts';
import { printLanded } from './print-landed.ts';
import { openTerminal } from './terminal.ts';

export async function run({ words: [name], values, switches }: CommandCall): Promise<number> {
  const before = openContext({ cwd: process.cwd() });
  const wanted = await landableRun(before, { run: name, into: values['into'] });
  const { chronicle } = await standingOf(before, wanted.run);
  const json = switches.has('json');
  return conductRun({
    terminal: openTerminal(),
    json,
    landsOnly: true,
    yes: false,
    chronicle,
    begin: async (context) => {
      const landed = await performOperation(landRun, context, { ...wanted, force: switches.has('force') });
      if (!landed.isOpen) printLanded(landed, json ? 'json' : 'text');
    },
  });
}
