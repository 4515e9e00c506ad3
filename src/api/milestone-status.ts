/**
 * Where a project in `.gsd` stands and what comes next, from its files alone. It works on projects of other tools too,
 * and only reads: they are the same to the byte afterwards.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { nearestWord } from '../plan/task-id.ts';
import type { GsdProject } from '../gsd/gsd-project.ts';
import { type NextUnit, nextUnit } from '../gsd/next-unit.ts';
import { readGsdProject } from '../gsd/read-project.ts';
import { jsonShaped } from './json-shaped.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ milestone: z.string().optional() });

export interface MilestoneReport extends GsdProject {
  readonly root: string;
  readonly next: NextUnit;
}

const output = jsonShaped<MilestoneReport>();

export const milestoneStatus: Operation<typeof input, typeof output> = {
  name: 'milestone-status',
  kind: 'query',
  description: 'Shows where the milestones of a .gsd project stand, and what comes next.',
  input,
  output,
  async run({ cwd }, { milestone }) {
    const root = findGsdRoot(cwd);
    const project = readGsdProject(root);
    if (project.layout === 'foreign') {
      throw new ForgeError('bad-input', `Forge does not know the layout of ${join(root, '.gsd')}`, {
        hint: 'It has no milestones/M001/M001-ROADMAP.md and no phases/01-name/01-ROADMAP.md. Another tool may have made it; nothing was changed.',
      });
    }
    requireMilestone(project, milestone);
    return { root, ...project, next: nextUnit(project, { milestone }) };
  },
};

/** The nearest folder with a `.gsd`, from here upwards. */
function findGsdRoot(from: string): string {
  let directory = from;
  while (!existsSync(join(directory, '.gsd'))) {
    const above = dirname(directory);
    if (above === directory) {
      throw new ForgeError('bad-input', `There is no .gsd folder in ${from} or above it`, {
        hint: 'Go to the project whose milestones you want to see.',
      });
    }
    directory = above;
  }
  return directory;
}

function requireMilestone({ milestones }: GsdProject, wanted: string | undefined): void {
  const ids = milestones.map(({ id }) => id);
  if (wanted === undefined || ids.some((id) => id.toLowerCase() === wanted.toLowerCase())) return;
  const meant = nearestWord(wanted, ids);
  throw new ForgeError('bad-input', `There is no milestone ${JSON.stringify(wanted)}`, {
    hint: meant === undefined ? `Known: ${ids.join(', ') || 'none'}.` : `Did you mean ${meant}?`,
  });
}
