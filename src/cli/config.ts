/** `forge config`: each setting and preference with its value and where it comes from. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { showConfig } from '../api/show-config.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [name], switches }: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const all = await performOperation(showConfig, context, name === undefined ? {} : { name });
  const isWhole = switches.has('all') || name !== undefined;
  const shown = isWhole ? all : all.filter(({ origin }) => origin !== 'default');
  if (switches.has('json')) {
    printJson(shown);
    return 0;
  }
  for (const { name: setting, value, origin, path, isWaiting } of shown) {
    const where = path === undefined ? origin : `${origin}, ${path}`;
    const note = isWaiting === true ? '; not in force before forge trust' : '';
    console.log(plainLine(`${setting} = ${JSON.stringify(value)}  (${where}${note})`));
  }
  if (shown.length === 0) console.log('Everything has its default.');
  if (!isWhole) console.log('\nforge config --all shows the defaults too.');
  return 0;
}
