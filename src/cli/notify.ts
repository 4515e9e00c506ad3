/** `forge notify test`: send a test notification through every channel that is set up. */

import { openContext } from '../api/context.ts';
import { notifyTest } from '../api/notify-test.ts';
import { performOperation } from '../api/operation.ts';
import { suggestWord } from '../api/suggest.ts';
import { ForgeError } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

const actions = ['test'];

export async function run({ words: [action = ''], switches }: CommandCall): Promise<number> {
  if (!actions.includes(action)) {
    throw new ForgeError('bad-input', `notify has no action ${JSON.stringify(action)}`, {
      hint: suggestWord(action, actions, 'Try: forge notify test'),
    });
  }
  const tried = await performOperation(notifyTest, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) printJson(tried);
  else for (const { channel, ok, detail } of tried) console.log(plainLine(`${ok ? '✓' : '✗'} ${channel}: ${detail}`));
  return tried.every(({ ok }) => ok) ? 0 : 5;
}
