/** The summary of a run as operations give it: the shape of `RunSummary` (views/summary.ts). */
import { z } from 'zod';
import { figuresSchema, taskOutcomeSchema } from '../engine/facts.ts';
import { runStatuses } from '../engine/run-state.ts';
import { usageSchema } from '../policy/agent-outcome.ts';
import { amountSchema } from '../policy/budget-schemas.ts';
import { scopeFlagSchema } from '../policy/receipt.ts';
import { workFindingSchema, workReportSchema } from '../policy/work-report.ts';
import { nodeStatuses } from '../views/view-node.ts';

const strings = z.array(z.string());

const stepSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  label: z.string(),
  status: z.enum(nodeStatuses),
  detail: z.string(),
});

export const workRowSchema = z.strictObject({
  key: z.string(),
  task: z.string(),
  title: z.string(),
  status: z.enum([...taskOutcomeSchema.shape.status.options, 'waiting', 'running', 'interrupted', 'cancelled']),
  reason: z.string(),
  figures: figuresSchema,
  notes: strings,
  commit: z.string().optional(),
  isMerged: z.boolean(),
  depends: strings,
  parts: strings,
});

const findingSchema = workFindingSchema.extend({
  state: z.enum([...workFindingSchema.shape.state.options, 'fixed']),
  owner: z.string(),
  key: z.string(),
  fingerprint: z.string(),
});

export const landingSchema = z.strictObject({
  into: z.string(),
  asked: z.boolean(),
  landed: z.boolean(),
  commit: z.string().optional(),
});

export const runSummarySchema = z.strictObject({
  run: z.string(),
  title: z.string(),
  workflow: z.string(),
  status: z.enum(runStatuses),
  reason: z.string(),
  base: z.string(),
  startedFrom: z.string().optional(),
  branch: z.string().optional(),
  landing: landingSchema.optional(),
  steps: z.array(stepSchema),
  tasks: z.array(workRowSchema),
  merged: z.array(z.strictObject({ task: z.string(), title: z.string(), commit: z.string(), files: z.number().int() })),
  flags: z.array(scopeFlagSchema.extend({ task: z.string() })),
  advice: z.array(z.strictObject({ reason: z.string(), first: z.string(), commands: strings })),
  usage: usageSchema,
  lost: amountSchema,
  wallMs: z.number(),
  workedMs: z.number(),
  captured: z.number().int(),
  findings: z.array(findingSchema),
  redGreen: workReportSchema.shape.redGreen.unwrap(),
  unverified: strings,
  coverage: workReportSchema.shape.coverage.unwrap(),
  lessons: workReportSchema.shape.lessons.unwrap(),
});
