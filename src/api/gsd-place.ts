/** The nearest folder with a `.gsd`, and the project in it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ForgeError } from '../errors.ts';
import type { GsdMilestone, GsdProject } from '../gsd/gsd-project.ts';
import { nearestWord } from '../plan/task-id.ts';

export function findGsdRoot(from: string): string {
  const found = findGsdAbove(from);
  if (found !== undefined) return found;
  throw new ForgeError('bad-input', `There is no .gsd folder in ${from} or above it`, {
    hint: 'Make a milestone first: forge milestone new "<what it should reach>"',
  });
}

export function findGsdAbove(from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.gsd'))) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

export function refuseForeign(root: string, { layout }: GsdProject): void {
  if (layout !== 'foreign') return;
  throw new ForgeError('bad-input', `Forge does not know the layout of ${join(root, '.gsd')}`, {
    hint: 'It has no milestones/M001/M001-ROADMAP.md and no phases/01-name/01-ROADMAP.md. Another tool may have made it; nothing was changed.',
  });
}

export function requireMilestone({ milestones }: GsdProject, wanted: string): GsdMilestone {
  const found = milestones.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  const ids = milestones.map(({ id }) => id);
  const meant = nearestWord(wanted, ids);
  throw new ForgeError('bad-input', `There is no milestone ${JSON.stringify(wanted)}`, {
    hint: meant === undefined ? `Known: ${ids.join(', ') || 'none'}.` : `Did you mean ${meant}?`,
  });
}
