/** `forge collate`: the index and the feature pages, from the records. */
import { collateStore } from '../api/collate-store.ts';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const dryRun = switches.has('dry-run');
  const done = await performOperation(collateStore, openContext({ cwd: process.cwd() }), { dryRun });
  if (switches.has('json')) printJson(done);
  else {
    for (const path of done.written) console.log(plainLine(`${dryRun ? 'Would write' : 'Wrote'} ${path}`));
    if (done.written.length === 0) console.log('Everything is up to date.');
    for (const file of done.skipped)
      console.error(plainLine(`note: ${file} does not fit and was left out; see forge store validate`));
  }
  return 0;
}
