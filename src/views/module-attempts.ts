/**
 * How often a module of a run was validated, and what came of it each time: scores, issues, whether it still improves.
 * Counted from the same results as the workflow's own, so this never tells another story. Pure.
 */
import { z } from 'zod';
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Finding } from '../policy/finding.ts';
import { type ReviewFinding, reviewFindingSchema } from '../policy/review-finding.ts';
import { type Attempt, judgeAttempt } from '../policy/stagnation.ts';
import { attemptOf, validationResults } from '../policy/validation-results.ts';
import { type Chronicle, lastReading } from './chronicle.ts';
import { generationsOf, recordOf } from './modules-keys.ts';

export interface IterationAttempt {
  readonly timestamp: string;
  readonly status: string;
  readonly score: number;
  readonly issues: readonly string[];
  readonly stagnant: boolean;
  readonly rootCause?: string;
}

export interface IterationState {
  readonly attempts: readonly IterationAttempt[];
  readonly scores: readonly number[];
  readonly stagnant: boolean;
  readonly lastStatus?: string;
  readonly lastRootCause?: string;
}

export const noIterations: IterationState = { attempts: [], scores: [], stagnant: false };

export function moduleAttempts(chronicle: Chronicle, module: string): IterationState {
  const attempts: IterationAttempt[] = [];
  for (const name of generationsOf(chronicle, module)) {
    const earlier: Attempt[] = [];
    for (let round = 1; chronicle.state.effects.has(`${name}/validate#${round}/check`); round += 1) {
      const key = `${name}/validate#${round}`;
      const report =
        outputOf<'check.run'>(chronicle, `${key}/check/accepted`) ?? outputOf<'check.run'>(chronicle, `${key}/check`);
      if (report === undefined) break;
      const now = attemptOf(
        validationResults({
          contracts: outputOf<'contracts.check'>(chronicle, `${key}/contracts`)?.results ?? [],
          report,
          findings: findingsOf(chronicle, name, round),
          review: reviewOf(chronicle, name, round),
        }),
      );
      const { passed, stagnant } = judgeAttempt(earlier, now);
      const rootCause = rootCauseOf(chronicle, `${name}/debug#${round}`);
      attempts.push({
        timestamp: chronicle.timeline.effects.get(`${key}/check`)?.endedAt ?? '',
        status: passed ? 'passed' : 'failed',
        score: now.score,
        issues: now.issues,
        stagnant,
        ...(rootCause === '' ? {} : { rootCause }),
      });
      earlier.push(now);
    }
  }
  return stateOf(attempts, recordOf(chronicle, module)?.outcome?.status);
}

/** What the work did to the tests counts against it where it was sent back for it. */
function findingsOf(chronicle: Chronicle, name: string, round: number): readonly Finding[] {
  const wasSentBack = chronicle.state.effects.has(`${name}/tools#${round}`);
  if (!wasSentBack) return [];
  return outputOf<'evidence.measure'>(chronicle, `${name}/validate#${round}/evidence`)?.findings ?? [];
}

/** Errors of the last review before the round. */
function reviewOf(chronicle: Chronicle, name: string, round: number): readonly ReviewFinding[] {
  let key = `${name}/debug#${round - 1}/review`;
  if (round === 1) {
    let last = 1;
    while (chronicle.state.effects.has(`${name}/review#${last + 1}`)) last += 1;
    key = `${name}/review#${last}`;
  }
  const reading = lastReading(chronicle, key);
  const reply = replySchema.safeParse(reading?.status === 'accepted' ? reading.reply : undefined);
  return (reply.data?.findings ?? []).filter((finding) => finding.severity === 'error');
}

const replySchema = z.object({ findings: z.array(reviewFindingSchema) });

function rootCauseOf(chronicle: Chronicle, key: string): string {
  const reading = lastReading(chronicle, key);
  const reply = z.object({ rootCause: z.string() }).safeParse(reading?.status === 'accepted' ? reading.reply : null);
  return reply.data?.rootCause ?? '';
}

function stateOf(attempts: readonly IterationAttempt[], status: string | undefined): IterationState {
  const causes = attempts.flatMap(({ rootCause }) => (rootCause === undefined ? [] : [rootCause]));
  const lastStatus = status ?? attempts.at(-1)?.status;
  const lastRootCause = causes.at(-1);
  return {
    attempts,
    scores: attempts.map(({ score }) => score),
    stagnant: attempts.at(-1)?.stagnant ?? false,
    ...(lastStatus === undefined ? {} : { lastStatus }),
    ...(lastRootCause === undefined ? {} : { lastRootCause }),
  };
}

function outputOf<K extends 'check.run' | 'contracts.check' | 'evidence.measure'>(
  { state }: Chronicle,
  key: string,
): EffectOutput<K> | undefined {
  return state.effects.get(key)?.result?.output as EffectOutput<K> | undefined;
}
