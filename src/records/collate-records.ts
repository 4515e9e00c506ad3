/**
 * What people read instead of records: an index of everything and a page per feature, from the records alone. Pure: the
 * same records are the same pages, so collating twice changes nothing.
 */
import { compareIds } from '../plan/task-id.ts';
import type { StoredRecord } from './entity.ts';

export interface CollationInput {
  readonly sprints: readonly StoredRecord[];
  readonly tasks: readonly StoredRecord[];
  readonly bugs: readonly StoredRecord[];
  readonly features: readonly StoredRecord[];
}

export interface CollatedPage {
  /** Below the directory of engineering documents. */
  readonly path: string;
  readonly text: string;
}

export function collateRecords({ sprints, tasks, bugs, features }: CollationInput): readonly CollatedPage[] {
  const ofSprint = (id: string): readonly StoredRecord[] =>
    sorted(tasks, 'taskId').filter((task) => task['sprintId'] === id);
  const index = [
    '# Index',
    '',
    'Made by `forge collate` from the records in `.forge/store`. Changes to this file are lost.',
    '',
    '## Features',
    '',
    ...rows(
      ['Feature', 'Title', 'Status'],
      sorted(features, 'id').map((one) => [link(cell(one, 'id')), cell(one, 'title'), cell(one, 'status')]),
    ),
    ...sorted(sprints, 'sprintId').flatMap((sprint) => [
      `## ${cell(sprint, 'sprintId')}: ${cell(sprint, 'title')}`,
      '',
      `Status: ${cell(sprint, 'status')}`,
      '',
      ...taskRows(ofSprint(cell(sprint, 'sprintId'))),
    ]),
    ...orphans(tasks, sprints),
    '## Bugs',
    '',
    ...rows(
      ['Bug', 'Title', 'Severity', 'Status'],
      sorted(bugs, 'bugId').map((bug) => ['bugId', 'title', 'severity', 'status'].map((field) => cell(bug, field))),
    ),
  ];
  return [
    { path: 'MASTER_INDEX.md', text: page(index) },
    ...sorted(features, 'id').map((feature) => featurePage(feature, tasks, sprints)),
  ];
}

function featurePage(
  feature: StoredRecord,
  tasks: readonly StoredRecord[],
  sprints: readonly StoredRecord[],
): CollatedPage {
  const id = cell(feature, 'id');
  const inSprints = listOf(feature, 'sprints');
  const named = listOf(feature, 'tasks');
  const isOwn = (record: StoredRecord, listed: readonly string[], idField: string): boolean =>
    record['feature_id'] === id || listed.includes(String(record[idField]));
  const ownSprints = sprints.filter(
    (sprint) => isOwn(sprint, inSprints, 'sprintId') || listOf(sprint, 'features').includes(id),
  );
  const ownTasks = tasks.filter(
    (task) => isOwn(task, named, 'taskId') || ownSprints.some((sprint) => sprint['sprintId'] === task['sprintId']),
  );
  const done = ownTasks.filter((task) => task['status'] === 'committed').length;
  const lines = [
    `# ${id}: ${cell(feature, 'title')}`,
    '',
    'Made by `forge collate`. Changes to this file are lost.',
    '',
    `Status: ${cell(feature, 'status')}. ${done} of ${ownTasks.length} tasks are committed.`,
    '',
    ...(feature['description'] === undefined ? [] : [cell(feature, 'description'), '']),
    ...(listOf(feature, 'requirements').length === 0
      ? []
      : ['## Requirements', '', ...listOf(feature, 'requirements').map((one) => `- ${safe(one)}`), '']),
    '## Tasks',
    '',
    ...taskRows(sorted(ownTasks, 'taskId')),
  ];
  return { path: `features/${id}.md`, text: page(lines) };
}

function orphans(tasks: readonly StoredRecord[], sprints: readonly StoredRecord[]): readonly string[] {
  const known = new Set(sprints.map((sprint) => sprint['sprintId']));
  const lost = sorted(tasks, 'taskId').filter((task) => !known.has(task['sprintId']));
  return lost.length === 0 ? [] : ['## Tasks without a sprint', '', ...taskRows(lost)];
}

function taskRows(tasks: readonly StoredRecord[]): readonly string[] {
  const fields = ['taskId', 'title', 'status', 'estimate'];
  return rows(
    ['Task', 'Title', 'Status', 'Size'],
    tasks.map((task) => fields.map((field) => cell(task, field))),
  );
}

function rows(head: readonly string[], cells: readonly (readonly string[])[]): readonly string[] {
  if (cells.length === 0) return ['None.', ''];
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...cells.map((row) => `| ${row.join(' | ')} |`),
    '',
  ];
}

function link(id: string): string {
  return `[${id}](features/${id}.md)`;
}

function cell(record: StoredRecord, field: string): string {
  const value = record[field];
  return typeof value === 'string' ? safe(value) : '';
}

/** Titles come from agents: they stay in their cell. */
function safe(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[|\\`<>[\]]/g, '\\$&')
    .trim();
}

function listOf(record: StoredRecord, field: string): readonly string[] {
  const value = record[field];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function sorted(records: readonly StoredRecord[], field: string): readonly StoredRecord[] {
  return records.toSorted((a, b) => compareIds(cell(a, field), cell(b, field)));
}

function page(lines: readonly string[]): string {
  return `${lines.join('\n').trimEnd()}\n`;
}
