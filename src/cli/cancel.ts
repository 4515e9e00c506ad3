/** `forge cancel`: ends a run for good. Without a name it asks which one. */
import { cancelRun } from '../api/cancel-run.ts';
import { isFinished } from '../api/choose-run.ts';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import type { CommandCall } from './commands.ts';
import { nameRun } from './name-run.ts';
import { printJson } from './print.ts';

export async function run(call: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const name = await nameRun(context, call, {
    command: 'cancel',
    what: 'that is not over',
    fits: (listing) => !isFinished(listing) && listing.status !== 'unreadable',
    warning: 'A cancelled run is over for good and cannot be resumed. To stop a run for now: forge pause',
  });
  if (name === undefined) return 130;
  const reason = call.values['reason'];
  const line = await performOperation(cancelRun, context, { run: name, ...(reason === undefined ? {} : { reason }) });
  if (call.switches.has('json')) printJson(line);
  else
    console.log(
      `${line.run} is ${line.status} and cannot be resumed. What it merged and captured is kept until you remove it:\n  forge cleanup ${line.run}`,
    );
  return 0;
}
