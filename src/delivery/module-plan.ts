/** The plan of one module, as its planner gives it and as `plan-M-*.md` shows it. Untrusted until it fits. Pure. */
import { z } from 'zod';

const line = z.string().max(2000);

const planStepSchema = z.object({
  title: line,
  goal: line.default(''),
  files: z.array(z.string().max(500)).max(100).default([]).describe('paths this step creates or changes'),
  code: z.string().max(20_000).default('').describe('signatures or a sketch, if they matter'),
  verify: line.default('').describe('how to see that the step is done'),
  tests: z
    .array(z.object({ test: line, input: line.default(''), expected: line.default(''), reference: line.default('') }))
    .max(50)
    .default([]),
});

export const modulePlanSchema = z.object({
  steps: z.array(planStepSchema).min(1).max(60),
  files: z
    .array(z.string().max(500))
    .min(1)
    .max(200)
    .describe('every path or pattern the module owns, its unit tests included; no other module may change them'),
  integration: z
    .array(
      z.object({ direction: z.enum(['exposes', 'consumes']), module: line, interface: line, notes: line.default('') }),
    )
    .max(100)
    .default([]),
  wiring: z
    .array(z.object({ what: line, where: line, signal: line }))
    .min(1)
    .max(100)
    .describe('everything that has to be registered, mounted or exported, where, and how to see that it is'),
  deferred: z
    .array(z.object({ item: line, reason: line, issue: line.describe('owner/repo#123') }))
    .max(50)
    .default([]),
  criteria: z
    .array(
      z.object({
        criterion: line.describe('F-001/AC1'),
        touchpoints: line.default(''),
        step: line.default(''),
        test: line.default(''),
        assertion: line.describe('what exactly is asserted'),
      }),
    )
    .max(200)
    .default([]),
  decisions: z.array(line).max(30).default([]),
  risks: z.array(line).max(30).default([]),
});
export type ModulePlan = z.infer<typeof modulePlanSchema>;
