/**
 * Says whether a plan could be run, before anybody works on it: given as it is, by a file of the project, or the newest
 * in `.forge/plans`. What is wrong with a plan is an answer, never a failure.
 */
import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { type PlanFault, validateModulePlan } from '../plan/module-plan.ts';
import { findProgram } from '../process/bubblewrap.ts';
import { existingPath } from '../toolbox/confine-path.ts';
import type { JsonOf, Operation } from './operation.ts';

const input = z.strictObject({
  /** A JSON file of the project; the newest of `.forge/plans` when nothing is named. */
  planPath: z.string().min(1).max(4096).optional(),
  /** The plan itself, instead of a file. */
  plan: z.union([z.record(z.string(), z.unknown()), z.string().max(4 * 1024 * 1024)]).optional(),
});

const output = z.strictObject({
  valid: z.boolean(),
  errors: z.array(z.strictObject({ type: z.enum(['schema', 'cycle', 'missing_command']), message: z.string() })),
  warnings: z.array(
    z.strictObject({
      type: z.enum(['file_overlap', 'incomplete']),
      modules: z.array(z.string()),
      files: z.array(z.string()),
      message: z.string(),
    }),
  ),
});
type PlanReport = JsonOf<typeof output>;

const mostBytes = 4 * 1024 * 1024;

export const validatePlan: Operation<typeof input, typeof output> = {
  name: 'validate-plan',
  kind: 'query',
  description:
    'Says whether a plan of modules can be run: required fields, dependency cycles, unknown dependencies, paths, commands that need a shell or are not installed. Warns of files that two modules without an order between them both change. Reads planPath, the plan itself, or the newest file in .forge/plans.',
  input,
  output,
  tool: { name: 'validate_plan', title: 'Validate a plan' },
  async run(context, { planPath, plan }) {
    if (plan !== undefined) return typeof plan === 'string' ? judgeText(plan) : judge(plan);
    const { repo } = await context.forge();
    const named = planPath ?? (await newestPlan(repo.root));
    if (named === undefined) return faulty('No plan files found');
    const file = await existingPath(repo.root, named, 'planPath');
    const text = file === undefined ? undefined : await readPlan(file);
    return text === undefined ? faulty(`Plan file not found: ${named}`) : judgeText(text);
  },
};

async function newestPlan(root: string): Promise<string | undefined> {
  const directory = await existingPath(root, '.forge/plans', 'planPath');
  const names = directory === undefined ? [] : await readdir(directory).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => ({ name, at: (await stat(join(directory ?? '', name)).catch(() => undefined))?.mtimeMs })),
  );
  const newest = found.sort((a, b) => (b.at ?? 0) - (a.at ?? 0))[0];
  return newest === undefined ? undefined : join('.forge', 'plans', newest.name);
}

async function readPlan(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= mostBytes ? await handle.readFile('utf8') : undefined;
  } finally {
    await handle.close();
  }
}

function judgeText(text: string): PlanReport {
  try {
    return judge(JSON.parse(text));
  } catch (error) {
    return faulty(`Invalid JSON: ${messageOf(error)}`);
  }
}

function judge(plan: unknown): PlanReport {
  const { errors, warnings, programs } = validateModulePlan(plan);
  const missing = programs
    .filter(({ program }) => findProgram(program) === undefined)
    .map(
      ({ program, module }): PlanFault => ({
        type: 'missing_command',
        message: `Command '${program}' not found on PATH (used in ${module} verify)`,
      }),
    );
  const all = [...errors, ...missing];
  return { valid: all.length === 0, errors: all, warnings };
}

function faulty(message: string): PlanReport {
  return { valid: false, errors: [{ type: 'schema', message }], warnings: [] };
}
