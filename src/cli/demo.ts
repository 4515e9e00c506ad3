/** `forge demo`: the whole thing, offline, on a small repository that is left to be explored. */
import { makeDemo } from '../api/make-demo.ts';
import { openContext, perform } from '../api/operation.ts';
import type { Call } from './commands.ts';
import { run as runRequirement } from './run.ts';

export async function run(call: Call): Promise<number> {
  const { root, requirement, notice } = await perform(makeDemo, openContext({ cwd: process.cwd() }), {});
  const isJson = call.switches.has('json');
  if (!isJson)
    console.log(`A small repository with real tests: ${root}\nAgents that follow a script will extend it.\n`);
  if (notice !== undefined) process.stderr.write(`note: ${notice} The demo runs without a jail.\n`);
  process.chdir(root);
  const switches = new Set(['yes', ...(isJson ? ['json'] : [])]);
  const code = await runRequirement({ ...call, words: [], values: { file: requirement }, switches });
  if (!isJson) console.log(`\nLook around:\n  cd ${root}\n  forge status\n  forge logs\n  forge show\n  forge undo\n`);
  return code;
}
