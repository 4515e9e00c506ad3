/**
 * Schemas of what displays draw (views/): a run's page, its tree, its report, its agent sessions, a morning report. Views
 * are free of schemas, so that those who only look load none; `describing` has the compiler check that a view's type fits
 * its schema, and test/api checks the values.
 */
import { z } from 'zod';
import { effectMap } from '../engine/effect-map.ts';
import { figuresSchema } from '../engine/facts.ts';
import { taskSchema } from '../plan/plan.ts';
import { usageSchema } from '../policy/agent-outcome.ts';
import { amountSchema } from '../policy/budget-schemas.ts';
import { leftBehindSchema, receiptSchema } from '../policy/receipt.ts';
import type { FlatNode } from '../views/flat-tree.ts';
import type { MorningReport } from '../views/morning-text.ts';
import type { Report } from '../views/report/report.ts';
import type { RunPage } from '../views/run-page.ts';
import type { SessionRow } from '../views/session-rows.ts';
import { nodeStatuses } from '../views/view-node.ts';
import { runLineSchema } from './list-runs.ts';
import type { JsonOf } from './operation.ts';
import { landingSchema, runSummarySchema, workRowSchema } from './run-summary-schema.ts';

/** The schema as one of `T`. Does not compile where a value of `T` would not fit it. */
function describing<T>() {
  return <Schema extends z.ZodType>(schema: T extends JsonOf<Schema> ? Schema : never): z.ZodType<T> =>
    schema as unknown as z.ZodType<T>;
}

const text = z.string();
const texts = z.array(text);
const count = z.number().int();
const span = z.strictObject({ low: z.number(), likely: z.number(), high: z.number() });

export const runPageSchema = describing<RunPage>()(
  z.strictObject({
    run: text,
    title: text,
    requirement: text,
    workflow: text,
    status: runLineSchema.shape.status,
    reason: text,
    code: text.optional(),
    base: text,
    startedFrom: text.optional(),
    branch: text.optional(),
    result: text.optional(),
    landing: landingSchema.optional(),
    createdAt: text,
    updatedAt: text,
    endedAt: text.optional(),
    workedMs: z.number(),
    seq: count,
    isLive: z.boolean(),
    progress: z.strictObject({ done: count, failed: count, total: count }),
    standing: z.strictObject({ text, isBad: z.boolean() }).optional(),
    doing: z.array(z.strictObject({ key: text, who: text, where: text, says: text })),
    usage: usageSchema,
    budget: z.strictObject({
      limit: amountSchema,
      spent: amountSchema,
      reserved: amountSchema,
      used: amountSchema,
      text,
    }),
    forecast: effectMap['forecast.make'].output.optional(),
    expectedEnd: text.optional(),
    hasPlan: z.boolean(),
  }),
);

export const flatNodeSchema = describing<FlatNode>()(
  z.strictObject({
    path: text,
    parent: text,
    order: count,
    id: text,
    type: z.enum(['run', 'step', 'task', 'effect']),
    label: text,
    kind: text,
    status: z.enum(nodeStatuses),
    detail: text,
    startedAt: text.optional(),
    endedAt: text.optional(),
    elapsedMs: z.number(),
    usage: usageSchema.optional(),
    figures: figuresSchema.optional(),
    lines: texts.optional(),
    links: texts.optional(),
    commit: text.optional(),
  }),
);

export const sessionRowSchema = describing<SessionRow>()(
  z.strictObject({
    key: text,
    role: text,
    owner: text,
    where: text,
    agent: text,
    model: text,
    tier: text,
    reasons: texts,
    attempt: count,
    tries: count,
    startedAt: text,
    endedAt: text.optional(),
    workedMs: z.number(),
    usage: usageSchema.optional(),
    status: z.enum(['running', 'interrupted', 'replied', 'failed']),
    summary: text,
    from: text,
    to: text.optional(),
    files: count,
    leftBehind: z.array(leftBehindSchema),
    notes: texts,
  }),
);

const spendRows = z.array(z.strictObject({ name: text, sessions: count, usage: usageSchema, workedMs: z.number() }));

export const reportSchema = describing<Report>()(
  runSummarySchema.omit({ tasks: true, merged: true }).extend({
    requirement: text,
    forge: text,
    startedAt: text,
    endedAt: text,
    units: z.array(workRowSchema.extend({ planned: taskSchema.optional(), group: text.optional() })),
    stages: z.array(texts),
    risks: texts,
    decisions: texts,
    spans: z.array(
      z.strictObject({
        key: text,
        owner: text,
        kind: z.enum(['agent', 'check', 'merge']),
        role: text,
        startedAt: text,
        endedAt: text.optional(),
        isOpen: z.boolean(),
      }),
    ),
    waits: z.array(z.strictObject({ key: text, owner: text, title: text, startedAt: text, endedAt: text.optional() })),
    checks: z.array(
      z.strictObject({
        key: text,
        owner: text,
        step: text,
        name: text,
        status: text,
        reason: text,
        durationMs: z.number(),
        files: texts.optional(),
        newFailures: texts.optional(),
        places: z.array(z.strictObject({ file: text, line: count, text })).optional(),
      }),
    ),
    baseline: z.array(z.strictObject({ name: text, status: text, reason: text, durationMs: z.number() })),
    retries: z.array(
      z.strictObject({ key: text, owner: text, title: text, detail: text, figures: figuresSchema, lines: texts }),
    ),
    receipts: z.array(receiptSchema),
    spend: z.strictObject({ byRole: spendRows, byWork: spendRows }),
    questions: z.array(
      z.strictObject({ key: text, askedAt: text, title: text, detail: text, answer: text.optional(), by: text }),
    ),
  }),
);

export const milestoneMorningSchema = describing<MorningReport & { readonly run: string }>()(
  z.strictObject({
    run: text,
    subject: z.strictObject({ id: text, title: text }),
    status: text,
    slices: z.array(
      z.strictObject({
        id: text,
        title: text,
        status: text,
        tasks: count,
        objections: count,
        fixed: count,
        kept: count,
        later: count,
        open: count,
      }),
    ),
    delivered: z.array(z.strictObject({ requirement: text, task: text, evidence: text, commit: text })),
    decisions: z.array(
      z.strictObject({ id: text, unit: text, choice: text, why: text, alternative: text, redo: text }),
    ),
    open: texts,
    usage: usageSchema,
    workedMs: z.number(),
    forecast: z.discriminatedUnion('status', [
      z.strictObject({ status: z.enum(['none', 'uncounted']) }),
      z.strictObject({ status: z.literal('made'), usd: span, minutes: span, tokens: span.optional() }),
    ]),
  }),
);
