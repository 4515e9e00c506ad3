/** `forge pause`. */
import { openContext } from '../api/context.ts';
import { perform } from '../api/operation.ts';
import { pauseRun } from '../api/pause-run.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], switches }: Call): Promise<number> {
  const line = await perform(pauseRun, openContext({ cwd: process.cwd() }), { run: name });
  if (switches.has('json')) printJson(line);
  else
    console.log(
      `${line.run} is ${line.status}.${line.status === 'paused' ? `\n  Continue it: forge resume ${line.run}` : ''}`,
    );
  return 0;
}
