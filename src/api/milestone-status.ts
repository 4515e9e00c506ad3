/**
 * Where a project in `.gsd` stands and what comes next, from its files alone. It works on projects of other tools too,
 * and only reads: they are the same to the byte afterwards.
 */
import { z } from 'zod';
import { gsdLayouts, milestoneDocuments, sliceDocuments } from '../gsd/gsd-project.ts';
import { milestoneUnits, nextUnit, sliceUnits } from '../gsd/next-unit.ts';
import { readGsdProject } from '../gsd/read-project.ts';
import { findGsdRoot, refuseForeign, requireMilestone } from './gsd-place.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ milestone: z.string().optional() });

const status = z.strictObject({
  state: z.enum(['open', 'done', 'skipped']),
  evidence: z.enum(['summary', 'manifest', 'mark', 'none']),
});
const strings = z.array(z.string());
const taskSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  status,
  isInterrupted: z.boolean(),
  /** Left out when the plan does not say. */
  depends: strings.optional(),
  writes: strings.optional(),
  hasPlan: z.boolean(),
});
const sliceSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  risk: z.enum(['low', 'medium', 'high']).optional(),
  riskText: z.string(),
  depends: strings,
  isSketch: z.boolean(),
  demo: z.string(),
  has: z.record(z.enum(sliceDocuments), z.boolean()),
  status,
  tasks: z.array(taskSchema),
});
const milestoneSchema = z.strictObject({
  id: z.string(),
  directory: z.string(),
  title: z.string(),
  vision: z.string(),
  has: z.record(z.enum(milestoneDocuments), z.boolean()),
  isParked: z.boolean(),
  status,
  slices: z.array(sliceSchema),
});
const unit = { milestone: z.string(), reason: z.string() };
const nextSchema = z.discriminatedUnion('unit', [
  z.strictObject({ unit: z.literal('none'), reason: z.string() }),
  z.strictObject({ unit: z.literal('blocked'), ...unit, slice: z.string().optional() }),
  z.strictObject({ unit: z.enum(milestoneUnits), ...unit }),
  z.strictObject({ unit: z.enum(sliceUnits), ...unit, slice: z.string() }),
  z.strictObject({
    unit: z.literal('execute-task'),
    ...unit,
    slice: z.string(),
    tasks: strings,
    interrupted: strings,
  }),
]);
const output = z.strictObject({
  root: z.string(),
  layout: z.enum(gsdLayouts),
  milestones: z.array(milestoneSchema),
  hint: z.strictObject({
    milestone: z.string().optional(),
    slice: z.string().optional(),
    phase: z.string().optional(),
  }),
  remarks: z.array(z.strictObject({ file: z.string(), problem: z.string() })),
  next: nextSchema,
});

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
