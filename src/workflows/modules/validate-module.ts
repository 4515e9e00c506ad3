/**
 * What the engine finds out about a module's commit: its files, their syntax, what modules expect of each other, the
 * commands, and what it did to the tests. One number and the names of what failed come of it; the rules for another
 * attempt decide on those.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { ContractResult } from '../../policy/contract-result.ts';
import type { ReviewFinding } from '../../policy/review-finding.ts';
import { type Attempt, type AttemptVerdict, judgeAttempt, scoreOf } from '../../policy/stagnation.ts';
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
  const results = [
    ...contracts.results.map(ofContract),
    ...ofReport(verified.report),
    ...ofEvidence(verified),
    ...review.map(ofReview),
  ];
  const failed = results.filter((result) => !result.passed);
  const attempt = { score: scoreOf(results), issues: failed.map((result) => result.name) };
  return {
    verified,
    attempt,
    verdict: judgeAttempt(earlier, attempt),
    failures: failed.map((result) => result.text),
    total: results.length,
  };
}

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly text: string;
}

export function ofContract({ name, passed, message, file, line }: ContractResult): Result {
  return { name, passed, text: `${file}${line === 0 ? '' : `:${line}`}: ${message}` };
}

/** A flaky command passed when it was run again; what could not be run has not passed. */
function ofReport({ commands, status }: CheckReport): readonly Result[] {
  const results = commands.map(({ label, status: one, reason, output }) => ({
    name: `command ${label}`,
    passed: one === 'passed' || one === 'flaky',
    text: `${label}: ${reason}\n${output}`,
  }));
  const isSilent = results.every((result) => result.passed) && status !== 'passed' && status !== 'flaky';
  return isSilent
    ? [...results, { name: `checks ${status}`, passed: false, text: `The checks are ${status}.` }]
    : results;
}

/** What a reviewer called an error and nobody has mended. */
function ofReview({ file, line, element, claim }: ReviewFinding): Result {
  return { name: `review ${file} ${element || claim}`, passed: false, text: `${file}:${line} ${claim}` };
}

function ofEvidence(verified: Verified): readonly Result[] {
  if (verified.status === 'passed') return [];
  const { findings } = verified.status === 'red' ? verified : { findings: [] };
  return findings.map(({ path, line, kind, claim }) => ({
    name: `${kind} ${path}`,
    passed: false,
    text: `${path}:${line} ${claim}`,
  }));
}
