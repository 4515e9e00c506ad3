/** Two files with one id: only one of them would be read, and nobody could say which. Pure. */
import { leadingId } from './design-ids.ts';
import type { DesignProblems } from './design-problems.ts';

export function checkUniqueFiles(
  files: readonly string[],
  letter: Parameters<typeof leadingId>[1],
  problems: DesignProblems,
): void {
  const first = new Map<string, string>();
  for (const file of files) {
    const id = leadingId(file.slice(file.lastIndexOf('/') + 1), letter);
    const other = id === undefined ? undefined : first.get(id);
    if (id !== undefined && other !== undefined)
      problems.error(
        { file, line: 1 },
        `${id} has another file: ${other}.`,
        'Remove one of the two, or give it a new id.',
      );
    else if (id !== undefined) first.set(id, file);
  }
}
