/** `forge cleanup`. */
import { cleanupRun } from '../api/cleanup-run.ts';
import { openContext, perform } from '../api/operation.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], switches }: Call): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const cleaned = await perform(cleanupRun, context, { run: name, force: switches.has('force') });
  if (switches.has('json')) printJson(cleaned);
  else
    console.log(
      `${cleaned.run} is gone: ${cleaned.workspaces.length} workspace(s), ${cleaned.refs.length} ref(s), its journal.`,
    );
  return 0;
}
