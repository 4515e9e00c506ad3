/** `forge undo`: puts back the branches that a run moved. Without a name it asks which run. */

import { hasMovedBranch } from '../api/choose-run.ts';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { type Undone, undoRun } from '../api/undo-run.ts';
import type { CommandCall } from './commands.ts';
import { nameRun } from './name-run.ts';
import { printJson } from './print.ts';

export async function run(call: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const name = await nameRun(context, call, {
    command: 'undo',
    what: 'that moved a branch',
    fits: hasMovedBranch,
    warning: 'This puts back every branch that the run moved or made. What is undone stays reachable.',
  });
  if (name === undefined) return 130;
  const undone = await performOperation(undoRun, context, { run: name, revert: call.switches.has('revert') });
  if (call.switches.has('json')) printJson(undone);
  else {
    for (const line of undone.moves.map(describeMove)) console.log(line);
    if (undone.moves.some(({ reverts }) => reverts !== true))
      console.log(`  What was undone is kept: git for-each-ref refs/forge/${undone.run}/undone`);
    for (const { reason, hint } of undone.left)
      console.log(`${reason}: left alone.\n  ${hint.replaceAll('\n', '\n  ')}`);
    if (undone.moves.length === 0 && undone.left.length === 0) console.log('There is nothing to put back.');
  }
  return 0;
}

function describeMove({ ref, after, reverts }: Undone['moves'][number]): string {
  const branch = ref.replace('refs/heads/', '');
  if (after === undefined) return `${branch} is removed.`;
  const at = after.slice(0, 12);
  return reverts === true
    ? `${branch} has a new commit, ${at}, that takes the changes back.`
    : `${branch} is back at ${at}.`;
}
