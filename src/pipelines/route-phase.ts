/**
 * What comes after a phase: the next one, back to an earlier one, or a person. The verdict is read from the record; a
 * review without one is never an approval. At the limit of its rounds a review escalates, whatever it says. Pure.
 */
import type { PipelinePhase } from '../policy/pipeline-settings.ts';
import { fieldValue } from '../records/record-filter.ts';
import { phaseRole } from './phase-roles.ts';
import { readVerdict } from './read-verdict.ts';
import { revisionTarget } from './revision.ts';

export type PhaseRoute =
  | { readonly kind: 'next'; readonly to: number }
  | { readonly kind: 'back'; readonly to: number; readonly round: number }
  | { readonly kind: 'escalate'; readonly reason: 'verdict-malformed' | 'rounds-used-up'; readonly detail: string };

export interface EndedPhase {
  readonly phases: readonly PipelinePhase[];
  readonly at: number;
  readonly record: unknown;
  /** Revisions this phase has asked for before. */
  readonly revisions: number;
}

export function routePhase({ phases, at, record, revisions }: EndedPhase): PhaseRoute {
  const phase = phases[at];
  if (phase === undefined) throw new Error(`there is no phase ${at}`);
  if (phase.role === 'triage' && fieldValue(record, 'summaries.triage.route') === 'A') {
    const build = phases.findIndex(({ role }, index) => index > at && role === 'implement');
    return { kind: 'next', to: build === -1 ? at + 1 : build };
  }
  const judges = phaseRole(phase.role).isReview || phase.role === 'approve';
  if (!judges) return { kind: 'next', to: at + 1 };
  const found = readVerdict(record, phase.role);
  const { source, key } = found;
  // The state of a task says that it is approved; that it is not is in the summary alone.
  const isSentBack = phase.role === 'approve' && fieldValue(record, 'summaries.approve.verdict') === 'revision';
  const verdict = found.verdict ?? (isSentBack ? 'revision' : null);
  if (verdict === 'approved') return { kind: 'next', to: at + 1 };
  if (verdict !== 'revision') {
    const detail = `${phase.command} left ${verdict ?? 'no verdict'} in ${key === null ? source : `summaries.${key}`}`;
    return { kind: 'escalate', reason: 'verdict-malformed', detail };
  }
  const round = revisions + 1;
  if (round >= phase.maxIterations) {
    const detail = `${phase.command} asked for a revision ${round} times`;
    return { kind: 'escalate', reason: 'rounds-used-up', detail };
  }
  const chain = phases.map(({ role, command, on_revision: onRevision }) => ({ role, command, onRevision }));
  return { kind: 'back', to: revisionTarget(chain, at), round };
}
