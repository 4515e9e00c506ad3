/** What one phase of one record is asked for, and how it can end. */

import type { RecordEscalation, EscalationReason } from '../../pipelines/escalation.ts';
import { phaseRole } from '../../pipelines/phase-roles.ts';
import type { PhaseRoute } from '../../pipelines/route-phase.ts';
import type { Task } from '../../plan/plan.ts';
import type { PipelinePhase } from '../../policy/pipeline-settings.ts';
import type { StoredRecord } from '../../records/entity.ts';
import type { RecordPipeline, RunContext } from './context.ts';
import type { DeskAnswer, RecordDesk } from './desk.ts';
import type { RecordStanding } from './standing.ts';

export interface PhaseRequest {
  readonly context: RunContext;
  readonly pipeline: RecordPipeline;
  readonly task: Task;
  readonly desk: RecordDesk;
  readonly phase: PipelinePhase;
  readonly at: number;
  /** Counts how often this phase is done. */
  readonly iteration: number;
  readonly revisions: number;
  readonly standing: RecordStanding;
  /** Below the record's id: names the phase and its iteration. */
  readonly key: string;
}

export type PhaseEnd =
  | {
      readonly status: 'routed';
      readonly route: Exclude<PhaseRoute, { kind: 'escalate' }>;
      readonly summary: StoredRecord;
    }
  | { readonly status: 'escalated'; readonly escalation: RecordEscalation };

export function agentNameOf({ desk, phase, iteration }: Pick<PhaseRequest, 'desk' | 'phase' | 'iteration'>): string {
  return `${desk.id}:${phaseRole(phase.role).persona}:${phase.role}:${iteration}`;
}

export function endUnwritten(
  { status, detail }: Exclude<DeskAnswer, { status: 'written' }>,
  phase: PipelinePhase,
): Extract<PhaseEnd, { status: 'escalated' }> {
  return status === 'conflict'
    ? endEscalated('record-conflict', phase, detail, 'Settle what the record should say (forge store), then try again.')
    : endEscalated('record-refused', phase, detail);
}

export function endEscalated(
  reason: EscalationReason,
  { command }: Pick<PipelinePhase, 'command'>,
  detail: string,
  remediation?: string,
): Extract<PhaseEnd, { status: 'escalated' }> {
  return { status: 'escalated', escalation: { reason, phase: command, detail, remediation } };
}
