/**
 * How the state of a task or a bug follows the phases it goes through, and at which phase work on a record begins. The
 * state machine is the store's; where a pipeline leaves phases out, a record passes through the states between. Pure.
 */
import { nextStates } from '../records/transitions.ts';
import type { PipelinePhase } from '../policy/pipeline-settings.ts';
import type { PhaseVerdict } from './gate.ts';
import { phaseRole } from './phase-roles.ts';

export type RecordKind = 'task' | 'bug';

/** Nothing more is done with a record in one of these, unless a person has it tried again. */
const stopped: Readonly<Record<RecordKind, readonly string[]>> = {
  task: ['blocked', 'escalated', 'abandoned'],
  bug: ['abandoned'],
};
const finished: Readonly<Record<RecordKind, string>> = { task: 'committed', bug: 'fixed' };

export function isTerminal(kind: RecordKind, status: unknown): boolean {
  return status === finished[kind] || stopped[kind].includes(String(status));
}

export function isFinished(kind: RecordKind, status: unknown): boolean {
  return status === finished[kind];
}

/** The state while a phase works, where it has one of its own. */
export function stateDuring(kind: RecordKind, role: string): string | undefined {
  if (role !== 'implement' && role !== 'update-impl') return undefined;
  return kind === 'task' ? 'implementing' : 'in-progress';
}

const afterTask: Readonly<Record<string, string>> = {
  plan: 'planned',
  'update-plan': 'planned',
  'review-plan': 'plan-approved',
  implement: 'implemented',
  'update-impl': 'implemented',
  'review-code': 'review-approved',
  validate: 'review-approved',
  approve: 'approved',
  commit: 'committed',
};
const afterBug: Readonly<Record<string, string>> = { triage: 'triaged', commit: 'fixed' };

/** The state after a phase; undefined where it stays. `target`: the phase that a revision goes back to. */
export function stateAfter(
  kind: RecordKind,
  role: string,
  { verdict, target }: { readonly verdict: PhaseVerdict | null; readonly target?: string | undefined },
): string | undefined {
  if (kind === 'bug') return verdict === 'revision' ? undefined : afterBug[role];
  if (verdict === 'revision') return isPlanning(target ?? '') ? 'plan-revision-required' : 'code-revision-required';
  return Object.hasOwn(afterTask, role) ? afterTask[role] : undefined;
}

function isPlanning(role: string): boolean {
  return role === 'plan' || role === 'update-plan' || role === 'plan-fix';
}

/** The shortest legal way to a state, without the first; empty where there is none or it is there already. */
export function statePath(kind: RecordKind, from: string, to: string): readonly string[] {
  const queue: (readonly string[])[] = [[]];
  const seen = new Set([from]);
  for (let way = queue.shift(); way !== undefined; way = queue.shift()) {
    for (const next of nextStates(kind, way.at(-1) ?? from)) {
      if (next === to) return [...way, next];
      const isSide = stopped[kind].includes(next) || next.endsWith('-revision-required');
      if (isSide || seen.has(next)) continue;
      seen.add(next);
      queue.push([...way, next]);
    }
  }
  return [];
}

/** Roles whose work a state says is done. */
const doneBy: Readonly<Record<string, readonly string[]>> = {
  planned: ['plan', 'update-plan'],
  'plan-approved': ['plan', 'update-plan', 'review-plan'],
  implementing: ['plan', 'update-plan', 'review-plan'],
  'code-revision-required': ['plan', 'update-plan', 'review-plan'],
  implemented: ['plan', 'update-plan', 'review-plan', 'implement', 'update-impl'],
  'review-approved': ['plan', 'update-plan', 'review-plan', 'implement', 'update-impl', 'review-code', 'validate'],
  approved: ['plan', 'update-plan', 'review-plan', 'implement', 'update-impl', 'review-code', 'validate', 'approve'],
  triaged: ['triage'],
  'in-progress': ['triage', 'plan-fix', 'review-plan'],
};

/** The first phase whose work the record does not say is done; as many as there are phases when all are. */
export function firstPhase(phases: readonly PipelinePhase[], status: unknown): number {
  const done = doneBy[String(status)] ?? [];
  const at = phases.findIndex(({ role }) => !done.includes(role));
  return at === -1 ? phases.length : at;
}

/** The same from the whole record: a bug whose triage chose route A is fixed without a plan, also by a later run. */
export function startPhase(phases: readonly PipelinePhase[], record: Readonly<Record<string, unknown>>): number {
  const first = firstPhase(phases, record['status']);
  const summaries = Object(record['summaries']) as { readonly triage?: { readonly route?: unknown } };
  if (record['status'] !== 'triaged' || summaries.triage?.route !== 'A') return first;
  const build = phases.findIndex(({ role }, at) => at >= first && role === 'implement');
  return build === -1 ? first : build;
}

/** Reviews and approvals answer with a verdict; everything else with n/a. */
export function isJudging(role: string): boolean {
  return role === 'approve' || phaseRole(role).isReview;
}
