/**
 * Where a project in `.gsd` stands and what comes next, from its files alone. It works on projects of other tools too,
 * and only reads: they are the same to the byte afterwards.
 */
import { z } from 'zod';
import type { GsdProject } from '../gsd/gsd-project.ts';
import { type NextUnit, nextUnit } from '../gsd/next-unit.ts';
import { readGsdProject } from '../gsd/read-project.ts';
import { findGsdRoot, refuseForeign, requireMilestone } from './gsd-place.ts';
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
    refuseForeign(root, project);
    if (milestone !== undefined) requireMilestone(project, milestone);
    return { root, ...project, next: nextUnit(project, { milestone }) };
  },
};
