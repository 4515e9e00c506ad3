/** `forge memory`: what earlier runs learnt, and the files in which it can be changed. */
import { listLessons } from '../api/list-lessons.ts';
import { openContext, perform } from '../api/operation.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: Call): Promise<number> {
  const memory = await perform(listLessons, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) {
    printJson(memory);
    return 0;
  }
  for (const { scope, category, text, date, applied, confidence, isTrusted } of memory.lessons) {
    const trust = `confidence ${confidence}${isTrusted ? '' : ', not given to agents'}`;
    console.log(`${plainLine(category)} (${scope}, ${date}, applied ${applied}×, ${trust}): ${plainLine(text)}`);
  }
  if (memory.lessons.length === 0) console.log('Nothing was learnt yet.');
  console.log(`\nKept in, and yours to change:`);
  for (const file of memory.files.length > 0 ? memory.files : Object.values(memory.directories))
    console.log(`  ${file}`);
  for (const problem of memory.problems) console.error(`note: ${plainLine(problem)}`);
  return 0;
}
