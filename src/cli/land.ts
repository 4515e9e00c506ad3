/** `forge land <run> --into <branch>`: the result becomes the user's own. */
import { landRun } from '../api/land-run.ts';
import { type ApiContext, openContext, perform } from '../api/operation.ts';
import { ForgeError } from '../errors.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], values, switches }: Call): Promise<number> {
  const { into } = values;
  if (into === undefined) {
    throw new ForgeError('bad-input', 'land needs to know which branch to move', { hint: 'Name it: --into main' });
  }
  const context = openContext({ cwd: process.cwd() });
  const landed = await perform(landRun, context, { run: name, into, force: switches.has('force') });
  if (switches.has('json')) printJson(landed);
  else {
    console.log(
      landed.moves.length === 0 ? `${into} is there already.` : `${into} is now at ${landed.commit.slice(0, 12)}.`,
    );
    if (landed.moves.length > 0) console.log(`  To take it back: forge undo ${landed.run}`);
  }
  return 0;
}

/** After a run that is done: the branch that was named beforehand. */
export async function landInto(
  context: ApiContext,
  name: string,
  { into, json }: { into: string; json: boolean },
): Promise<void> {
  const { commit, moves } = await perform(landRun, context, { run: name, into });
  if (!json)
    console.log(moves.length === 0 ? `${into} is there already.` : `${into} is now at ${commit.slice(0, 12)}.`);
}
