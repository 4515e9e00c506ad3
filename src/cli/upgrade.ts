/** `forge upgrade`: settings and records brought to this version of Forge, with copies and a way back. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { upgradeProject } from '../api/upgrade-project.ts';
import { countText } from '../views/figures.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const dryRun = switches.has('dry-run');
  const back = switches.has('back');
  const done = await performOperation(upgradeProject, openContext({ cwd: process.cwd() }), { dryRun, back });
  if (switches.has('json')) {
    printJson(done);
    return 0;
  }
  for (const { file, changes } of done.changed) console.log(plainLine(`${file}: ${changes.join('; ')}`));
  for (const { file, problem } of done.left) console.log(plainLine(`! ${file}: ${problem}`));
  const files = countText(done.changed.length, 'file');
  if (done.changed.length === 0) console.log('Settings and records are up to date.');
  else console.log(dryRun ? `${files} would change. Nothing was changed.` : `${files} changed.`);
  if (done.left.length > 0) console.log(`${countText(done.left.length, 'problem')} left to you.`);
  if (done.backups.length > 0)
    console.log(plainLine(`As it was: ${done.backups.join(', ')}.${back ? '' : ' Back: forge upgrade --back'}`));
  return 0;
}
