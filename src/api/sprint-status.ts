/** Where tasks, bugs and sprints stand: states, verdicts, burndown, and what they cost by task, phase and role. Reads only. */
import { z } from 'zod';
import { type SprintFigures, sprintFigures } from '../pipelines/sprint-figures.ts';
import { compareIds } from '../plan/task-id.ts';
import type { StoredRecord } from '../records/entity.ts';
import { didYouMeanId } from '../records/suggest-words.ts';
import { listEvents } from '../store/event-files.ts';
import { isDamaged, knownIds, listEntries, readEntry, recordPath } from '../store/record-files.ts';
import type { JsonOf, Operation } from './operation.ts';
import { notFound, requireId, requireStoreRoot } from './store-place.ts';

const taskLineSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  estimate: z.string(),
  /** The last verdicts, by summary. */
  verdicts: z.record(z.string(), z.string()),
  usd: z.number(),
});
export type TaskLine = JsonOf<typeof taskLineSchema>;

const costSchema = z.strictObject({
  name: z.string(),
  usd: z.number(),
  tokens: z.number(),
  minutes: z.number(),
  count: z.number().int(),
});

const sprintSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  goal: z.string(),
  tasks: z.array(taskLineSchema),
  /** As pipelines/sprint-figures.ts computes them. */
  figures: z.strictObject({
    tasks: z.number().int(),
    done: z.number().int(),
    stopped: z.number().int(),
    points: z.strictObject({ done: z.number(), all: z.number() }),
    revisions: z.number().int(),
    escalations: z.number().int(),
    friction: z.number().int(),
    cost: costSchema,
    byTask: z.array(costSchema),
    byPhase: z.array(costSchema),
    byRole: z.array(costSchema),
    burndown: z.array(z.strictObject({ day: z.string(), left: z.number().int(), points: z.number() })),
  }),
});
export type SprintStatus = JsonOf<typeof sprintSchema>;

const sprintsSchema = z.array(sprintSchema);

const input = z.strictObject({ sprint: z.string().optional() });

export const sprintStatus: Operation<typeof input, typeof sprintsSchema> = {
  name: 'sprint-status',
  kind: 'query',
  description: 'Where a sprint stands: tasks, burndown, and cost by task, phase and role.',
  input,
  output: sprintsSchema,
  async run(context, { sprint: wanted }) {
    const root = requireStoreRoot(context);
    const sprints = listEntries(root, 'sprint').entries;
    if (wanted !== undefined && !sprints.some(({ id }) => id === wanted))
      throw notFound(
        'sprint',
        wanted,
        didYouMeanId(requireId(wanted), knownIds(root).sprint) || 'See forge store list sprint.',
      );
    const tasks = listEntries(root, 'task').entries.map(({ record }) => record);
    return sprints
      .filter(({ id }) => wanted === undefined || id === wanted)
      .map(({ id, record }) => statusOf(root, id, record, tasks));
  },
};

function statusOf(root: string, id: string, sprint: StoredRecord, all: readonly StoredRecord[]): SprintStatus {
  const tasks = all
    .filter((task) => task['sprintId'] === id)
    .toSorted((a, b) => compareIds(text(a['taskId']), text(b['taskId'])));
  const figures = sprintFigures(tasks, listEvents(root, id));
  return {
    id,
    title: text(sprint['title']),
    status: text(sprint['status']),
    goal: text(sprint['goal']),
    tasks: tasks.map((task) => taskLine(task, figures)),
    figures,
  };
}

const taskInput = z.strictObject({ id: z.string() });

const recordStatusSchema = taskLineSchema.extend({
  entity: z.enum(['task', 'bug']),
  description: z.string(),
  /** By phase, as the phases wrote them. */
  summaries: z.record(z.string(), z.unknown()),
  byPhase: z.array(costSchema),
});
export type RecordStatus = JsonOf<typeof recordStatusSchema>;

export const recordStatus: Operation<typeof taskInput, typeof recordStatusSchema> = {
  name: 'record-status',
  kind: 'query',
  description: 'Where a task or a bug stands, with its verdicts and what it cost.',
  input: taskInput,
  output: recordStatusSchema,
  async run(context, { id }) {
    const root = requireStoreRoot(context);
    requireId(id);
    for (const entity of ['task', 'bug'] as const) {
      const found = readEntry(root, { entity, file: recordPath(entity, id) });
      if (found === undefined || isDamaged(found)) continue;
      const { record } = found;
      const events = listEvents(root, entity === 'bug' ? 'bugs' : text(record['sprintId']));
      const own = events.filter((event) => event['taskId'] === id || event['bugId'] === id);
      const figures = sprintFigures([record], own);
      return {
        entity,
        ...taskLine(record, figures),
        description: text(record['description']),
        summaries: Object(record['summaries']) as Readonly<Record<string, unknown>>,
        byPhase: figures.byPhase,
      };
    }
    const known = [...knownIds(root).task, ...knownIds(root).bug];
    throw notFound('task or bug', id, didYouMeanId(id, known) || 'See forge store list task and forge store list bug.');
  },
};

function taskLine(record: StoredRecord, { byTask }: SprintFigures): TaskLine {
  const id = text(record['taskId']) || text(record['bugId']);
  const summaries = Object.entries(
    Object(record['summaries']) as Readonly<Record<string, { readonly verdict?: unknown }>>,
  );
  return {
    id,
    title: text(record['title']),
    status: text(record['status']),
    estimate: text(record['estimate']) || text(record['severity']),
    verdicts: Object.fromEntries(
      summaries.flatMap(([phase, { verdict }]) =>
        typeof verdict === 'string' && verdict !== 'n/a' ? [[phase, verdict]] : [],
      ),
    ),
    usd: byTask.find(({ name }) => name === id)?.usd ?? 0,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
