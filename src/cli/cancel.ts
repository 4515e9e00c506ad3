/** `forge cancel`. */
import { cancelRun } from '../api/cancel-run.ts';
import { openContext, perform } from '../api/operation.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], values, switches }: Call): Promise<number> {
  const reason = values['reason'];
  const input = { run: name, ...(reason === undefined ? {} : { reason }) };
  const line = await perform(cancelRun, openContext({ cwd: process.cwd() }), input);
  if (switches.has('json')) printJson(line);
  else
    console.log(`${line.run} is ${line.status}. What it captured and merged is kept until forge cleanup ${line.run}.`);
  return 0;
}
