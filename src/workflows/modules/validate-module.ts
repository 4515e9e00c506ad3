/**
 * What the engine finds out about a module's commit: its files, their syntax, what modules expect of each other, the
 * commands, and what it did to the tests. One number and the names of what failed come of it; the rules for another
 * attempt decide on those.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { ContractResult } from '../../policy/contract-result.ts';
import type { ReviewFinding } from '../../policy/review-finding.ts';
import { type Attempt, type AttemptVerdict, judgeAttempt } from '../../policy/stagnation.ts';
import { attemptOf, validationResults } from '../../policy/validation-results.ts';
import { countText } from '../../views/figures.ts';
import { askPersonToDecide, type Verified, type VerifyRequest, verify } from '../moves/verify.ts';
import { checkContracts } from './check-contracts-step.ts';

export interface Validation {
  readonly verified: Verified;
  readonly attempt: Attempt;
  readonly verdict: AttemptVerdict;
  /** What failed, with what was said about it. */
  readonly failures: readonly string[];
  readonly total: number;
}

export type ContractModules = EffectInput<'contracts.check'>['modules'];

interface ValidateRequest {
  readonly request: VerifyRequest;
  readonly modules: ContractModules;
  readonly review: readonly ReviewFinding[];
  readonly earlier: readonly Attempt[];
}

/** `key` names the round, e.g. `m3/validate#2`. */
export function validateModule(bench: Bench, key: string, about: ValidateRequest): Promise<Validation> {
  const round = about.earlier.length + 1;
  const title = round === 1 ? 'validation' : `validation ${round}`;
  return bench.step(key, { kind: 'round', title, end: describeValidation }, () => measureModule(bench, key, about));
}

function describeValidation({ verdict, attempt: { issues }, total }: Validation): StepEndInput {
  return {
    status: verdict.passed ? 'done' : 'failed',
    detail: `${total - issues.length}/${total} passed${issues.length === 0 ? '' : `, ${countText(issues.length, 'issue')}`}`,
    figures: { score: verdict.score, passed: total - issues.length, total, stagnant: verdict.stagnant },
    lines: [...issues],
  };
}

async function measureModule(bench: Bench, key: string, about: ValidateRequest): Promise<Validation> {
  const { request, modules, review } = about;
  const { commit, base, task } = request;
  const contracts = await checkContracts(bench, `${key}/contracts`, { commit, base, modules, about: task.id });
  const verified = await verify(bench, key, request);
  const validation = judge(about, contracts, verified);
  // Agents get no further. What they left may still be right, if it is about tests alone: that is for a person to say.
  const isAboutTests = review.length === 0 && contracts.every((result) => result.passed);
  if (!validation.verdict.stagnant || verified.status !== 'red' || !isAboutTests) return validation;
  return judge(about, contracts, await askPersonToDecide(bench, key, request, verified));
}

function judge(
  { review, earlier }: ValidateRequest,
  contracts: readonly ContractResult[],
  verified: Verified,
): Validation {
  const results = validationResults({
    contracts,
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
