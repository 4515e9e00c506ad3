/**
 * The tasks of a slice from its plan: checkboxes, headings, a table, or a `<tasks>` block. Pure.
 */
import { firstOfEach, type GsdLine, mainTitle, readGsdDocument, tableRows, titleWithout } from './gsd-text.ts';

export interface SlicePlan {
  readonly title: string;
  readonly tasks: readonly ListedTask[];
}

export interface ListedTask {
  readonly id: string;
  readonly title: string;
  readonly isTicked: boolean;
}

export function readSlicePlan(source: string, slice: string): SlicePlan {
  const { lines } = readGsdDocument(source);
  const candidates = [boxTasks(lines), tableTasks(lines), headingTasks(lines)];
  const found = candidates.find((tasks) => tasks.length > 0) ?? [];
  return {
    title: titleWithout(slice, mainTitle(lines)),
    tasks: firstOfEach(found),
  };
}

/** `T01`, and `T01.2` for a part of it. */
export const taskId = String.raw`T\d{1,6}(?:\.\d{1,6}){0,5}`;
const box = new RegExp(String.raw`^\s*[-*] \[([ xX])\] \**\s*(${taskId})\b\**\s*[:–—-]?\s*(.*)$`);
const heading = new RegExp(String.raw`^#{2,4} (${taskId})\b\s*[:–—-]?\s*(.*)$`);
const cell = new RegExp(String.raw`^\**(${taskId})\b`);

function boxTasks(lines: readonly GsdLine[]): ListedTask[] {
  return lines.flatMap(({ text, isFenced }): ListedTask[] => {
    const found = isFenced ? null : box.exec(text);
    if (found === null) return [];
    const [, mark = ' ', id = '', rest = ''] = found;
    return [{ id, title: plainTitle(rest), isTicked: mark !== ' ' }];
  });
}

function headingTasks(lines: readonly GsdLine[]): ListedTask[] {
  return lines.flatMap(({ text, isFenced }): ListedTask[] => {
    const found = isFenced ? null : heading.exec(text);
    const [, id = '', rest = ''] = found ?? [];
    return found === null ? [] : [{ id, title: plainTitle(rest), isTicked: false }];
  });
}

/** The first table that has a column of task ids: a plan may have others before it. */
function tableTasks(lines: readonly GsdLine[]): ListedTask[] {
  for (let at = 0; at < lines.length; at += 1) {
    if (
      !(lines[at]?.text ?? '').trimStart().startsWith('|') ||
      (lines[at - 1]?.text ?? '').trimStart().startsWith('|')
    ) {
      continue;
    }
    const tasks = tableRows(lines.slice(at)).flatMap((row): ListedTask[] => {
      const values = Object.values(row);
      const id = values.map((value) => cell.exec(value)?.[1]).find((found) => found !== undefined);
      if (id === undefined || !cell.test(values[0] ?? '')) return [];
      const title = row['title'] ?? row['task'] ?? values[1] ?? '';
      return [{ id, title: plainTitle(title), isTicked: /✅|\[x\]/i.test(row['done'] ?? row['status'] ?? '') }];
    });
    if (tasks.length > 0) return tasks;
  }
  return [];
}

function plainTitle(text: string): string {
  return text
    .replace(/`est:[^`]*`/g, '')
    .replaceAll('**', '')
    .trim();
}
