/** `forge list --all`: the runs of all repositories of this user. A repository that is gone from its place is named. */
import { openContext } from '../api/context.ts';
import { type RunLine, readRunLines } from '../api/run-lines.ts';
import { userRepositories } from '../api/user-repositories.ts';
import { messageOf } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import { agoText, printJson, tableLines } from './print.ts';

interface Place {
  readonly repository: string;
  readonly root: string;
  readonly runs: readonly RunLine[];
  /** Why its runs cannot be shown. */
  readonly problem?: string;
}

export async function listEverywhere({
  json,
  columns,
}: {
  readonly json: boolean;
  readonly columns: number;
}): Promise<number> {
  const places: Place[] = [];
  for (const { name: repository, root, isThere } of userRepositories(process.env)) {
    if (!isThere) places.push({ repository, root, runs: [], problem: 'the repository is not there any more' });
    else {
      const read = await readRunLines(openContext({ cwd: root })).then(
        (runs) => ({ runs }),
        (error: unknown) => ({ runs: [], problem: messageOf(error) }),
      );
      places.push({ repository, root, ...read });
    }
  }
  if (json) {
    printJson(places.flatMap(({ repository, root, runs }) => runs.map((line) => ({ repository, root, ...line }))));
    return 0;
  }
  const shown = places.filter(({ runs, problem }) => runs.length > 0 || problem !== undefined);
  if (shown.length === 0) console.log('There are no runs yet. Start one: forge run "<requirement>"');
  for (const { root, runs, problem } of shown) {
    console.log(plainLine(problem === undefined ? root : `${root}: ${problem}`));
    const rows = runs.map(({ run, status, where, title, updatedAt }) => [
      run,
      status,
      agoText(updatedAt),
      where || title,
    ]);
    for (const line of tableLines(rows, Math.max(20, columns - 2))) console.log(`  ${line}`);
  }
  return 0;
}
