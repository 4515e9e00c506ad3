/**
 * Where the work on a record begins: at the phase its state says, from the integration head. A record that is blocked,
 * escalated or abandoned is skipped with an event. When a person had it tried again, its state is brought back to before
 * the phase that stopped, and the work goes on from the commit that the earlier try left.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import { firstPhase, isFinished, isTerminal, type RecordKind, startPhase } from '../../pipelines/record-states.ts';
import type { Task } from '../../plan/plan.ts';
import type { PipelinePhase } from '../../policy/pipeline-settings.ts';
import { type RunContext, recordsOf } from './context.ts';
import { openDesk, type RecordDesk, writeDesk } from './desk.ts';
import { type RecordData, readRecordData } from './record-data.ts';
import type { RecordStanding } from './standing.ts';

export interface PhaseCount {
  readonly iterations: number;
  readonly revisions: number;
}

export type PickedUp =
  | { readonly status: 'over'; readonly outcome: TaskOutcome }
  | {
      readonly status: 'begins';
      readonly desk: RecordDesk;
      readonly standing: RecordStanding;
      readonly start: number;
      readonly counts: Map<string, PhaseCount>;
    };

export async function pickUp(
  bench: Bench,
  task: Task,
  { kind, context }: { readonly kind: RecordKind; readonly context: RunContext },
): Promise<PickedUp> {
  const read = await bench.perform('records.read', `${task.id}/record`, { ids: [task.id] });
  const record = recordsOf(read, kind).find((one) => one[kind === 'bug' ? 'bugId' : 'taskId'] === task.id);
  if (record === undefined) return over(task, 'failed', `the record ${task.id} is gone: nothing was done`);
  const desk = openDesk(kind, { id: task.id, record, at: read.at });
  const phases = context.pipelines.get(task.id)?.phases ?? [];
  const status = String(record['status']);
  if (isFinished(kind, status)) return over(task, 'done', '', `was ${status} before`);
  const { earlier } = read.generation === 1 ? { earlier: null } : await recall(bench, task);
  const isAgain = earlier === null && context.input.options.again && isTerminal(kind, status);
  if (isAgain) {
    const first = kind === 'bug' ? 'reported' : 'draft';
    desk.notes.push(`taken from ${status} back to ${first}`);
    await writeDesk(bench, `${task.id}/reopened`, desk, { status: first, force: true });
  } else if (earlier === null && isTerminal(kind, status)) {
    const notes = `the ${kind} is ${status}`;
    await writeDesk(bench, `${task.id}/skipped`, desk, {
      events: [{ matter: { action: 'task_skipped', persona: 'orchestrator', notes } }],
      progress: [{ agent: `${task.id}:forge:skip:1`, status: 'done', text: notes }],
    });
    return over(task, 'skipped', `${notes}; --again takes it up from the start`);
  }
  const { commit: head, judge } = await bench.perform('integration.read', `${task.id}/base`, { task: task.id });
  const counts = new Map<string, PhaseCount>();
  const fresh: RecordStanding = {
    base: head,
    commit: head,
    passed: undefined,
    basis: { judge, accepted: [] },
    evidence: [],
    sentBack: '',
    merged: false,
  };
  if (earlier === null)
    return { status: 'begins', desk, standing: fresh, start: startPhase(phases, desk.record), counts };
  const data = readRecordData(earlier.data);
  const start = startAgain(phases, data, status);
  if (isTerminal(kind, status)) {
    const back = stateBefore(kind, phases, start);
    desk.notes.push(`tried again from ${phases[start]?.command ?? 'the start'}`);
    await writeDesk(bench, `${task.id}/reopened`, desk, { status: back, force: true });
  }
  const isStale = data.escalation?.reason === 'merge-conflict';
  const commit = earlier.commit ?? head;
  // What conflicted is planned for another base: it is built again there, and the agent hears of the old work.
  const standing = isStale || data.base === undefined ? fresh : { ...fresh, base: data.base, commit };
  if (isStale)
    standing.sentBack = `An earlier attempt conflicted with what was merged meanwhile: ${earlier.reason}. Its commit is ${commit}.`;
  return { status: 'begins', desk, standing, start, counts };
}

function recall(bench: Bench, task: Task) {
  return bench.perform('task.recall', `${task.id}/earlier`, { task: task.id });
}

/** The phase that stopped; what produced it, when it was a review whose rounds were used up or work that conflicted. */
function startAgain(phases: readonly PipelinePhase[], { escalation }: RecordData, status: string): number {
  if (escalation === undefined) return firstPhase(phases, status);
  const at = phases.findIndex(({ command }) => command === escalation.phase);
  const stoppedAt = at === -1 ? 0 : at;
  const goesBack = escalation.reason === 'rounds-used-up' || escalation.reason === 'merge-conflict';
  if (!goesBack) return stoppedAt;
  const build = phases.slice(0, stoppedAt).findLastIndex(({ role }) => role === 'implement' || role === 'plan');
  return build === -1 ? stoppedAt : build;
}

/** The state in which a phase begins, as its pipeline would have brought the record there. */
function stateBefore(kind: RecordKind, phases: readonly PipelinePhase[], start: number): string {
  const states = kind === 'bug' ? bugStates : taskStates;
  const fit = states.filter((state) => firstPhase(phases, state) <= start);
  return fit.at(-1) ?? states[0] ?? 'draft';
}

const taskStates = ['draft', 'planned', 'plan-approved', 'implemented', 'review-approved', 'approved'];
const bugStates = ['reported', 'triaged', 'in-progress'];

function over(task: Task, status: 'done' | 'failed' | 'skipped', reason: string, detail?: string): PickedUp {
  return { status: 'over', outcome: { task: task.id, status, reason, ...(detail === undefined ? {} : { detail }) } };
}
