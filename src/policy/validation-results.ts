/**
 * What the engine found out about a module's commit, as single results with a name that is the same when the same thing
 * fails again: the share that passed is its score, the names of the others are its issues (see stagnation.ts). Pure.
 */
import type { CheckReport } from './check-report.ts';
import type { ContractResult } from './contract-result.ts';
import type { Finding } from './finding.ts';
import type { ReviewFinding } from './review-finding.ts';
import { type Attempt, scoreOf } from './stagnation.ts';

export interface ValidationResult {
  readonly name: string;
  readonly passed: boolean;
  readonly text: string;
}

export interface ValidationMatter {
  readonly contracts: readonly ContractResult[];
  readonly report: CheckReport | undefined;
  /** What the work did to the tests, where that keeps it from counting. */
  readonly findings: readonly Finding[];
  /** What a reviewer called an error and nobody has fixed. */
  readonly review: readonly ReviewFinding[];
}

export function validationResults({ contracts, report, findings, review }: ValidationMatter): ValidationResult[] {
  return [
    ...contracts.map(ofContract),
    ...(report === undefined ? [] : ofReport(report)),
    ...findings.map(ofFinding),
    ...review.map(ofReview),
  ];
}

export function attemptOf(results: readonly ValidationResult[]): Attempt {
  const failed = results.filter((result) => !result.passed);
  return { score: scoreOf(results), issues: failed.map((result) => result.name) };
}

function ofContract({ name, passed, message, file, line }: ContractResult): ValidationResult {
  return { name, passed, text: `${file}${line === 0 ? '' : `:${line}`}: ${message}` };
}

/** A flaky command passed when it was run again; what could not be run has not passed. */
function ofReport({ commands, status }: CheckReport): readonly ValidationResult[] {
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

function ofFinding({ path, line, kind, claim }: Finding): ValidationResult {
  return { name: `${kind} ${path}`, passed: false, text: `${path}:${line} ${claim}` };
}

function ofReview({ file, line, element, claim }: ReviewFinding): ValidationResult {
  return { name: `review ${file} ${element || claim}`, passed: false, text: `${file}:${line} ${claim}` };
}
