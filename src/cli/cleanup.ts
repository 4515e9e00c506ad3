/**
 * `forge cleanup`: removes what a run keeps, or with `--all` what every finished run keeps. Without a name it asks which
 * run. A run that cannot be removed does not keep the others from it.
 */
import { isFinished } from '../api/choose-run.ts';
import { type CleanedUp, cleanupRun } from '../api/cleanup-run.ts';
import { type ApiContext, openContext } from '../api/context.ts';
import { runsThat } from '../api/find-run.ts';
import { performOperation } from '../api/operation.ts';
import { ForgeError } from '../errors.ts';
import { countText } from '../views/figures.ts';
import { chooseFrom } from './choose.ts';
import type { CommandCall } from './commands.ts';
import { nameRun } from './name-run.ts';
import { printJson } from './print.ts';
import { openTerminal } from './terminal.ts';

const warning = 'This removes the workspaces, refs, documents and journal of a run. The published branch stays.';

export async function run(call: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  if (call.switches.has('all')) return cleanAll(context, call);
  const name = await nameRun(context, call, { command: 'cleanup', what: 'that is over', fits: isFinished, warning });
  if (name === undefined) return 130;
  const cleaned = await performOperation(cleanupRun, context, { run: name, force: call.switches.has('force') });
  if (call.switches.has('json')) printJson(cleaned);
  else say(cleaned);
  return 0;
}

/** Exit 2 when something had to stay. */
async function cleanAll(context: ApiContext, { words, switches }: CommandCall): Promise<number> {
  if (words.length > 0) {
    throw new ForgeError('bad-input', 'cleanup takes the name of a run or --all, not both', {
      hint: `forge cleanup ${words[0]}`,
    });
  }
  const json = switches.has('json');
  const over = (await runsThat(context, isFinished)).map((listing) => listing.run);
  if (over.length > 0 && !switches.has('yes') && !(await agrees(over, json))) return 130;
  const removed: CleanedUp[] = [];
  const kept: { run: string; reason: string; hint: string | undefined }[] = [];
  for (const name of over) {
    try {
      const cleaned = await performOperation(cleanupRun, context, { run: name, force: switches.has('force') });
      removed.push(cleaned);
      if (!json) say(cleaned);
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      kept.push({ run: name, reason: error.message, hint: error.hint });
      if (!json)
        console.error(`${name} is kept: ${error.message}${error.hint === undefined ? '' : `\n  ${error.hint}`}`);
    }
  }
  if (json) printJson({ removed, kept });
  else if (over.length === 0) console.log('There is no run that is over.');
  return kept.length === 0 ? 0 : 2;
}

async function agrees(runs: readonly string[], json: boolean): Promise<boolean> {
  const terminal = openTerminal();
  if (!terminal.isInteractive || json) {
    throw new ForgeError('bad-input', `This would remove ${countText(runs.length, 'run')}: ${runs.join(', ')}`, {
      hint: 'Agree to it: forge cleanup --all --yes',
    });
  }
  const title = `${warning}\n${runs.map((name) => `  ${name}`).join('\n')}`;
  if ((await chooseFrom(terminal, title, ['Keep them', `Remove ${countText(runs.length, 'run')}`])) === 1) return true;
  terminal.say('Nothing was changed.');
  return false;
}

function say({ run: name, workspaces, refs }: CleanedUp): void {
  console.log(
    `Removed ${name}: ${countText(workspaces.length, 'workspace')}, ${countText(refs.length, 'ref')}, its journal.`,
  );
}
