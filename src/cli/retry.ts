/** `forge retry`: tries what was not done again, one task or everything that failed, and continues the run. */
import { openContext } from '../api/context.ts';
import { perform } from '../api/operation.ts';
import { retryableRun, retryRun } from '../api/retry-run.ts';
import { backgroundContext, tellStarted } from './background.ts';
import type { Call } from './commands.ts';
import { conductRun } from './resume.ts';
import { wordsFor } from './words-for.ts';

export async function run(call: Call): Promise<number> {
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
    const work = await perform(retryRun, backgroundContext(), input);
    return tellStarted(work, { json, text: `${name} tries ${what} again in the background` });
  }
  if (task === undefined && !json) process.stderr.write(`note: trying ${what} of ${name} again\n`);
  return conductRun(call, name, { open: (watched) => perform(retryRun, watched, input) });
}
