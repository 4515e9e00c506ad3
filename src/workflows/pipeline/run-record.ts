/**
 * One record through its phases, to its merge or to a person. This is the execution algorithm: skip what is stopped, take
 * phase after phase, go where the recorded verdict leads, and end with a state that says what happened. A record that is
 * not finished after one pass is taken through once more, and then escalated.
 */
import { asJson } from '../../engine/json-value.ts';
import type { Bench, ScheduleLane } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { RecordEscalation } from '../../pipelines/escalation.ts';
import { phaseRole } from '../../pipelines/phase-roles.ts';
import { isFinished, isTerminal, startPhase } from '../../pipelines/record-states.ts';
import type { Task } from '../../plan/plan.ts';
import type { StoredRecord } from '../../records/entity.ts';
import { shortCommit } from '../../views/figures.ts';
import type { RunContext } from './context.ts';
import { describeEscalated, escalateRecord } from './escalate-record.ts';
import type { PhaseRequest } from './phase.ts';
import { mergeRecordWork } from './merge-work.ts';
import { type PickedUp, pickUp } from './pick-up.ts';
import { recordDataSchema } from './record-data.ts';
import { describePhase, runPhase } from './run-phase.ts';

/** A record is dispatched so often before a person has to look. */
const mostDispatches = 2;

export async function runRecord(
  bench: Bench,
  task: Task,
  context: RunContext,
  _lane?: ScheduleLane,
): Promise<TaskOutcome> {
  const pipeline = context.pipelines.get(task.id);
  if (pipeline === undefined) throw new Error(`${task.id} has no pipeline`);
  const picked = await pickUp(bench, task, { kind: pipeline.kind, context });
  if (picked.status === 'over') return picked.outcome;
  const { desk } = picked;
  const [fault] = pipeline.checked.errors;
  const end: Passage =
    fault === undefined
      ? await dispatch(bench, task, { context, picked })
      : stopped('gate-misconfigured', 'preflight', `${pipeline.name}, ${fault.where}: ${fault.problem}`, fault.fix);
  const { commit } = picked.standing;
  if (end.status === 'through') {
    await bench.perform('workspace.drop', `${task.id}/drop`, { workspace: task.id, captured: commit });
    return { task: task.id, status: 'done', reason: '', commit, ...reportOf(picked, doneDetail(picked)) };
  }
  const { reason } = await bench.step(
    `${task.id}/escalation`,
    { kind: 'escalation', title: 'Escalation', end: describeEscalated },
    () => escalateRecord(bench, task.id, { desk, context, commit, escalation: end.escalation }),
  );
  return { task: task.id, status: 'blocked', reason, commit, ...reportOf(picked, undefined, end.escalation) };
}

type Passage = { readonly status: 'through' } | { readonly status: 'escalated'; readonly escalation: RecordEscalation };

async function dispatch(
  bench: Bench,
  task: Task,
  about: { readonly context: RunContext; readonly picked: Extract<PickedUp, { status: 'begins' }> },
): Promise<Passage> {
  const { context, picked } = about;
  const { desk, counts } = picked;
  const { until } = context.input.options;
  const phases = context.pipelines.get(task.id)?.phases ?? [];
  for (let round = 1; round <= mostDispatches; round += 1) {
    const start = round === 1 ? picked.start : startPhase(phases, desk.record);
    const passage = await takeThrough(bench, task, { ...about, start });
    if (passage.status === 'escalated') return passage;
    const isCut = until !== undefined && (counts.get(until)?.iterations ?? 0) > 0;
    if (isTerminal(desk.kind, desk.record['status']) || isCut) return passage;
  }
  const detail = `the pipeline ends and its state is ${String(desk.record['status'])}`;
  return stopped(
    'not-terminal',
    phases.at(-1)?.command ?? 'run',
    detail,
    'End the pipeline with a phase whose role is commit.',
  );
}

/** Phase after phase, until there is none left or a person has to decide. */
async function takeThrough(
  bench: Bench,
  task: Task,
  about: {
    readonly context: RunContext;
    readonly picked: Extract<PickedUp, { status: 'begins' }>;
    readonly start: number;
  },
): Promise<Passage> {
  const { context, picked, start } = about;
  const { desk, standing, counts } = picked;
  const pipeline = context.pipelines.get(task.id);
  if (pipeline === undefined) throw new Error(`${task.id} has no pipeline`);
  const { phases } = pipeline;
  for (let at = start; at < phases.length; ) {
    const phase = phases[at];
    if (phase === undefined) break;
    const count = counts.get(phase.command) ?? { iterations: 0, revisions: 0 };
    const iteration = count.iterations + 1;
    const key = `${task.id}/${phase.command}#${iteration}`;
    const title = iteration === 1 ? phase.command : `${phase.command}, round ${iteration}`;
    const { persona } = phaseRole(phase.role);
    const request = { context, pipeline, task, desk, phase, at, iteration, revisions: count.revisions, standing, key };
    const end = await bench.step(key, { kind: 'phase', title, detail: persona, end: describePhase }, () =>
      runPhase(bench, request),
    );
    if (end.status === 'escalated') return end;
    const { route, summary } = end;
    counts.set(phase.command, {
      iterations: iteration,
      revisions: route.kind === 'back' ? route.round : count.revisions,
    });
    const findings = Array.isArray(summary['findings']) ? summary['findings'].map((one) => `- ${String(one)}`) : [];
    standing.sentBack =
      route.kind === 'back'
        ? [`${phase.command} asks for a revision: ${String(summary['objective'])}`, ...findings].join('\n')
        : '';
    if (route.kind === 'back') desk.notes.push(`${phase.command} asked for revision ${route.round}`);
    if (phase.command === context.input.options.until) return keepWork(bench, request, summary);
    at = route.to;
  }
  return { status: 'through' };
}

/** A run that stops early publishes what its phases wrote, such as a plan: the next run begins from there. */
async function keepWork(bench: Bench, request: PhaseRequest, { objective }: StoredRecord): Promise<Passage> {
  const { standing, phase } = request;
  if (phase.role === 'commit' || standing.commit === standing.base) return { status: 'through' };
  const merged = await mergeRecordWork(bench, request, { objective: String(objective), key_changes: [] });
  return merged.status === 'merged' ? { status: 'through' } : merged;
}

function stopped(reason: RecordEscalation['reason'], phase: string, detail: string, remediation: string): Passage {
  return { status: 'escalated', escalation: { reason, phase, detail, remediation } };
}

function doneDetail({ desk, standing }: Extract<PickedUp, { status: 'begins' }>): string {
  const state = String(desk.record['status']);
  return isFinished(desk.kind, state) && standing.merged ? `${state}, ${shortCommit(standing.commit)}` : state;
}

function reportOf(
  { desk, counts, standing }: Extract<PickedUp, { status: 'begins' }>,
  detail: string | undefined,
  escalation?: RecordEscalation,
): Pick<TaskOutcome, 'detail' | 'figures' | 'report' | 'data'> {
  const all = [...counts.values()];
  const phases = all.reduce((sum, { iterations }) => sum + iterations, 0);
  const revisions = all.reduce((sum, count) => sum + count.revisions, 0);
  const data = recordDataSchema.parse({
    state: String(desk.record['status']),
    base: standing.base,
    counts: Object.fromEntries(counts),
    ...(escalation === undefined ? {} : { escalation: { reason: escalation.reason, phase: escalation.phase } }),
  });
  return {
    ...(detail === undefined ? {} : { detail }),
    figures: { phases, revisions, state: String(desk.record['status']) },
    report: { notes: [...new Set(desk.notes)] },
    data: asJson(data),
  };
}
