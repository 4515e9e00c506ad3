/** The project as far as one record touches it: itself, its sprint, its feature, what it depends on. Pure. */
import type { StoredRecord } from '../records/entity.ts';

export interface OverlaySubject {
  readonly record: StoredRecord;
  readonly sprint: StoredRecord | undefined;
  readonly feature: StoredRecord | undefined;
  /** Tasks that it depends on. */
  readonly needs: readonly StoredRecord[];
}

export function overlayText({ record, sprint, feature, needs }: OverlaySubject): string {
  const { taskId, bugId } = record;
  return [
    `${text(taskId ?? bugId)}: ${text(record['title'])} (${text(record['status'])}${record['estimate'] === undefined ? '' : `, ${text(record['estimate'])}`})`,
    text(record['description']),
    ...(record['severity'] === undefined ? [] : [`Severity: ${text(record['severity'])}`]),
    ...(sprint === undefined
      ? []
      : [
          `Sprint ${text(sprint['sprintId'])}: ${text(sprint['title'])}`,
          text(sprint['goal'] ?? sprint['description']),
        ]),
    ...(feature === undefined
      ? []
      : [
          `Feature ${text(feature['id'])}: ${text(feature['title'])}`,
          ...list(feature['requirements']).map((one) => `- ${one}`),
        ]),
    ...needs.map((task) => {
      const done = Object(Object(task['summaries'])['implementation'])['objective'];
      return `Depends on ${text(task['taskId'])} (${text(task['status'])}): ${text(task['title'])}${typeof done === 'string' ? `. ${done}` : ''}`;
    }),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
