/** `forge undo`. */
import { openContext, perform } from '../api/operation.ts';
import { undoRun } from '../api/undo-run.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], switches }: Call): Promise<number> {
  const undone = await perform(undoRun, openContext({ cwd: process.cwd() }), { run: name });
  if (switches.has('json')) printJson(undone);
  else {
    const lines = undone.moves.map(({ ref, after }) => {
      const branch = ref.replace('refs/heads/', '');
      return after === undefined ? `${branch} is gone.` : `${branch} is back at ${after.slice(0, 12)}.`;
    });
    for (const line of lines.length === 0 ? ['There is nothing to put back.'] : lines) console.log(line);
    if (lines.length > 0) console.log(`  What was undone is kept: git for-each-ref refs/forge/${undone.run}/undone`);
  }
  return 0;
}
