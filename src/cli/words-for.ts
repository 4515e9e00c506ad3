/**
 * `[run] [task]`, either of which may be left out. One word alone is a run if it could name one, or looks like a
 * misspelt one; otherwise it is a task of the newest run.
 */
import { isNamedBy } from '../api/choose-run.ts';
import type { ApiContext } from '../api/context.ts';
import { readRunLines } from '../api/run-lines.ts';
import { suggestWord } from '../api/suggest.ts';

export async function wordsFor(
  context: ApiContext,
  [first, second]: readonly string[],
): Promise<{ readonly run: string | undefined; readonly task: string | undefined }> {
  if (first === undefined || second !== undefined) return { run: first, task: second };
  // A whole name settles it: the other runs are not looked at.
  if (await (await context.runs()).engine.has(first)) return { run: first, task: undefined };
  const runs = await readRunLines(context);
  const names = runs.map(({ run }) => run);
  const isRun = runs.some((line) => isNamedBy(line, first)) || suggestWord(first, names, '') !== '';
  return isRun || runs.length === 0 ? { run: first, task: undefined } : { run: undefined, task: first };
}
