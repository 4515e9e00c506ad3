/**
 * The run that a destructive command means. A name settles it. Without one, a person at a terminal chooses from the
 * runs that fit, and nothing is the first choice; a script has to name the run or say `--yes`, which takes the newest.
 */

import type { ApiContext } from '../api/context.ts';
import type { RunSummary } from '../api/facts.ts';
import { runsThat } from '../api/find-run.ts';
import { type RunLine, runLine } from '../api/run-lines.ts';
import { ForgeError } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import { chooseFrom } from './choose.ts';
import type { CommandCall } from './commands.ts';
import { agoText } from './print.ts';
import { openTerminal } from './terminal.ts';

export interface DestructiveCommand {
  /** `cancel`. */
  readonly command: string;
  /** Which runs fit, in words (`that is not over`) and as a test. */
  readonly what: string;
  readonly fits: (run: RunSummary) => boolean;
  /** What a person should know before they agree. */
  readonly warning: string;
}

/** Undefined when the person chose nothing. */
export async function nameRun(
  context: ApiContext,
  { words: [named], switches }: CommandCall,
  { command, what, fits, warning }: DestructiveCommand,
): Promise<string | undefined> {
  if (named !== undefined) return named;
  const candidates = (await runsThat(context, fits)).map(runLine);
  const [newest] = candidates;
  if (newest === undefined) {
    throw new ForgeError('unknown-run', `There is no run ${what}`, { hint: 'See what there is: forge list' });
  }
  if (switches.has('yes')) return newest.run;
  const terminal = openTerminal();
  if (!terminal.isInteractive || switches.has('json')) {
    throw new ForgeError('bad-input', `forge ${command} needs the name of a run. ${warning}`, {
      hint: [
        ...candidates.slice(0, shown).map(({ run }) => `forge ${command} ${run}`),
        'or, for the newest: --yes',
      ].join('\n  '),
    });
  }
  const verb = `${command[0]?.toUpperCase()}${command.slice(1)}`;
  const labels = candidates.slice(0, shown).map((line) => `${verb} ${describe(line)}`);
  const chosen = await chooseFrom(terminal, warning, ['Do nothing', ...labels]);
  if (chosen !== undefined && chosen > 0) return candidates[chosen - 1]?.run;
  terminal.say('Nothing was changed.');
  return undefined;
}

const shown = 9;

function describe({ run, status, where, title, updatedAt }: RunLine): string {
  const place = where === '' ? status : `${status} at ${where}`;
  const about = title === '' ? '' : `: ${plainLine(title)}`;
  return `${run} (${place}, ${agoText(updatedAt)})${about}`;
}
