/**
 * One schema per kind of record. A field that is not named here is refused: a record is a contract between people,
 * agents and the engine, and a misspelt field would otherwise be a silent loss. Pure.
 */
import { z } from 'zod';
import type { EntityName } from './entity.ts';

export const taskStates = [
  'draft',
  'planned',
  'plan-approved',
  'implementing',
  'implemented',
  'review-approved',
  'approved',
  'committed',
  'plan-revision-required',
  'code-revision-required',
  'blocked',
  'escalated',
  'abandoned',
] as const;
export const sprintStates = [
  'planning',
  'active',
  'completed',
  'retrospective-done',
  'blocked',
  'partially-completed',
  'abandoned',
] as const;
export const bugStates = ['reported', 'triaged', 'in-progress', 'fixed', 'abandoned'] as const;
export const featureStates = ['draft', 'active', 'shipped', 'retired'] as const;

/** Phases that leave a summary in a record, by the key it has there. */
export const summaryPhases = [
  'plan',
  'review_plan',
  'implementation',
  'code_review',
  'validation',
  'triage',
  'approve',
] as const;

export const recordVerdicts = ['approved', 'revision', 'n/a'] as const;

export const eventTypes = [
  'friction',
  'task-planned',
  'plan-complete',
  'plan-approved',
  'task-implemented',
  'review-passed',
  'review-failed',
  'task-approved',
  'task-validated',
  'task-committed',
  'sprint-start',
  'sprint-complete',
  'sprint-halted',
  'task-dispatch',
  'bug-triaged',
  'fix-planned',
  'fix-review-passed',
  'fix-review-failed',
  'fix-implemented',
  'fix-code-review-passed',
  'fix-code-review-failed',
  'fix-approved',
  'fix-revision-requested',
  'bug-committed',
  'bug-commit-failed',
  'bug-skipped',
  'skill_usage',
] as const;

export const frictionKinds = [
  'skill_unused',
  'skill_failed',
  'skill_missing',
  'skill_stale',
  'skill_redundant',
] as const;

const id = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'may hold letters, digits, _ and - only');
const text = z.string().min(1);
const time = z.iso.datetime({ offset: true });
const count = z.number().int().min(0);
const ids = z.array(id);

export const phaseSummarySchema = z.strictObject({
  objective: z.string().max(280),
  key_changes: z.array(z.string().max(200)).max(12).optional(),
  findings: z.array(z.string().max(200)).max(12).optional(),
  verdict: z.enum(recordVerdicts).optional(),
  /** Stamped by the store. */
  written_at: time,
  artifact_ref: z.string().optional(),
  files_changed: z.array(z.string()).optional(),
  /** Of a bug's triage: A goes straight to the fix, B plans first. */
  route: z.enum(['A', 'B']).optional(),
});

/** `ownPhases`: keys of phases that the project's own pipelines add. */
function summariesSchema(ownPhases: readonly string[]) {
  const keys = [...summaryPhases, ...ownPhases];
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, phaseSummarySchema.optional()]))).optional();
}

function taskSchema(ownPhases: readonly string[]) {
  return z.strictObject({
    taskId: id,
    sprintId: id,
    title: text,
    status: z.enum(taskStates),
    path: text,
    description: z.string().optional(),
    estimate: z.enum(['S', 'M', 'L', 'XL']).optional(),
    dependencies: ids.optional(),
    pipeline: z.string().optional(),
    feature_id: id.nullable().optional(),
    assignedModel: z.string().optional(),
    summaries: summariesSchema(ownPhases),
    locator: z.unknown().optional(),
    knowledgeUpdates: z.array(z.unknown()).optional(),
    planIterations: count.optional(),
    codeReviewIterations: count.optional(),
  });
}

function bugSchema(ownPhases: readonly string[]) {
  return z.strictObject({
    bugId: id,
    title: text,
    severity: z.enum(['critical', 'major', 'minor']),
    status: z.enum(bugStates),
    path: text,
    reportedAt: time,
    description: z.string().optional(),
    rootCauseCategory: z
      .enum([
        'validation',
        'auth',
        'business-rule',
        'data-integrity',
        'race-condition',
        'integration',
        'configuration',
        'regression',
      ])
      .optional(),
    similarBugs: ids.optional(),
    checklistItemAdded: z.boolean().optional(),
    businessRuleUpdated: z.boolean().optional(),
    githubIssue: z.url().optional(),
    resolvedAt: time.optional(),
    feature_id: id.nullable().optional(),
    summaries: summariesSchema(ownPhases),
  });
}

const sprintSchema = z.strictObject({
  sprintId: id,
  title: text,
  status: z.enum(sprintStates),
  taskIds: ids,
  createdAt: time,
  goal: z.string().optional(),
  description: z.string().optional(),
  path: z.string().optional(),
  executionMode: z.enum(['sequential', 'wave-parallel', 'full-parallel']).optional(),
  dependencies: z.record(id, ids).optional(),
  completedAt: time.optional(),
  features: ids.optional(),
  feature_id: id.nullable().optional(),
  humanEstimates: z.record(z.string(), z.unknown()).optional(),
});

const featureSchema = z.strictObject({
  id,
  title: text,
  status: z.enum(featureStates),
  created_at: time,
  updated_at: time.optional(),
  description: z.string().optional(),
  requirements: z.array(z.string()).optional(),
  sprints: ids.optional(),
  tasks: ids.optional(),
});

/** What a phase used. An agent may leave these beside an event; the engine merges them. */
const usage = {
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  cacheReadTokens: count.optional(),
  cacheWriteTokens: count.optional(),
  contextTokens: count.optional(),
  estimatedCostUSD: z.number().min(0).optional(),
  tokenSource: z.enum(['reported', 'estimated']).optional(),
};

const eventSchema = z
  .strictObject({
    eventId: id,
    sprintId: id,
    role: text,
    action: text,
    startTimestamp: time,
    endTimestamp: time,
    durationMinutes: z.number().min(0),
    model: text,
    provider: text,
    taskId: id.optional(),
    bugId: id.optional(),
    phase: z.string().optional(),
    iteration: z.number().int().min(1).optional(),
    verdict: z.string().optional(),
    notes: z.string().optional(),
    ...usage,
    type: z.enum(eventTypes).optional(),
    workflow: text.optional(),
    persona: text.optional(),
    skill: text.optional(),
    issue: text.optional(),
    subkind: z.union([z.enum(frictionKinds), z.string().regex(/^x_[a-z_]+$/)]).optional(),
    evidence: z.record(z.string(), z.unknown()).optional(),
    resolution: z
      .strictObject({
        status: z.enum(['open', 'resolved', 'wontfix', 'deferred']),
        proposalRef: z.string().optional(),
        bugRef: z.string().optional(),
        resolvedAt: time.optional(),
        resolvedBy: z.string().optional(),
      })
      .optional(),
  })
  .superRefine((event, context) => {
    if (event.type !== 'friction') return;
    for (const field of ['workflow', 'persona', 'issue'] as const) {
      if (event[field] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'a friction event has to name it' });
    }
  });

export const sidecarSchema = z.strictObject({
  eventId: id,
  ...usage,
  model: z.string().max(120).optional(),
  provider: z.string().max(60).optional(),
  durationMinutes: z.number().min(0).optional(),
  startTimestamp: time.optional(),
  endTimestamp: time.optional(),
});

export const progressEntrySchema = z.strictObject({
  agentName: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9:_.-]{0,199}$/,
      'may hold letters, digits, : _ . and -, and starts with one of the first two',
    ),
  bannerKey: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'may hold letters, digits, _ and - only'),
  status: z.enum(['start', 'progress', 'done', 'error']),
  detail: z.string(),
});

/** The schema of a kind; `ownPhases` are summary keys that the project's own pipelines add. */
export function recordSchema(entity: EntityName, ownPhases: readonly string[] = []): z.ZodType {
  if (entity === 'task') return taskSchema(ownPhases);
  if (entity === 'bug') return bugSchema(ownPhases);
  return { sprint: sprintSchema, feature: featureSchema, event: eventSchema }[entity];
}
