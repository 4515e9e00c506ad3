/**
 * The workflow `pipeline`: records are read and ordered, each goes through its phases in a workspace of its own, what
 * passes is merged one at a time and checked on the merged tree, what does not goes to a person while the rest goes on,
 * and the result is published as a branch. It reads as it runs; every step is keyed, every loop bounded.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import { scheduleOf, wavesOf } from '../../pipelines/sprint-order.ts';
import { countText } from '../../views/figures.ts';
import { publishResult } from '../moves/publish-result.ts';
import { readyChecks } from '../moves/ready-checks.ts';
import type { Checks } from '../moves/verify.ts';
import { closeSprint, runClosing } from './close-sprint.ts';
import { runEnhance } from './enhance.ts';
import { runIntake } from './intake.ts';
import { type PipelineInput, readIds } from './pipeline-input.ts';
import { runSprintPlan } from './plan-sprint.ts';
import { pipelineParts } from './refuse-request.ts';
import { type ReadyRecords, readyRecords, withChecks } from './ready-records.ts';
import { readRecordData } from './record-data.ts';
import { runRecord } from './run-record.ts';

export async function runPipeline(bench: Bench, input: PipelineInput): Promise<WorkflowResult> {
  switch (input.options.do) {
    case 'intake':
      return runIntake(bench, input);
    case 'plan':
      return runSprintPlan(bench, input);
    case 'review':
    case 'retro':
      return runClosing(bench, input, input.options.do);
    case 'enhance':
      return runEnhance(bench, input);
    case 'run':
      return runRecords(bench, input);
    default:
      return { status: 'failed', reason: `--do ${input.options.do} is unknown: ${pipelineParts.join(', ')}` };
  }
}

async function runRecords(bench: Bench, input: PipelineInput): Promise<WorkflowResult> {
  const ready = await bench.step('preflight', { kind: 'plan', title: 'Preflight', end: describeReady }, () =>
    readyRecords(bench, input),
  );
  if (ready.status === 'stopped') return { status: 'failed', reason: ready.reason };
  const own = await readyChecks(bench, input.checks);
  const checks: Checks = { source: 'plan', entries: [], baseline: own.key };
  const context = withChecks(ready.context, checks);
  const order = { ...scheduleOf(ready.mode, input.parallel), overlap: true };
  const sprints = await beginSprints(bench, ready);
  const outcomes = await bench.schedule(ready.tasks, order, (task) => runRecord(bench, task, context));
  if (input.options.finish) await closeSprints(bench, input, sprints);
  return finish(bench, { checks, outcomes });
}

function describeReady(ready: ReadyRecords): StepEndInput {
  if (ready.status === 'stopped') return { status: 'failed', detail: ready.reason };
  const { records, mode, context } = ready;
  const own = [...context.pipelines].flatMap(([id, { note }]) => (note === undefined ? [] : [`${id}: ${note}`]));
  const notes = [...ready.notes, ...own];
  const bugs = records.filter(({ kind }) => kind === 'bug').length;
  const what = [
    ...(records.length > bugs ? [countText(records.length - bugs, 'task')] : []),
    ...(bugs > 0 ? [countText(bugs, 'bug')] : []),
  ].join(' and ');
  const waves = wavesOf(records).length;
  return { status: 'done', detail: `${what}, ${mode}${waves > 1 ? `, ${waves} waves` : ''}`, lines: notes };
}

/** A sprint that is worked on is active. Someone else's change of its record is theirs. */
async function beginSprints(
  bench: Bench,
  ready: Extract<ReadyRecords, { status: 'ready' }>,
): Promise<readonly string[]> {
  const wanted = readIds(ready.context.input.requirement);
  const sprints = ready.context.sprints.filter((sprint) => wanted.includes(String(sprint['sprintId'])));
  const planned = sprints.filter(({ status }) => status === 'planning' || status === 'blocked');
  if (planned.length > 0) {
    await bench.perform('records.write', 'sprints', {
      at: ready.read.at,
      records: planned.map((sprint) => ({
        entity: 'sprint' as const,
        id: String(sprint['sprintId']),
        before: sprint as never,
        after: { ...sprint, status: 'active' } as never,
      })),
    });
  }
  return sprints.map((sprint) => String(sprint['sprintId']));
}

async function closeSprints(bench: Bench, input: PipelineInput, sprints: readonly string[]): Promise<void> {
  for (const id of sprints) {
    const reviewed = await closeSprint(bench, input, { id, part: 'review' });
    if (reviewed.status === 'done') await closeSprint(bench, input, { id, part: 'retro' });
  }
}

async function finish(
  bench: Bench,
  { checks, outcomes }: { readonly checks: Checks; readonly outcomes: readonly TaskOutcome[] },
): Promise<WorkflowResult> {
  const isOpen = ({ status }: TaskOutcome): boolean => status !== 'done';
  const failures = outcomes.filter(isOpen).map(({ task, reason }) => `${task}: ${reason}`);
  const { status, reason, published } = await publishResult(bench, { checks, failures });
  return {
    status,
    reason,
    output: {
      outcomes: outcomes.map(({ task, status: ended, reason: why, data }) => ({
        task,
        status: ended,
        reason: why,
        state: readRecordData(data).state,
      })),
      ...published,
    },
  };
}
