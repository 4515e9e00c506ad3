/** `forge retry`: tries what was not done again, one task or everything that failed, and continues the run. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { retryableRun, retryRun } from '../api/retry-run.ts';
import { backgroundContext, printStarted } from './background.ts';
import type { CommandCall } from './commands.ts';
import { conductNamedRun } from './resume.ts';
import { wordsFor } from './words-for.ts';

export async function run(call: CommandCall): Promise<number> {
  const { values, switches } = call;
  const context = openContext({ cwd: process.cwd() });
  const { run: named, task } = await wordsFor(context, call.words);
  const { listing, tasks } = await retryableRun(context, named, task);
  const { run: name } = listing;
  const { into, agent } = values;
  const input = { run: name, task, into, agent, takeOver: switches.has('take-over'), yes: switches.has('yes') };
  const json = switches.has('json');
  const what = tasks.length === 0 ? 'what rests on missing commits' : tasks.join(', ');
  if (switches.has('detach')) {
    const work = await performOperation(retryRun, backgroundContext(), input);
    return printStarted(work, { json, text: `${name} tries ${what} again in the background` });
  }
  if (task === undefined && !json) process.stderr.write(`note: trying ${what} of ${name} again\n`);
  return conductNamedRun(call, name, { open: (watched) => performOperation(retryRun, watched, input) });
}
