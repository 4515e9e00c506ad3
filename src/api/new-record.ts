/** A new task or bug, from a few words: the id, the directory and everything else that follows from them is filled in. */
import { z } from 'zod';
import { nextId } from '../pipelines/next-id.ts';
import { recordId } from '../records/entity.ts';
import { didYouMeanId } from '../records/suggest-words.ts';
import { engineeringRoot } from '../store/engineering-root.ts';
import { type AddedRecords, addRecords } from '../store/add-records.ts';
import { isDamaged, knownIds, listEntries, readEntry, recordPath } from '../store/record-files.ts';
import type { JsonOf, Operation } from './operation.ts';
import { storedRecordSchema } from './output-shapes.ts';
import { findStoreRoot, recordError, requireId } from './store-place.ts';

const taskInput = z.strictObject({
  title: z.string(),
  /** Without it, the one sprint that is being planned or worked on. */
  sprint: z.string().optional(),
  description: z.string().optional(),
  estimate: z.string().optional(),
  depends: z.array(z.string()).default([]),
  pipeline: z.string().optional(),
  feature: z.string().optional(),
});

const newRecordSchema = z.strictObject({
  entity: z.enum(['task', 'bug']),
  id: z.string(),
  record: storedRecordSchema,
  notes: z.array(z.string()),
});
export type NewRecord = JsonOf<typeof newRecordSchema>;

export const newTask: Operation<typeof taskInput, typeof newRecordSchema> = {
  name: 'new-task',
  kind: 'command',
  description: 'Write a new task into a sprint.',
  input: taskInput,
  output: newRecordSchema,
  async run(context, { title, sprint: wanted, description, estimate, depends, pipeline, feature }) {
    const root = await findStoreRoot(context);
    const sprintId = wanted ?? onlySprint(root);
    requireSprint(root, sprintId);
    const added = await addRecords(root, ({ known, read }) => {
      const own = known.task.filter((id) => id.startsWith(`${sprintId}-T`));
      const taskId = nextId(own, `${sprintId}-T`, 2);
      const value = {
        taskId,
        sprintId,
        title,
        status: 'draft',
        path: `${engineeringRoot(root)}/sprints/${sprintId}/${taskId}`,
        ...(description === undefined || description === '' ? {} : { description }),
        ...(estimate === undefined || estimate === '' ? {} : { estimate: estimate.toUpperCase() }),
        ...(depends.length === 0 ? {} : { dependencies: depends }),
        ...(pipeline === undefined ? {} : { pipeline }),
        ...(feature === undefined ? {} : { feature_id: feature }),
      };
      const sprint = read('sprint', sprintId) ?? {};
      // The task names its sprint; the sprint's list is for those who read it first.
      const listed = Array.isArray(sprint['taskIds']) ? sprint['taskIds'] : [];
      return [
        { entity: 'task', value },
        { entity: 'sprint', value: { ...sprint, taskIds: [...new Set([...listed, taskId])] } },
      ];
    });
    return newRecord('task', added);
  },
};

const bugInput = z.strictObject({
  title: z.string(),
  severity: z.string().default('major'),
  description: z.string().optional(),
  feature: z.string().optional(),
});

export const newBug: Operation<typeof bugInput, typeof newRecordSchema> = {
  name: 'new-bug',
  kind: 'command',
  description: 'Report a bug.',
  input: bugInput,
  output: newRecordSchema,
  async run(context, { title, severity, description, feature }) {
    const root = await findStoreRoot(context);
    const added = await addRecords(root, ({ known }) => {
      const bugId = nextId(known.bug, 'BUG-', 3);
      const value = {
        bugId,
        title,
        severity,
        status: 'reported',
        path: `${engineeringRoot(root)}/bugs/${bugId}`,
        reportedAt: new Date().toISOString(),
        ...(description === undefined || description === '' ? {} : { description }),
        ...(feature === undefined ? {} : { feature_id: feature }),
      };
      return [{ entity: 'bug', value }];
    });
    return newRecord('bug', added);
  },
};

function newRecord(entity: 'task' | 'bug', added: AddedRecords): NewRecord {
  if (added.status === 'refused')
    throw recordError(`The ${added.entity} was not written`, added.faults, 'Nothing was changed.');
  const [record = {}] = added.records;
  return { entity, id: recordId(entity, record) ?? '', record, notes: added.notes };
}

function requireSprint(root: string, sprintId: string): void {
  const sprint = readEntry(root, { entity: 'sprint', file: recordPath('sprint', requireId(sprintId)) });
  if (sprint !== undefined && !isDamaged(sprint)) return;
  const hint = didYouMeanId(sprintId, knownIds(root).sprint) || 'Write the sprint first: forge sprint new "<wish>".';
  throw recordError(`There is no sprint ${JSON.stringify(sprintId)}`, [], hint);
}

function onlySprint(root: string): string {
  const open = openSprintsOf(root);
  const [first] = open;
  if (first !== undefined && open.length === 1) return first.id;
  const hint =
    open.length === 0
      ? 'There is no open sprint. Begin one: forge sprint new "<wish>".'
      : `Open sprints: ${open.map(({ id }) => id).join(', ')}.`;
  throw recordError('It is not clear which sprint the task belongs to', [], `${hint} Name it with --sprint.`);
}

interface OpenSprint {
  readonly id: string;
  readonly title: string;
}

function openSprintsOf(root: string): readonly OpenSprint[] {
  return listEntries(root, 'sprint').entries.flatMap(({ id, record: { status, title } }) =>
    ['planning', 'active', 'blocked'].includes(String(status)) ? [{ id, title: String(title) }] : [],
  );
}

const openInput = z.strictObject({});
const openOutput = z.strictObject({
  sprints: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  tasks: z.array(z.string()),
});

/** What an interview about a new task has to know. */
export const openSprints: Operation<typeof openInput, typeof openOutput> = {
  name: 'open-sprints',
  kind: 'query',
  description: 'Sprints that a new task may go into, and the ids of all tasks.',
  input: openInput,
  output: openOutput,
  async run(context) {
    const root = await findStoreRoot(context);
    return { sprints: openSprintsOf(root).map((one) => ({ ...one })), tasks: [...knownIds(root).task] };
  },
};
