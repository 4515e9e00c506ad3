/**
 * What the engine learned by running checks on one commit. The exit code decides together with the failed tests that a
 * reader found in the output. Missing evidence is `unverified`, never `passed`.
 */
import { z } from 'zod';

export const checkStatuses = ['passed', 'failed', 'flaky', 'unverified'] as const;

export const testCountsSchema = z.strictObject({
  passed: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
  /** Names of failing tests, stable across runs, sorted, without duplicates. */
  failing: z.array(z.string()),
  /** Names of tests that passed and name a requirement, where the runner lists what passed; the others are only counted. */
  passing: z.array(z.string()).optional(),
});
export type TestCounts = z.infer<typeof testCountsSchema>;

export const checkOrigins = ['settings', 'discovery', 'plan'] as const;
export type CheckOrigin = (typeof checkOrigins)[number];

export const commandResultSchema = z.strictObject({
  /** The command as argv, and the line a person would read. */
  argv: z.array(z.string()),
  label: z.string(),
  cwd: z.string(),
  exit: z.number().int().nullable(),
  status: z.enum(checkStatuses),
  /** One sentence: why this status, e.g. "exit 1, 2 of 8 tests fail", "timed out after 120 s". */
  reason: z.string(),
  durationMs: z.number().nonnegative(),
  counts: testCountsSchema.optional(),
  reader: z.string().optional(),
  /** Failing names that did not fail on the base. Equals `counts.failing` when the base was green. */
  newFailures: z.array(z.string()).default([]),
  output: z.string(),
  cached: z.boolean().default(false),
  /** Files of the commit that it wrote while it ran; on another commit than the base, only those that it did not write there. */
  rewrote: z.array(z.string()).optional(),
  /** Who named the command; reports of older runs do not say. */
  origin: z.enum(checkOrigins).optional(),
});
export type CommandResult = z.infer<typeof commandResultSchema>;

/** Where the project's own commands come from; `plan` where it has none and only the plan's were run. */
export const checkSources = [...checkOrigins, 'none'] as const;

/** A program that a person can run here and a contained check cannot see. */
const hiddenProgramSchema = z.strictObject({
  program: z.string(),
  /** Where it was found. */
  at: z.string(),
  /** Who put it there, such as a version manager. */
  manager: z.string(),
  /** What would have to be shown. */
  readable: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});
export type HiddenProgram = z.infer<typeof hiddenProgramSchema>;

export const checkReportSchema = z.strictObject({
  commit: z.string(),
  tree: z.string(),
  /** The commit whose runner configuration and scripts judged. */
  judge: z.string(),
  source: z.enum(checkSources),
  status: z.enum(checkStatuses),
  commands: z.array(commandResultSchema),
  /** Judge files that the commit changes: for a person to look at. */
  checkChanged: z.array(
    z.strictObject({
      path: z.string(),
      what: z.string(),
      /** It changes which packages are installed; without it, scripts or configuration of checks. */
      kind: z.literal('dependencies').optional(),
    }),
  ),
  /** Why checks could not start, where showing more of the machine would help. Only on the base, and only if asked for. */
  hidden: z.array(hiddenProgramSchema).optional(),
});
export type CheckReport = z.infer<typeof checkReportSchema>;
