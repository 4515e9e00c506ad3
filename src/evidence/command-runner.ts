/**
 * The test runner behind a command, seen through package scripts (`npm test` → `npm run unit` → `vitest run`). The
 * scripts are those of the judge commit, so nothing that the code under test prints can choose how it is read. Pure.
 */
import { type RunnerName, runnerCommand, scriptCommand, scriptWords } from './runner-command.ts';

const maxHops = 5;

/** Undefined where the command ends in no runner that is known, or needs a shell to be read. */
export function commandRunner(
  argv: readonly string[],
  scripts: Readonly<Record<string, string>>,
): RunnerName | undefined {
  let words: readonly string[] | undefined = argv;
  for (let hops = 0; words !== undefined && hops < maxHops; hops += 1) {
    const direct = runnerCommand(words);
    if (direct !== undefined) return direct.runner;
    const script: string | undefined = scriptCommand(words)?.script;
    if (script === undefined || !Object.hasOwn(scripts, script)) return undefined;
    words = scriptWords(scripts[script] ?? '')?.at(-1);
  }
  return undefined;
}
