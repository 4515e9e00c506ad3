/** `forge memory`: what earlier runs learnt, and how a person changes, removes or promotes it. */

import { openContext } from '../api/context.ts';
import { editLessons, type LessonChange } from '../api/edit-lessons.ts';
import { type Lessons, listLessons } from '../api/list-lessons.ts';
import { performOperation } from '../api/operation.ts';
import { suggestWord } from '../api/suggest.ts';
import { ForgeError } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

const actions = ['list', 'show', 'edit', 'remove', 'promote'];

export async function run({ words: [action = 'list', lesson], values, switches }: CommandCall): Promise<number> {
  const context = openContext({ cwd: process.cwd() });
  const json = switches.has('json');
  const user = switches.has('user');
  if (!actions.includes(action)) {
    throw new ForgeError('bad-input', `memory has no action ${JSON.stringify(action)}`, {
      hint: suggestWord(action, actions, `It knows: ${actions.join(', ')}.`),
    });
  }
  const { text } = values;
  if (text !== undefined && action !== 'edit') {
    throw new ForgeError('bad-input', `--text does not fit memory ${action}`, {
      hint: 'forge memory edit <id> --text …',
    });
  }
  if (action === 'list') {
    const memory = await performOperation(listLessons, context, {});
    const shown = { ...memory, lessons: memory.lessons.filter(({ scope }) => !user || scope === 'user') };
    if (json) printJson(shown);
    else list(shown);
    return 0;
  }
  const wanted = { ...(lesson === undefined ? {} : { lesson }), ...(text === undefined ? {} : { text }) };
  const change = await performOperation(editLessons, context, { action, user, ...wanted });
  if (json) printJson(change);
  else say(change);
  return 0;
}

function list(memory: Lessons): void {
  for (const { id, scope, category, text, date, applied, confidence, isTrusted, isAgreed } of memory.lessons) {
    const use = isAgreed ? (isTrusted ? '' : ', not given to agents') : ', not used before forge trust';
    const trust = `confidence ${confidence}${use}`;
    console.log(`${id}  ${plainLine(category)} (${scope}, ${date}, applied ${applied}×, ${trust}): ${plainLine(text)}`);
  }
  if (memory.lessons.length === 0) console.log('Nothing was learnt yet.');
  if (memory.mode === 'off') console.log('\nMemory is off in .forge/config.yaml: runs neither use nor keep lessons.');
  console.log(`\nThe lessons are in these files; you may edit them:`);
  for (const file of memory.files.length > 0 ? memory.files : Object.values(memory.directories))
    console.log(`  ${file}`);
  for (const problem of memory.problems) console.error(`note: ${plainLine(problem)}`);
}

function say({ action, lesson, file, changed, problems }: LessonChange): void {
  const text = lesson === undefined ? '' : plainLine(lesson.text);
  if (action === 'show' && lesson !== undefined) {
    const { id, category, keywords, scope, date, applied, confidence } = lesson;
    console.log(`${id}  ${plainLine(category)}\n  ${text}`);
    console.log(
      `  ${scope === 'user' ? 'your own memory' : 'this project'}, learnt ${date}, applied ${applied}×, confidence ${confidence}`,
    );
    if (keywords.length > 0) console.log(`  keywords: ${plainLine(keywords.join(', '))}`);
    console.log(`  ${file}`);
  } else if (action === 'promote') {
    console.log(changed ? `All your projects use it now: ${text}` : `It is in your own memory already: ${text}`);
  } else if (action === 'remove') console.log(`Removed from ${file}: ${text}`);
  else console.log(changed ? `Changed ${file}` : 'Nothing was changed.');
  for (const problem of problems) console.error(`note: ${plainLine(problem)}`);
}
