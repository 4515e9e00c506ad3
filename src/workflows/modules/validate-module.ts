/**
 * What the engine finds out about a module's commit: its files, their syntax, what modules expect of each other, the
 * commands, and what it did to the tests. One number and the names of what failed come of it; the rules for another
 * attempt decide on those.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { ReviewFinding } from '../../policy/review-finding.ts';
import { type Attempt, type AttemptVerdict, judgeAttempt } from '../../policy/stagnation.ts';
import { attemptOf, validationResults } from '../../policy/validation-results.ts';
import { type Verified, verify, type VerifyRequest } from '../moves/verify.ts';

export interface Validation {
  readonly verified: Verified;
  readonly attempt: Attempt;
  readonly verdict: AttemptVerdict;
  /** What failed, with what was said about it. */
  readonly failures: readonly string[];
  readonly total: number;
}

export type ContractModules = EffectInput<'contracts.check'>['modules'];

/** `key` names the round, e.g. `m3/validate#2`. */
export async function validateModule(
  bench: Bench,
  key: string,
  about: {
    request: VerifyRequest;
    modules: ContractModules;
    review: readonly ReviewFinding[];
    earlier: readonly Attempt[];
  },
): Promise<Validation> {
  const { request, modules, review, earlier } = about;
  const contracts = await bench.perform('contracts.check', `${key}/contracts`, {
    commit: request.commit,
    base: request.base,
    modules,
    about: request.task.id,
  });
  const verified = await verify(bench, key, request);
  const results = validationResults({
    contracts: contracts.results,
    report: verified.status === 'passed' ? letPass(verified.report) : verified.report,
    findings: verified.status === 'red' ? verified.findings : [],
    review,
  });
  const failed = results.filter((result) => !result.passed);
  const attempt = attemptOf(results);
  return {
    verified,
    attempt,
    verdict: judgeAttempt(earlier, attempt),
    failures: failed.map((result) => result.text),
    total: results.length,
  };
}

/** A person may have let fewer tests pass: then its commands count as passed. */
function letPass(report: CheckReport): CheckReport {
  const commands = report.commands.map((command) => ({ ...command, status: 'passed' as const }));
  return { ...report, status: 'passed', commands };
}
