/** `forge demo`: a whole run, offline, on a small repository that you can explore afterwards. */
import { join } from 'node:path';
import { openContext } from '../api/context.ts';
import { findOnPath } from '../api/known-agents.ts';
import { changeDemo, makeDemo } from '../api/make-demo.ts';
import { performOperation } from '../api/operation.ts';
import type { CommandCall } from './commands.ts';
import { performCommandLine } from './perform-command-line.ts';

export async function run({ words: [workflow], switches }: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const demo = await performOperation(makeDemo, context, workflow === undefined ? {} : { workflow });
  const { root, example, acts, notice } = demo;
  const isJson = switches.has('json');
  const say = (text: string): void => (isJson ? undefined : console.log(text));
  say(`${demo.about}\n  ${root}\n`);
  if (notice !== undefined) process.stderr.write(`note: ${notice} The demo runs without a jail.\n`);
  process.chdir(root);
  const before = process.env['XDG_CONFIG_HOME'];
  if (demo.config !== undefined) process.env['XDG_CONFIG_HOME'] = demo.config;
  let code = 0;
  for (const { say: sentence, change, forge: words = [], expect } of acts) {
    if (sentence !== undefined) say(`\n${sentence}\n`);
    if (change !== undefined)
      await performOperation(changeDemo, context, { root, folder: join(example, change), message: sentence ?? change });
    if (words.length === 0) continue;
    const line = words.map((word) => word.replace('{example}', example));
    if (acts.length > 1) say(`$ forge ${line.join(' ')}\n`);
    code = await performCommandLine([...line, ...(isJson ? ['--json'] : [])]);
    if (!expect.includes(code)) break;
    code = 0;
  }
  if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
  else process.env['XDG_CONFIG_HOME'] = before;
  const commands = [...aliasLines(process.env), `cd ${root}`, ...demo.look.map((line) => `forge ${line}`)];
  say(`\nLook around:\n${commands.map((line) => `  ${line}\n`).join('')}`);
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
