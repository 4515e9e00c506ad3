/**
 * Whether what records name exists: a task's sprint, dependencies, a sprint's tasks, features. Pure: from the ids that
 * are there to the names that lead nowhere. What a record cannot do without is an error; the rest may come later.
 */
import type { EntityName, FiledEntity, StoredRecord } from './entity.ts';
import { isReservedSprint } from './entity.ts';
import { didYouMeanId } from './suggest-words.ts';

export interface DanglingReference {
  readonly field: string;
  readonly target: FiledEntity;
  readonly id: string;
  /** The record means nothing without it. */
  readonly isNeeded: boolean;
  readonly fix: string;
}

export type KnownIds = Readonly<Record<FiledEntity, readonly string[]>>;

interface Reference {
  readonly field: string;
  readonly target: FiledEntity;
  readonly isNeeded?: boolean;
}

const references: Readonly<Record<EntityName, readonly Reference[]>> = {
  task: [
    { field: 'sprintId', target: 'sprint', isNeeded: true },
    { field: 'dependencies', target: 'task' },
    { field: 'feature_id', target: 'feature' },
  ],
  sprint: [
    { field: 'taskIds', target: 'task' },
    { field: 'features', target: 'feature' },
    { field: 'feature_id', target: 'feature' },
  ],
  bug: [
    { field: 'similarBugs', target: 'bug' },
    { field: 'feature_id', target: 'feature' },
  ],
  event: [
    { field: 'sprintId', target: 'sprint', isNeeded: true },
    { field: 'taskId', target: 'task' },
    { field: 'bugId', target: 'bug' },
  ],
  feature: [
    { field: 'sprints', target: 'sprint' },
    { field: 'tasks', target: 'task' },
  ],
};

export function danglingReferences(
  entity: EntityName,
  record: StoredRecord,
  known: KnownIds,
): readonly DanglingReference[] {
  return references[entity].flatMap(({ field, target, isNeeded = false }) =>
    namesIn(record[field])
      .filter((id) => !known[target].includes(id) && !(target === 'sprint' && isReservedSprint(id)))
      .map((id) => ({ field, target, id, isNeeded, fix: referenceFix(id, target, known[target]) })),
  );
}

function namesIn(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

function referenceFix(id: string, target: FiledEntity, known: readonly string[]): string {
  return [didYouMeanId(id, known), `Write the ${target} first, or change the name.`].filter(Boolean).join(' ');
}
