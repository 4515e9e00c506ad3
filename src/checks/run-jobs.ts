/**
 * Runs command lines in a tree that was put together for one measurement: a commit as the judge lets it be seen, with some
 * entries of another one. In the jail, in a checkout of its own, which is made anew between commands.
 */
import { join } from 'node:path';
import { commandRunner } from '../evidence/command-runner.ts';
import { refComponent } from '../git/ref-name.ts';
import type { TreeEdit } from '../git/write-trees.ts';
import type { VerifyCommand } from '../plan/command-line.ts';
import type { CheckDeps, CommandRun } from './check.ts';
import { isJudgePlace, restoreCheckout, withCheckout } from './checkout.ts';
import { judgedCommit } from './judged-commit.ts';
import { runCommand } from './run-command.ts';
import type { SelectedCommands } from './select-commands.ts';

export interface JobPlace {
  readonly run: string;
  /** Names the logs; with the prefix, the checkout. */
  readonly name: string;
  readonly prefix: string;
  readonly commit: string;
  readonly judge: string;
  readonly selected: SelectedCommands;
  readonly edits: readonly TreeEdit[];
}

export async function runJobs(
  deps: CheckDeps,
  at: JobPlace,
  commands: readonly VerifyCommand[],
  signal: AbortSignal,
): Promise<readonly CommandRun[]> {
  const { run, prefix, commit, judge, selected, edits } = at;
  const { started, shadows } = selected;
  const judged = await judgedCommit(deps, { run, commit, judge, started, shadows, edits });
  const name = refComponent(at.name);
  const isJudge = (path: string): boolean => isJudgePlace(path, shadows);
  const place = { run, name: `${prefix}-${name}`, commit: judged.commit, judge, isJudge };
  return withCheckout(deps, place, signal, async (checkout) => {
    const runs: CommandRun[] = [];
    for (const [index, command] of commands.entries()) {
      if (index > 0) await restoreCheckout(deps, place, checkout, signal);
      const logFile = join(deps.logs, name, `${prefix}-${index + 1}.log`);
      const runner = commandRunner(command.argv, selected.scripts(command.cwd));
      runs.push(await runCommand(deps, { checkout, logFile, runner }, command, signal));
    }
    return runs;
  });
}
