/**
 * Where a project in `.gsd` stands and what comes next, from its files alone. It works on projects of other tools too,
 * and only reads: they are the same to the byte afterwards.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { gsdLayouts, milestoneDocuments, sliceDocuments } from '../gsd/gsd-project.ts';
import { milestoneUnits, nextUnit, sliceUnits, type UnitPreferences, usualPreferences } from '../gsd/next-unit.ts';
import { readGsdProject } from '../gsd/read-project.ts';
import { findGsdRoot, requireMilestone } from './gsd-place.ts';
import { workflowKeeping } from '../workflows/registry.ts';
import type { ApiContext } from './context.ts';
import type { Operation } from './operation.ts';
import { optionValues } from './show-config.ts';

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

/** As the run of a milestone would have them. Settings that cannot be read are other commands' business. */
async function unitPreferences(context: ApiContext): Promise<UnitPreferences> {
  const { name } = workflowKeeping('.gsd');
  const values = await optionValues(context).catch((error: unknown) => {
    if (error instanceof ForgeError) return [];
    throw error;
  });
  const isOn = (option: string): boolean =>
    values.some((one) => one.name === `${name}.${option}` && one.value === true && one.isWaiting !== true);
  return { ...usualPreferences, skipDiscuss: isOn('skip-discuss'), skipResearch: isOn('skip-research') };
}

const foreignUnit = {
  unit: 'none',
  reason: 'Another tool laid out this .gsd: Forge finds no milestones in it, and leaves it alone',
} as const;

export const milestoneStatus: Operation<typeof input, typeof output> = {
  name: 'milestone-status',
  kind: 'query',
  description: 'Shows where the milestones of a .gsd project stand, and what comes next.',
  input,
  output,
  async run(context, { milestone }) {
    const root = findGsdRoot(context.cwd);
    const project = readGsdProject(root);
    if (milestone !== undefined) requireMilestone(project, milestone);
    // Looking never fails: what Forge cannot continue is named and left alone.
    const next =
      project.layout === 'foreign'
        ? foreignUnit
        : nextUnit(project, { milestone, preferences: await unitPreferences(context) });
    return { root, ...project, next };
  },
};
