/**
 * `forge land [run] [--into <branch>]`: moves a branch of the user's to the result of a run. If the branch has moved, the run
 * is open meanwhile: what happens is shown, and a person is asked what it asks.
 */
import { landRun } from '../api/land-run.ts';
import { landableRun } from '../api/landable-run.ts';
import { openContext } from '../api/context.ts';
import { perform } from '../api/operation.ts';
import { standingOf } from '../api/run-standing.ts';
import type { Call } from './commands.ts';
import { conduct } from './conduct.ts';
import { tellLanded } from './tell-landed.ts';
import { openTerminal } from './terminal.ts';

export async function run({ words: [name], values, switches }: Call): Promise<number> {
  const before = openContext({ cwd: process.cwd() });
  const wanted = await landableRun(before, { run: name, into: values['into'] });
  const { chronicle } = await standingOf(before, wanted.run);
  const json = switches.has('json');
  return conduct({
    terminal: openTerminal(),
    json,
    landsOnly: true,
    yes: false,
    chronicle,
    begin: async (context) => {
      const landed = await perform(landRun, context, { ...wanted, force: switches.has('force') });
      if (!landed.isOpen) tellLanded(landed, json ? 'json' : 'text');
    },
  });
}
