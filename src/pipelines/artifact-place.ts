/**
 * Which sprint and task directory a record's `path` names, for the `{sprint}` and `{task}` of gates. Older stores put a
 * source file there instead: that says nothing. Pure.
 */
import type { StoredRecord } from '../records/entity.ts';

export interface ArtifactPlace {
  readonly sprint: string;
  readonly task: string;
}

/** Undefined when the path is not below `<engineering>/sprints`. */
export function artifactPlace(taskPath: string, engineering: string): ArtifactPlace | undefined {
  const parts = partsOf(taskPath);
  const root = [...partsOf(engineering), 'sprints'];
  if (root.some((part, at) => parts[at] !== part)) return undefined;
  const below = parts.slice(root.length);
  // A file, such as TASK_PROMPT.md, stands in the directory that is meant.
  if (/\.[A-Za-z0-9]+$/.test(below.at(-1) ?? '')) below.pop();
  const task = below.pop();
  return task === undefined || below.length === 0 ? undefined : { sprint: below.join('/'), task };
}

/** What `{names}` in gates stand for. */
export function gateNames(record: StoredRecord, engineering: string): Readonly<Record<string, string>> {
  const { path, sprintId, taskId, bugId } = record;
  const place = typeof path === 'string' ? artifactPlace(path, engineering) : undefined;
  const last = typeof path === 'string' ? path.split('/').filter(Boolean).at(-1) : undefined;
  return {
    engineering,
    ...(typeof sprintId === 'string' ? { sprint: place?.sprint ?? sprintId } : {}),
    ...(typeof taskId === 'string' ? { task: place?.task ?? taskId } : {}),
    ...(typeof bugId === 'string' ? { bug: last ?? bugId } : {}),
  };
}

function partsOf(path: string): string[] {
  return path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
}
