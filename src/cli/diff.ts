/** `forge diff`: what a run or a task changed, in colour and through the pager on a terminal, plain elsewhere. */

import { openContext } from '../api/context.ts';
import { diffRun, showRanges } from '../api/diff-run.ts';
import { performOperation } from '../api/operation.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';
import { wordsFor } from './words-for.ts';

export async function run(call: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const diff = await performOperation(diffRun, context, await wordsFor(context, call.words));
  const { run: name, task, merged, ranges, files } = diff;
  const stat = call.switches.has('stat');
  if (call.switches.has('json')) {
    printJson(diff);
    return 0;
  }
  const what = task === undefined ? name : `${task} of ${name}`;
  if (!merged) process.stderr.write(`note: ${what} is not merged; this is what was captured\n`);
  const terminal = openTerminal();
  await showRanges(context, ranges, {
    stat,
    ...(terminal.isLive ? { page: { color: terminal.color } } : {}),
    write: (bytes) => process.stdout.write(bytes),
  });
  if (files.length === 0) process.stderr.write(`note: ${what} changed nothing\n`);
  return 0;
}
