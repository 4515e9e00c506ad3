/**
 * What came of a run's modules: one row each with attempts, score and notes, the retries, what the final review found,
 * and whether the whole may be released. Also while the run is under way; tolerant of odd outputs.
 */
import { z } from 'zod';
import { isOver } from '../engine/run-state.ts';
import { type ReviewFinding, reviewFindingSchema } from '../policy/review-finding.ts';
import type { AgreedFinding } from '../policy/self-consistency.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';
import { eventsOf, type FinalRound, finalRound, fixesOf, moduleTitle, recordOf, reviewRounds } from './modules-keys.ts';
import { modulesProposal } from './modules-proposal.ts';
import { type OpenStatus, openStatus } from './open-status.ts';
import { releaseBlockers } from './modules-wording.ts';
import { lastMeasured } from './validation.ts';

export interface ModulesSummary {
  readonly modules: readonly ModuleRow[];
  readonly completed: number;
  readonly total: number;
  readonly retries: number;
  /** Undefined until all lenses have answered. Clear only if nothing else stands against it either. */
  readonly release: 'clear' | 'blocked' | undefined;
  /** What blocks the release besides findings, in words. */
  readonly blockers: readonly string[];
  readonly reviewRounds: number;
  readonly mustFix: readonly AgreedFinding[];
  readonly advisory: readonly AgreedFinding[];
  /** Lenses nobody looked through. */
  readonly missing: readonly string[];
}

export interface ModuleRow {
  readonly task: string;
  readonly title: string;
  readonly status: OpenStatus | 'done' | 'failed' | 'blocked' | 'skipped';
  readonly reason: string;
  readonly attempts: number;
  readonly retries: number;
  /** Undefined when nothing was measured. */
  readonly score: number | undefined;
  readonly notes: readonly string[];
  /** What reviewers remarked that did not block. */
  readonly warnings: readonly ReviewFinding[];
  /** What overseers said about failures, in order. */
  readonly causes: readonly { readonly classification: string; readonly evidence: string }[];
}

export function modulesSummary(chronicle: Chronicle): ModulesSummary {
  // What nobody agreed on never was a module of the run.
  const agreed = isOver(chronicle.state) ? chronicle.state.plan : modulesProposal(chronicle);
  const planned = agreed?.tasks.map(({ id }) => id) ?? [];
  const rounds = reviewRounds(chronicle);
  const fixes = Array.from({ length: rounds }, (_, at) => fixesOf(chronicle, at + 1)).flat();
  const modules = [...planned, ...fixes].map((id) => rowOf(chronicle, id));
  const last = lastRound(chronicle, rounds);
  const blockers = releaseBlockers(chronicle);
  const isClear = last !== undefined && last.mustFix.length === 0 && last.missing.length === 0 && blockers.length === 0;
  return {
    modules,
    completed: modules.filter(({ task, status }) => planned.includes(task) && status === 'done').length,
    total: planned.length,
    retries: modules.reduce((sum, { retries }) => sum + retries, 0),
    release: last === undefined ? undefined : isClear ? 'clear' : 'blocked',
    blockers,
    reviewRounds: rounds,
    mustFix: last?.mustFix ?? [],
    advisory: last?.advisory ?? [],
    missing: last?.missing ?? [],
  };
}

/** The newest that is complete: what it found stands until another one says otherwise. */
function lastRound(chronicle: Chronicle, rounds: number): FinalRound | undefined {
  for (let round = rounds; round > 0; round -= 1) {
    const found = finalRound(chronicle, round);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rowOf(chronicle: Chronicle, id: string): ModuleRow {
  const record = recordOf(chronicle, id);
  const outcome = record?.outcome;
  const data = dataSchema.safeParse(outcome?.data ?? {});
  const said = data.success ? data.data : undefined;
  const events = eventsOf(chronicle, id);
  const causes = events.flatMap((event) => {
    const reply = event.type === 'overseer' ? replyOf(lastReading(chronicle, event.key), 'overseer') : undefined;
    return reply === undefined ? [] : [{ classification: reply.classification, evidence: reply.evidence }];
  });
  return {
    task: id,
    title: moduleTitle(chronicle, id),
    status: outcome?.status ?? openStatus(chronicle.state, record !== undefined),
    reason: outcome?.reason ?? '',
    attempts: events.filter((event) => event.type === 'validation').length,
    retries: events.filter((event) => event.type === 'validation' && event.retried).length,
    score: lastMeasured(chronicle, id)?.score,
    notes: said?.notes ?? [],
    warnings: said?.warnings ?? [],
    causes,
  };
}

/** As the workflow counts them into a module's outcome. */
const dataSchema = z.object({
  notes: z.array(z.string()).catch([]),
  warnings: z.array(reviewFindingSchema).catch([]),
});
