/** `forge retry`: tries a task again that was not done, and goes on with the run. */
import { detachRun } from '../api/detach-run.ts';
import { openContext, perform } from '../api/operation.ts';
import { retryableRun, retryRun } from '../api/retry-run.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';
import { conductRun } from './resume.ts';
import { sameCall } from './same-call.ts';

export async function run(call: Call): Promise<number> {
  const [named = '', task = ''] = call.words;
  const context = openContext({ cwd: process.cwd() });
  const { run: name } = await retryableRun(context, named, task);
  const { into } = call.values;
  const wish = into === undefined ? {} : { into };
  const takeOver = call.switches.has('take-over');
  if (!call.switches.has('detach')) {
    return conductRun(call, name, {
      open: (watched) => perform(retryRun, watched, { run: name, task, takeOver, ...wish }),
    });
  }
  const args = sameCall('retry', { ...call, words: [name, task] }, { without: ['detach'] });
  const detached = await perform(detachRun, context, { run: name, program: process.execPath, args });
  if (call.switches.has('json')) printJson(detached);
  else console.log(`${name} goes on with ${task} by itself (pid ${detached.pid}).\n  forge attach ${name}`);
  return 0;
}
