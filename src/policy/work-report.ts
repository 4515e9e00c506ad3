/**
 * What a step or a task reports in a form that every summary and report understands, whatever workflow it belongs to.
 * The workflow fills it in when the work ends; nobody works it out a second time. A step or task that reports findings
 * speaks for everything inside it. Of several rounds at the same thing the newest counts: a finding that an earlier
 * round reported and the newest does not is fixed.
 */
import { z } from 'zod';
import { findingSeverities } from './review-finding.ts';

export const workFindingSchema = z.strictObject({
  /** Who found it, in words: `review`, `final review`, `test`, `evidence`. */
  source: z.string(),
  /** `must-fix` stands in the way of the result, `advisory` does not. */
  state: z.enum(['must-fix', 'advisory']),
  severity: z.enum(findingSeverities),
  category: z.string().default(''),
  /** Relative to the repository; empty when it is about no file. */
  file: z.string().default(''),
  /** 0 when it is about the whole file. */
  line: z.number().int().nonnegative().default(0),
  /** The field, function or variable it is about. */
  element: z.string().default(''),
  claim: z.string(),
  evidence: z.string().default(''),
  suggestion: z.string().default(''),
  /** Which readers saw it, where several looked. */
  seenBy: z.array(z.string()).default([]),
});
export type WorkFinding = z.infer<typeof workFindingSchema>;

/** One requirement, and what was seen of it when the tests that name it ran. */
export const coveredRequirementSchema = z.strictObject({
  id: z.string(),
  text: z.string().default(''),
  status: z.enum(['passed', 'failed', 'not-covered']),
  /** The tests that prove it, or should. */
  tests: z.array(z.string()).default([]),
  /** Why it is not proven; empty when it is. */
  reason: z.string().default(''),
});
export type CoveredRequirement = z.infer<typeof coveredRequirementSchema>;

export const workReportSchema = z.strictObject({
  findings: z.array(workFindingSchema).optional(),
  /** New or changed test files, by how they did without the change they are for. */
  redGreen: z
    .strictObject({ red: z.number(), absent: z.number(), green: z.number(), notMeasured: z.number() })
    .optional(),
  /** What nobody could verify, one sentence each. */
  unverified: z.array(z.string()).optional(),
  /** Every requirement that the result has to meet, where the workflow knows them one by one. */
  coverage: z.array(coveredRequirementSchema).optional(),
  /** Remarks about the work that are not findings. */
  notes: z.array(z.string()).optional(),
  lessons: z
    .strictObject({
      /** How many were saved. */
      added: z.number().int().default(0),
      /** Lessons of earlier runs that were used. */
      applied: z.array(z.string()).default([]),
      learned: z.array(z.strictObject({ category: z.string(), text: z.string() })).default([]),
    })
    .optional(),
});
export type WorkReport = z.infer<typeof workReportSchema>;
