/** `forge pause`: stops a run for now. Whoever works on it leaves as soon as it can be resumed from there. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { pauseRun } from '../api/pause-run.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], switches }: CommandCall): Promise<number> {
  const line = await performOperation(pauseRun, openContext({ cwd: process.cwd() }), { run: name });
  if (switches.has('json')) printJson(line);
  else
    console.log(
      `${line.run} is ${line.status}.${line.status === 'paused' ? `\n  Continue it: forge resume ${line.run}` : ''}`,
    );
  return 0;
}
