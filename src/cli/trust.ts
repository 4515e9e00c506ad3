/** `forge trust`: shows what a repository's own files would have Forge do, and asks the person to agree to it. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { trustProject } from '../api/trust.ts';
import { plainLine } from '../views/terminal-text.ts';
import { chooseFrom } from './choose.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const terminal = openTerminal();
  const found = await performOperation(trustProject, context, {});
  if (!switches.has('json')) for (const point of found.points) console.log(`- ${plainLine(point)}`);
  const agree =
    found.trusted ||
    switches.has('yes') ||
    (terminal.isInteractive && (await chooseFrom(terminal, 'Agree to this?', ['No', 'Yes'])) === 1);
  const state = agree && !found.trusted ? await performOperation(trustProject, context, { agree: true }) : found;
  if (switches.has('json')) printJson(state);
  else
    console.log(
      found.points.length === 0
        ? 'There is nothing to agree to.'
        : state.trusted
          ? 'Agreed.'
          : 'Not agreed: say so with forge trust --yes.',
    );
  return state.trusted ? 0 : 3;
}
