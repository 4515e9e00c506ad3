/**
 * Did fewer tests run than on the base, and what explains it? Asked only where a command seems to have lost some,
 * since the answer costs: the diff of tests since the baseline is read, and where another commit judges than judged
 * the baseline (a person accepted its configuration), the code of the base is run once more under that judge, so
 * that like is compared with like.
 */
import type { VerifyCommand } from '../plan/command-line.ts';
import type { CheckReport, CommandResult } from '../policy/check-report.ts';
import { isGreen, missingTests } from '../policy/check-verdict.ts';
import type { CachedRuns } from './cache.ts';
import type { CheckDeps } from './check.ts';
import { countRemoved } from './measure.ts';

export interface DropQuestion {
  readonly commit: string;
  readonly judge: string;
  readonly baseline: CheckReport | undefined;
  readonly commands: readonly VerifyCommand[];
  readonly measured: readonly CachedRuns[];
  /** The baseline's commit, checked by the judge of now. */
  readonly checkBase: (commit: string) => Promise<CheckReport>;
}

export interface ComparableRun {
  /** One per command: what to compare it with. */
  readonly bases: readonly (CommandResult | undefined)[];
  readonly testsRemoved: number;
}

export async function comparableBases(deps: CheckDeps, question: DropQuestion): Promise<ComparableRun> {
  const { baseline, commands, measured } = question;
  const bases = baseResults(commands, baseline);
  const lost = (given: ComparableRun): boolean =>
    measured.some(({ first, rerun }, place) =>
      [first, rerun].some(
        (run) =>
          run !== undefined &&
          isGreen(run) &&
          missingTests({ base: given.bases[place], testsRemoved: given.testsRemoved }, run) !== undefined,
      ),
    );
  const plain = { bases, testsRemoved: 0 };
  if (baseline === undefined || !lost(plain)) return plain;
  const weighed = { bases, testsRemoved: await countRemoved(deps.repo, baseline.commit, question.commit) };
  if (question.judge === baseline.judge || !lost(weighed)) return weighed;
  return { ...weighed, bases: baseResults(commands, await question.checkBase(baseline.commit)) };
}

/** The same command of the baseline; of several equal ones, the one in the same place among them. */
export function baseResults(
  commands: readonly VerifyCommand[],
  baseline: CheckReport | undefined,
): readonly (CommandResult | undefined)[] {
  const left = [...(baseline?.commands ?? [])];
  return commands.map(({ argv, cwd }) => {
    const at = left.findIndex((result) => result.cwd === cwd && JSON.stringify(result.argv) === JSON.stringify(argv));
    return at === -1 ? undefined : left.splice(at, 1)[0];
  });
}
