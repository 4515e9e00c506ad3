/**
 * What the engine measured on a module's commit, put together as the workflow does: files, syntax, contracts,
 * commands, what happened to the tests, and what a reviewer called an error. One score, and the names of what failed.
 */
import type { EffectOutput } from '../engine/effect-map.ts';
import { scoreOf } from '../policy/stagnation.ts';
import { type ValidationResult, validationResults } from '../policy/validation-results.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';
import { eventsOf, type ModuleEvent, recordOf } from './modules-keys.ts';
import { outputOf } from './view-node.ts';

export interface MeasuredRound {
  readonly round: number;
  readonly score: number;
  readonly passed: number;
  readonly total: number;
  readonly failed: readonly ValidationResult[];
}

type ValidationEvent = Extract<ModuleEvent, { type: 'validation' }>;

/** Undefined until its commands have run. */
export function measuredRound(chronicle: Chronicle, module: string, event: ValidationEvent): MeasuredRound | undefined {
  const { key, round, review, sentBack } = event;
  const accepted = outputOf(chronicle, `${key}/check/accepted`, 'check.run');
  const report = accepted ?? outputOf(chronicle, `${key}/check`, 'check.run');
  if (report === undefined) return undefined;
  // What was done to the tests counts where it kept the commit from passing.
  const counts = sentBack || recordOf(chronicle, module)?.outcome?.status === 'failed';
  const errors = replyOf(lastReading(chronicle, review), 'reviewer')?.findings.filter(
    ({ severity }) => severity === 'error',
  );
  const results = validationResults({
    contracts: contractsAt(chronicle, `${key}/contracts`),
    report,
    findings: counts ? (outputOf(chronicle, `${key}/evidence`, 'evidence.measure')?.findings ?? []) : [],
    review: errors ?? [],
  });
  const failed = results.filter((result) => !result.passed);
  return {
    round,
    score: scoreOf(results),
    passed: results.length - failed.length,
    total: results.length,
    failed,
  };
}

/** The newest measurement of a module. */
export function lastMeasured(chronicle: Chronicle, module: string): MeasuredRound | undefined {
  const events = eventsOf(chronicle, module).filter((event) => event.type === 'validation');
  for (const event of events.toReversed()) {
    const measured = measuredRound(chronicle, module, event);
    if (measured !== undefined) return measured;
  }
  return undefined;
}

export function contractsAt(chronicle: Chronicle, key: string): EffectOutput<'contracts.check'>['results'] {
  return outputOf(chronicle, key, 'contracts.check')?.results ?? [];
}

/** One digit is enough where it is exact; `0.67`, but `1.0`. */
export function scoreFigure(score: number): string {
  const two = score.toFixed(2);
  return two.endsWith('0') ? two.slice(0, -1) : two;
}
