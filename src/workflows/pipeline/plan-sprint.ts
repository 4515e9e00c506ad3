/**
 * A sprint becomes tasks: the architect proposes them with dependencies and sizes, faults go back to it, and a person
 * agrees, asks for changes in words, or stops. Then they are records.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import { findCycles } from '../../plan/cycles.ts';
import { nextId } from '../../pipelines/next-id.ts';
import { wavesOf } from '../../pipelines/sprint-order.ts';
import type { Section } from '../../policy/sections.ts';
import type { StoredRecord } from '../../records/entity.ts';
import { countText } from '../../views/figures.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { askLead, dropLead } from './ask-lead.ts';
import { recordsOf } from './context.ts';
import { type PipelineInput, readIds } from './pipeline-input.ts';
import { type SprintPlanResult, sprintPlanResult } from './role-results.ts';

const mostRounds = 6;

export async function runSprintPlan(bench: Bench, input: PipelineInput): Promise<WorkflowResult> {
  const [id = ''] = readIds(input.requirement);
  const read = await bench.perform('records.read', 'sprint', { ids: [id] });
  const sprint = recordsOf(read, 'sprint').find((one) => one['sprintId'] === id);
  if (sprint === undefined)
    return { status: 'failed', reason: `there is no sprint ${id}; see forge store list sprint` };
  if (sprint['status'] !== 'planning' && sprint['status'] !== 'active')
    return {
      status: 'failed',
      reason: `the sprint ${id} is ${String(sprint['status'])}: nothing more is planned in it`,
    };
  const there = recordsOf(read, 'task');
  let note = '';
  for (let round = 1; round <= mostRounds; round += 1) {
    const answer = await askLead(bench, `plan#${round}`, {
      input,
      role: 'architect',
      result: sprintPlanResult,
      commit: bench.run.base,
      sections: sectionsOf(sprint, there, note),
      task: 'Cut the sprint into tasks that one engineer can plan, build and test by itself. Name what depends on what, and only that.',
      describe: ({ tasks }) => ({ status: 'done', detail: countText(tasks.length, 'task') }),
    });
    if (answer.status !== 'accepted') return { status: 'failed', reason: `there is no plan: ${explainAnswer(answer)}` };
    const { result } = answer;
    const faults = faultsOf(result, read.ids['task'] ?? []);
    if (faults.length > 0) {
      note = `Your last plan cannot be used: ${faults.join('; ')}`;
      continue;
    }
    const decided = await bench.ask(`tasks#${round}`, agreement(result));
    if (decided.option === 'no') return { status: 'failed', reason: 'the plan was not wanted' };
    if (decided.option === 'yes' && decided.text === undefined) {
      await dropLead(bench, 'architect', bench.run.base);
      return writePlan(bench, id, result);
    }
    note = `A person wants it differently: ${decided.text ?? 'plan it differently'}`;
  }
  return { status: 'failed', reason: `no plan was agreed on in ${mostRounds} rounds` };
}

function sectionsOf(sprint: StoredRecord, there: readonly StoredRecord[], note: string): readonly Section[] {
  const { sprintId, title, goal, description } = sprint;
  const text = [`${String(sprintId)}: ${String(title)}`, goal, description]
    .filter((one) => typeof one === 'string')
    .join('\n');
  const known = there
    .map((task) => `- ${String(task['taskId'])} (${String(task['status'])}): ${String(task['title'])}`)
    .join('\n');
  return [
    { title: 'The sprint', text, budget: 20_000 },
    ...(known === '' ? [] : [{ title: 'Tasks it has already', text: known, budget: 8_000 }]),
    ...(note === '' ? [] : [{ title: 'What has to be different', text: note, budget: 6_000 }]),
  ];
}

function faultsOf({ tasks }: SprintPlanResult, known: readonly string[]): readonly string[] {
  const ids = tasks.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  const unknown = tasks.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((other) => !ids.includes(other) && !known.includes(other))
      .map((other) => `${id} depends on ${other}, which is neither in the plan nor a task that is there`),
  );
  const cycles = findCycles(tasks.map(({ id, dependencies }) => ({ id, depends: dependencies })));
  return [
    ...twice.map((id) => `${id} is there twice`),
    ...unknown,
    ...cycles.map((cycle) => `these wait for each other: ${cycle.join(', ')}`),
  ];
}

function agreement({ tasks, risks }: SprintPlanResult) {
  const waves = wavesOf(tasks.map((task) => ({ kind: 'task', id: task.id, record: {}, depends: task.dependencies })));
  return {
    title: 'Write these tasks?',
    options: [
      { id: 'yes', label: 'Yes, write the records', recommended: true },
      { id: 'modify', label: 'Plan it differently (say how)' },
      { id: 'no', label: 'No, stop here' },
    ],
    freeText: true,
    topic: 'approval',
    page: {
      title: `${countText(tasks.length, 'task')} in ${countText(waves.length, 'wave')}`,
      sections: [
        {
          title: 'Tasks',
          isBrief: true,
          blocks: [
            {
              type: 'table' as const,
              head: ['task', 'title', 'size', 'after'],
              rows: tasks.map(({ id, title, estimate, dependencies }) => ({
                cells: [id, title, estimate, dependencies.join(', ')],
              })),
            },
          ],
        },
        ...(risks.length === 0 ? [] : [{ title: 'Risks', blocks: [{ type: 'list' as const, items: [...risks] }] }]),
      ],
    },
  };
}

/** Someone else may add a task between reading and writing: then everything is numbered anew. */
const mostNumberings = 5;

type WrittenPlan =
  | { readonly status: 'written'; readonly sprint: string; readonly tasks: readonly string[] }
  | { readonly status: 'refused'; readonly reason: string };

async function writePlan(bench: Bench, sprintId: string, result: SprintPlanResult): Promise<WorkflowResult> {
  const written = await bench.step('record', { kind: 'record', title: 'Tasks', end: describeWritten }, () =>
    writeTasks(bench, sprintId, result),
  );
  if (written.status === 'refused') return { status: 'failed', reason: written.reason };
  const { sprint, tasks } = written;
  return { status: 'done', output: { sprint, tasks: [...tasks], next: `forge sprint run ${sprint}` } };
}

function describeWritten(written: WrittenPlan): StepEndInput {
  if (written.status === 'refused') return { status: 'failed', detail: written.reason };
  const { sprint, tasks } = written;
  return { status: 'done', detail: `wrote ${tasks.join(', ')}. Run them next: forge sprint run ${sprint}` };
}

async function writeTasks(bench: Bench, sprintId: string, result: SprintPlanResult): Promise<WrittenPlan> {
  let why = '';
  for (let round = 1; round <= mostNumberings; round += 1) {
    const key = round === 1 ? 'write' : `write#${round}`;
    // Read again: between the plan and its approval may lie days.
    const read = await bench.perform('records.read', `${key}/known`, { ids: [sprintId] });
    const sprint = recordsOf(read, 'sprint').find((one) => one['sprintId'] === sprintId);
    if (sprint === undefined) return { status: 'refused', reason: `the sprint ${sprintId} is gone` };
    const tasks = taskRecords(sprintId, result, { known: read.ids['task'] ?? [], engineering: read.engineering });
    const listed = Array.isArray(sprint['taskIds']) ? sprint['taskIds'].map(String) : [];
    const after = { ...sprint, taskIds: [...new Set([...listed, ...tasks.map(({ taskId }) => taskId)])] };
    const { records } = await bench.perform('records.write', key, {
      at: read.at,
      isWhole: true,
      records: [
        ...tasks.map((task) => ({ entity: 'task' as const, id: task.taskId, before: null, after: task })),
        { entity: 'sprint' as const, id: sprintId, before: sprint as never, after },
      ],
    });
    const bad = records.filter(({ status }) => status === 'conflict' || status === 'refused');
    if (bad.length === 0) return { status: 'written', sprint: sprintId, tasks: tasks.map(({ taskId }) => taskId) };
    why = bad
      .map(({ id, problem, fields }) => `${id}: ${problem || `${fields.join(', ')} changed meanwhile`}`)
      .join('; ');
    if (bad.some(({ status }) => status === 'refused')) break;
  }
  return { status: 'refused', reason: `no task was written: ${why}` };
}

function taskRecords(
  sprintId: string,
  { tasks }: SprintPlanResult,
  { known, engineering }: { readonly known: readonly string[]; readonly engineering: string },
) {
  const own = known.filter((id) => id.startsWith(`${sprintId}-T`));
  const named = new Map<string, string>();
  for (const { id } of tasks) named.set(id, nextId([...own, ...named.values()], `${sprintId}-T`, 2));
  return tasks.map(({ id, title, description, estimate, dependencies, pipeline }) => {
    const taskId = named.get(id) ?? id;
    return {
      taskId,
      sprintId,
      title,
      status: 'draft',
      path: `${engineering}/sprints/${sprintId}/${taskId}`,
      ...(description === '' ? {} : { description }),
      estimate,
      dependencies: dependencies.map((other) => named.get(other) ?? other),
      ...(pipeline === undefined ? {} : { pipeline }),
    };
  });
}
