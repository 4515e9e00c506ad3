/** Validates a module for somebody who coordinates modules on their own, and counts the attempt. */
import { z } from 'zod';
import { checkReportSchema } from '../policy/check-report.ts';
import { attemptRecommendations } from '../policy/stagnation.ts';
import { stateId } from '../toolbox/stored-state.ts';
import { validateDirectory } from '../toolbox/validate-directory.ts';
import type { Operation } from './operation.ts';

const path = z.string().min(1).max(4096);

const input = z.strictObject({
  moduleId: stateId,
  runId: stateId.optional(),
  cwd: path.optional().describe('a directory of the project or of one of its workspaces; the project when left out'),
  commands: z.array(z.string().max(4000)).max(50).default([]),
  files: z.array(path).max(500).default([]).describe('files that should be there, relative to cwd'),
  contractChecks: z
    .array(z.strictObject({ exporter: path, importer: path }))
    .max(100)
    .default([]),
  acceptScripts: z
    .boolean()
    .default(false)
    .describe("use the directory's own scripts and runner configuration instead of those of its last commit"),
});

const passed = z.boolean();
const moduleResultSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('file_check'), file: z.string(), passed }),
  z.strictObject({ type: z.literal('syntax_check'), file: z.string(), passed, error: z.string().optional() }),
  z.strictObject({
    type: z.literal('contract_check'),
    exporter: z.string(),
    importer: z.string(),
    passed,
    exportedNames: z.array(z.string()),
    importedNames: z.array(z.string()),
    missing: z.array(z.string()).optional(),
    error: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('cwd_check'), passed: z.literal(false), cwd: z.string(), error: z.string() }),
  z.strictObject({
    type: z.literal('command'),
    command: z.string(),
    passed,
    output: z.string(),
    error: z.string().optional(),
  }),
]);

const output = z.strictObject({
  passed: z.boolean(),
  score: z.number(),
  attempt: z.number().int(),
  stagnant: z.boolean(),
  oscillating: z.boolean(),
  velocity: z.number().nullable(),
  recommendation: z.enum(attemptRecommendations),
  results: z.array(moduleResultSchema),
  /** What was looked at, and whose scripts judged; left out where there was nothing to look at. */
  commit: z.string().optional(),
  judge: z.string().optional(),
  checkChanged: checkReportSchema.shape.checkChanged.optional(),
  leftOut: z.array(z.string()).optional(),
});

export const validateModule: Operation<typeof input, typeof output> = {
  name: 'validate-module',
  kind: 'command',
  description:
    'Checks files, syntax and contracts between files, then runs the commands, and says whether another attempt is worth it: PASS, RETRY_WITH_DEBUGGER or ESCALATE. Everything is measured on a copy of what is in cwd now, in a jail, so nothing there is changed. Commands are argument lists without a shell. Package scripts and runner configuration count as they are in the last commit, unless acceptScripts is set. Counts one attempt at the module.',
  input,
  output,
  tool: { name: 'validate', title: 'Validate a module' },
  run: async (context, request) => validateDirectory(await context.forge(), context, request),
};
