/** `[run] [task]`, either of which may be left out: one word alone is a run if there is one of that name, else a task. */
import { listRuns } from '../api/list-runs.ts';
import { type ApiContext, perform } from '../api/operation.ts';

export async function wordsFor(
  context: ApiContext,
  [first, second]: readonly string[],
): Promise<{ readonly run: string | undefined; readonly task: string | undefined }> {
  if (first === undefined || second !== undefined) return { run: first, task: second };
  const runs = await perform(listRuns, context, {});
  const isRun = runs.some(({ run }) => run.startsWith(first));
  return isRun || runs.length !== 1 ? { run: first, task: undefined } : { run: undefined, task: first };
}
