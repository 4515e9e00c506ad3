/** `forge retry`: tries what was not done again, one task or everything that failed, and goes on with the run. */
import { detachRun } from '../api/detach-run.ts';
import { openContext, perform } from '../api/operation.ts';
import { retryableRun, retryRun } from '../api/retry-run.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';
import { conductRun } from './resume.ts';
import { sameCall } from './same-call.ts';
import { wordsFor } from './words-for.ts';

export async function run(call: Call): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const wanted = await wordsFor(context, call.words);
  const { listing, tasks } = await retryableRun(context, wanted.run, wanted.task);
  const { run: name } = listing;
  const { task } = wanted;
  const { into, agent } = call.values;
  const wish = {
    ...(task === undefined ? {} : { task }),
    ...(into === undefined ? {} : { into }),
    ...(agent === undefined ? {} : { agent }),
    takeOver: call.switches.has('take-over'),
  };
  if (!call.switches.has('detach')) {
    if (task === undefined && !call.switches.has('json'))
      process.stderr.write(
        `note: trying ${tasks.length === 0 ? 'what rests on missing commits' : tasks.join(', ')} of ${name} again\n`,
      );
    return conductRun(call, name, { open: (watched) => perform(retryRun, watched, { run: name, ...wish }) });
  }
  const words = task === undefined ? [name] : [name, task];
  const args = sameCall('retry', { ...call, words }, { without: ['detach'] });
  const detached = await perform(detachRun, context, { run: name, program: process.execPath, args });
  if (call.switches.has('json')) printJson(detached);
  else
    console.log(
      `${name} tries ${tasks.join(', ')} again in the background (pid ${detached.pid}).\n  forge attach ${name}`,
    );
  return 0;
}
