/** `forge demo`: a whole run, offline, on a small repository that you can explore afterwards. */
import { findOnPath } from '../api/known-agents.ts';
import { makeDemo } from '../api/make-demo.ts';
import { openContext } from '../api/context.ts';
import { perform } from '../api/operation.ts';
import type { Call } from './commands.ts';
import { run as runRequirement } from './run.ts';

export async function run(call: Call): Promise<number> {
  const { root, requirement, notice } = await perform(makeDemo, openContext({ cwd: process.cwd() }), {});
  const isJson = call.switches.has('json');
  if (!isJson) console.log(`A small repository with real tests:\n  ${root}\nScripted agents will extend it.\n`);
  if (notice !== undefined) process.stderr.write(`note: ${notice} The demo runs without a jail.\n`);
  process.chdir(root);
  const switches = new Set(['yes', ...(isJson ? ['json'] : [])]);
  const code = await runRequirement({ ...call, words: [], values: { file: requirement }, switches });
  const commands = [...aliasLines(process.env), `cd ${root}`, 'forge status', 'forge logs', 'forge show', 'forge undo'];
  if (!isJson) console.log(`\nLook around:\n${commands.map((line) => `  ${line}\n`).join('')}`);
  return code;
}

/** From a fresh clone there is no `forge` on PATH, and the commands shown must work as they are typed. */
export function aliasLines(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (findOnPath('forge', env) !== undefined) return [];
  return [`alias forge=${quoteWord(`node ${quoteWord(process.argv[1] ?? 'forge')}`)}`];
}

/** For a shell; paths of ours hold nothing else that it would read. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
