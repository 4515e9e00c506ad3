/**
 * One phase of one record: gate, agent, what the engine measures of its work, gate again, and the summary in the record.
 * An agent that gives nothing usable is asked once more with less; then a person takes over. Gates are never tried twice.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { engineFriction, frictionEvents } from '../../pipelines/friction.ts';
import { leavesSummary } from '../../pipelines/own-phases.ts';
import { phaseRole } from '../../pipelines/phase-roles.ts';
import { summaryKey } from '../../pipelines/read-verdict.ts';
import { isJudging, stateAfter, stateDuring } from '../../pipelines/record-states.ts';
import { routePhase } from '../../pipelines/route-phase.ts';
import type { StoredRecord } from '../../records/entity.ts';
import { askPhase, type PhaseAnswer } from './ask-phase.ts';
import { advanceDeskTime, measuredOf, type RecordDesk, writeDesk } from './desk.ts';
import { agentNameOf, endEscalated, endUnwritten, type PhaseEnd, type PhaseRequest } from './phase.ts';
import { checkPhasePostflight, checkPhasePreflight } from './phase-gates.ts';
import { mergeRecordWork } from './merge-work.ts';
import { buildChecked } from './phase-work.ts';
import type { ReviewResult } from './role-results.ts';

export async function runPhase(bench: Bench, request: PhaseRequest): Promise<PhaseEnd> {
  const { desk, phase, key, standing, context, iteration } = request;
  const { persona } = phaseRole(phase.role);
  const agent = agentNameOf(request);
  const question = { desk, phase, pipeline: request.pipeline, context };
  const gate = await checkPhasePreflight(bench, `${key}/gate`, { ...question, commit: standing.commit });
  if (!gate.ok) {
    const notes = `${gate.reasonCode}: ${gate.detail}`;
    const matter = { action: 'gate_failed', persona: 'orchestrator', phase: phase.role, iteration, notes } as const;
    await writeDesk(bench, `${key}/gate-failed`, desk, { events: [{ matter }] });
    return endEscalated('gate-failed', phase, gate.detail, gate.remediation);
  }
  const begun = await writeDesk(bench, `${key}/start`, desk, {
    status: stateDuring(desk.kind, phase.role),
    events: [{ matter: { action: 'start', persona, phase: phase.role, iteration } }],
    progress: [{ agent, status: 'start', text: phase.command }],
  });
  if (begun.status !== 'written') return endUnwritten(begun, phase);
  const isBuild = phase.role === 'implement' || phase.role === 'update-impl';
  const answer = isBuild ? await buildChecked(bench, request) : await askPhase(bench, request, {});
  if (answer.status === 'escalated') return answer;
  standing.commit = answer.commit;
  const left = await checkPhasePostflight(bench, `${key}/outputs`, { ...question, commit: standing.commit });
  if (!left.ok) return endEscalated('output-missing', phase, left.detail, left.remediation);
  if (phase.role === 'commit') {
    const merged = await mergeRecordWork(bench, request, answer.result);
    if (merged.status === 'escalated') return merged;
  }
  return concludePhase(bench, request, answer);
}

/** The summary goes into the record, and the record says what comes next. */
async function concludePhase(
  bench: Bench,
  request: PhaseRequest,
  answer: Extract<PhaseAnswer, { status: 'answered' }>,
): Promise<PhaseEnd> {
  const { desk, phase, key, pipeline, at, iteration, revisions } = request;
  const { persona } = phaseRole(phase.role);
  const measured = advanceDeskTime(desk, measuredOf(answer.work, desk.at));
  const summary = summaryOf(answer.result, isJudging(phase.role));
  const { verdict } = summary;
  const route = routePhase({
    phases: pipeline.phases,
    at,
    record: withVerdict(desk, phase.role, summary),
    revisions,
  });
  const target = route.kind === 'back' ? pipeline.phases[route.to]?.role : undefined;
  const malformed = route.kind === 'escalate' && route.reason === 'verdict-malformed';
  const status = malformed
    ? undefined
    : stateAfter(desk.kind, phase.role, { verdict: verdict === 'revision' ? 'revision' : null, target });
  const place = { persona, phase: phase.role, iteration };
  const friction = [
    ...frictionEvents(answer.result.friction, place),
    ...(malformed ? [engineFriction(route.detail, 'x_verdict_malformed', phase.role)] : []),
  ];
  const written = await writeDesk(bench, `${key}/end`, desk, {
    status,
    ...(leavesSummary(phase.role)
      ? { summary: { key: summaryKey(phase.role, desk.kind === 'bug'), value: summary } }
      : {}),
    ...(phase.role === 'commit' && desk.kind === 'bug' ? { fields: { resolvedAt: desk.at } } : {}),
    events: [
      { matter: { action: 'complete', ...place, verdict, notes: answer.result.objective }, measured },
      ...friction.map((matter) => ({ matter, measured })),
      ...(malformed ? [{ matter: { action: 'verdict_malformed', ...place, notes: route.detail } as const }] : []),
    ],
    progress: [{ agent: agentNameOf(request), status: 'done', text: `${phase.command}: ${verdict}` }],
  });
  if (written.status !== 'written') return endUnwritten(written, phase);
  if (route.kind === 'escalate') return endEscalated(route.reason, phase, route.detail, remedyOf(route.reason));
  return { status: 'routed', route, summary };
}

/** As the record will be: the state of a task says whether it is approved. */
function withVerdict({ record, kind }: RecordDesk, role: string, summary: StoredRecord): StoredRecord {
  const summaries = { ...Object(record['summaries']), [summaryKey(role, kind === 'bug')]: summary };
  const isApproved = role === 'approve' && kind === 'task' && summary['verdict'] === 'approved';
  return { ...record, summaries, ...(isApproved ? { status: 'approved' } : {}) };
}

function summaryOf(result: Partial<ReviewResult> & { readonly objective: string }, judges: boolean): SummaryRecord {
  const {
    objective,
    key_changes: changes = [],
    findings = [],
    artifact_ref: artifact,
    files_changed: files = [],
  } = result;
  const { route } = result as { readonly route?: string };
  return {
    objective,
    key_changes: changes,
    findings,
    verdict: judges ? (result.verdict ?? 'n/a') : 'n/a',
    ...(artifact === undefined ? {} : { artifact_ref: artifact }),
    ...(files.length === 0 ? {} : { files_changed: files }),
    ...(route === undefined ? {} : { route }),
  };
}

interface SummaryRecord extends StoredRecord {
  readonly verdict: string;
}

function remedyOf(reason: 'verdict-malformed' | 'rounds-used-up'): string {
  return reason === 'rounds-used-up'
    ? 'Read the last findings in the record, settle what the two disagree about, then try again.'
    : 'Look at the summary of the phase in the record, then try again.';
}

/** What a person reads of a phase that is over. */
export function describePhase(end: PhaseEnd): StepEndInput {
  if (end.status === 'escalated') return { status: 'blocked', detail: `escalated: ${end.escalation.detail}` };
  const { route, summary } = end;
  const detail = String(summary['objective']);
  if (route.kind === 'back') return { status: 'failed', detail: `revision ${route.round}: ${detail}` };
  const verdict = summary['verdict'] === 'approved' ? 'approved: ' : '';
  return { status: 'done', detail: `${verdict}${detail}` };
}
