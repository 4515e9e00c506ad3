/** A new task or bug, from a few words: the id, the directory and everything else that follows from them is filled in. */
import { z } from 'zod';
import { nextId } from '../pipelines/next-id.ts';
import type { StoredRecord } from '../records/entity.ts';
import { didYouMeanId } from '../records/suggest-words.ts';
import { engineeringRoot } from '../store/engineering-root.ts';
import { writeRecord } from '../store/change-records.ts';
import { isDamaged, knownIds, listEntries, readEntry, recordPath } from '../store/record-files.ts';
import { jsonShaped } from './json-shaped.ts';
import type { Operation } from './operation.ts';
import { findStoreRoot, recordError } from './store-place.ts';

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

export interface NewRecord {
  readonly entity: 'task' | 'bug';
  readonly id: string;
  readonly record: StoredRecord;
  readonly notes: readonly string[];
}

export const newTask: Operation<typeof taskInput, z.ZodType<NewRecord>> = {
  name: 'new-task',
  kind: 'command',
  description: 'Write a new task into a sprint.',
  input: taskInput,
  output: jsonShaped<NewRecord>(),
  async run(context, { title, sprint: wanted, description, estimate, depends, pipeline, feature }) {
    const root = await findStoreRoot(context);
    const sprintId = wanted ?? onlySprint(root);
    const sprint = readEntry(root, { entity: 'sprint', file: recordPath('sprint', sprintId) });
    const known = knownIds(root);
    if (sprint === undefined || isDamaged(sprint)) {
      const hint = didYouMeanId(sprintId, known.sprint) || 'Write the sprint first: forge sprint new "<wish>".';
      throw recordError(`There is no sprint ${JSON.stringify(sprintId)}`, [], hint);
    }
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
    const at = new Date().toISOString();
    const change = await writeRecord(root, { entity: 'task', value, options: { at } });
    if (change.status !== 'written') throw refused('task', change);
    // The task names its sprint; the sprint's list is for those who read it first.
    const listed = Array.isArray(sprint.record['taskIds']) ? sprint.record['taskIds'] : [];
    const whole = { ...sprint.record, taskIds: [...new Set([...listed, taskId])] };
    const joined = await writeRecord(root, { entity: 'sprint', value: whole, options: { at } });
    if (joined.status !== 'written') throw refused('sprint', joined);
    return { entity: 'task', id: taskId, record: change.record, notes: change.notes };
  },
};

const bugInput = z.strictObject({
  title: z.string(),
  severity: z.string().default('major'),
  description: z.string().optional(),
  feature: z.string().optional(),
});

export const newBug: Operation<typeof bugInput, z.ZodType<NewRecord>> = {
  name: 'new-bug',
  kind: 'command',
  description: 'Report a bug.',
  input: bugInput,
  output: jsonShaped<NewRecord>(),
  async run(context, { title, severity, description, feature }) {
    const root = await findStoreRoot(context);
    const bugId = nextId(knownIds(root).bug, 'BUG-', 3);
    const at = new Date().toISOString();
    const value = {
      bugId,
      title,
      severity,
      status: 'reported',
      path: `${engineeringRoot(root)}/bugs/${bugId}`,
      reportedAt: at,
      ...(description === undefined || description === '' ? {} : { description }),
      ...(feature === undefined ? {} : { feature_id: feature }),
    };
    const change = await writeRecord(root, { entity: 'bug', value, options: { at } });
    if (change.status !== 'written') throw refused('bug', change);
    return { entity: 'bug', id: bugId, record: change.record, notes: change.notes };
  },
};

function refused(entity: string, change: { readonly status: string }): Error {
  const faults = 'faults' in change ? (change as { faults: Parameters<typeof recordError>[1] }).faults : [];
  return recordError(`The ${entity} was not written`, faults, 'Nothing was changed.');
}

function onlySprint(root: string): string {
  const open = listEntries(root, 'sprint').entries.filter(({ record }) =>
    ['planning', 'active', 'blocked'].includes(String(record['status'])),
  );
  const [first] = open;
  if (first !== undefined && open.length === 1) return first.id;
  const hint =
    open.length === 0
      ? 'There is no open sprint. Begin one: forge sprint new "<wish>".'
      : `Open sprints: ${open.map(({ id }) => id).join(', ')}.`;
  throw recordError('It is not clear which sprint the task belongs to', [], `${hint} Name it with --sprint.`);
}
