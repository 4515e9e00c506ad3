/**
 * A sprint becomes tasks: the architect proposes them with dependencies and sizes, faults go back to it, and a person
 * agrees, asks for changes in words, or stops. Then they are records.
 */
import type { Bench, WorkflowResult } from '../../engine/bench.ts';
import { nextId } from '../../pipelines/next-id.ts';
import { wavesOf } from '../../pipelines/sprint-order.ts';
import { findCycles } from '../../plan/cycles.ts';
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
    const faults = faultsOf(result);
    if (faults.length > 0) {
      note = `Your last plan can not be used: ${faults.join('; ')}`;
      continue;
    }
    const decided = await bench.ask(`tasks#${round}`, agreement(result));
    if (decided.option === 'no') return { status: 'failed', reason: 'the plan was not wanted' };
    if (decided.option === 'yes' && decided.text === undefined) {
      await dropLead(bench, 'architect', bench.run.base);
      return writeTasks(bench, {
        sprint,
        result,
        at: read.at,
        known: read.ids['task'] ?? [],
        engineering: read.engineering,
      });
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

function faultsOf({ tasks }: SprintPlanResult): readonly string[] {
  const ids = tasks.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  const unknown = tasks.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((other) => !ids.includes(other))
      .map((other) => `${id} depends on ${other}, which is not in the plan`),
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

async function writeTasks(
  bench: Bench,
  about: {
    readonly sprint: StoredRecord;
    readonly result: SprintPlanResult;
    readonly at: string;
    readonly known: readonly string[];
    readonly engineering: string;
  },
): Promise<WorkflowResult> {
  const { sprint, result, at, known, engineering } = about;
  const sprintId = String(sprint['sprintId']);
  const own = known.filter((id) => id.startsWith(`${sprintId}-T`));
  const named = new Map<string, string>();
  for (const { id } of result.tasks) named.set(id, nextId([...own, ...named.values()], `${sprintId}-T`, 2));
  const tasks = result.tasks.map(({ id, title, description, estimate, dependencies, pipeline }) => {
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
  const listed = Array.isArray(sprint['taskIds']) ? sprint['taskIds'].map(String) : [];
  const after = { ...sprint, taskIds: [...new Set([...listed, ...tasks.map(({ taskId }) => taskId)])] };
  const { records } = await bench.perform('records.write', 'write', {
    at,
    records: [
      ...tasks.map((task) => ({ entity: 'task' as const, id: task.taskId, before: null, after: task })),
      { entity: 'sprint' as const, id: sprintId, before: sprint as never, after },
    ],
  });
  const bad = records.filter(({ status }) => status === 'conflict' || status === 'refused');
  if (bad.length > 0)
    return {
      status: 'failed',
      reason: bad.map(({ id, problem, fields }) => `${id}: ${problem || fields.join(', ')}`).join('; '),
    };
  return {
    status: 'done',
    output: { sprint: sprintId, tasks: tasks.map(({ taskId }) => taskId), next: `forge sprint run ${sprintId}` },
  };
}
