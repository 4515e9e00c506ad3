/**
 * What a plan of a module may say: a planner's reply is untrusted, and what does not fit is named with its place and goes back
 * to the planner. Also the commands that judge every module. Pure.
 */
import { z } from 'zod';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import { coverageOf } from '../../../plan/coverage.ts';
import { resolveVerify } from '../../../plan/command-line.ts';
import { patternProblem } from '../../../plan/path-rules.ts';
import type { Issue } from '../../../plan/refusal.ts';

const line = z.string().max(2000);

/** Commands that judge every module, and where tests of each kind live. Part of the conventions. */
export const workflowCommandsSchema = z.object({
  lint: line.default(''),
  build: line.default(''),
  types: line.default(''),
  test: line.default(''),
  moduleTests: line.default('test/modules').describe('the folder of the module testers'),
  phaseTests: line.default('test/phases').describe('the folder of the integration tester'),
  e2eTests: line.default('e2e').describe('the folder of the acceptance tester'),
  commitFooter: z
    .string()
    .max(500)
    .default('')
    .describe(
      'one line that the PRD\'s own rules want below every commit message, such as "Refs: SHOP-12"; else empty',
    ),
});
export type WorkflowCommands = z.infer<typeof workflowCommandsSchema>;

/** What the module's tester may write, and nobody else. */
export function testerFiles({ moduleTests }: WorkflowCommands, module: string): readonly string[] {
  return [`${moduleTests}/${module}*`, `${moduleTests}/${module}*/**`];
}

/** The commands of the quality gate, in order. */
export function gateCommands({ lint, build, types }: WorkflowCommands): readonly string[] {
  return [lint, build, types].filter((command) => command !== '');
}

export function planFaults(
  module: string,
  plan: ModulePlan,
  about: {
    readonly others: ReadonlyMap<string, ModulePlan>;
    readonly commands: WorkflowCommands;
    /** Folders that belong to the engine: the plan directory, the design, the PRD. */
    readonly ours: readonly string[];
  },
): readonly Issue[] {
  const faults: Issue[] = [];
  const add = (where: string, problem: string, fix: string): void => void faults.push({ where, problem, fix });
  for (const [place, path] of plan.files.entries()) {
    const where = `${module} files[${place}]`;
    const wrong = patternProblem(path);
    if (wrong !== undefined) {
      add(where, wrong.problem, wrong.fix);
      continue;
    }
    if (about.ours.some((folder) => path === folder || path.startsWith(`${folder}/`)))
      add(where, `${path} belongs to the plan, the design or the PRD.`, 'Leave it out.');
    for (const folder of [about.commands.moduleTests, about.commands.phaseTests, about.commands.e2eTests])
      if (path === folder || path.startsWith(`${folder}/`))
        add(where, `${path} is in the testers' folder ${folder}.`, "Put the module's unit tests somewhere else.");
    for (const [other, { files }] of about.others)
      if (other !== module && !path.includes('*') && coverageOf(files).first(path) !== undefined)
        add(where, `${path} belongs to ${other}.`, 'Use its interface instead of changing its files.');
  }
  return faults;
}

export function commandFaults(commands: WorkflowCommands): readonly Issue[] {
  const named = (['lint', 'build', 'types', 'test'] as const).filter((name) => commands[name] !== '');
  const wrong = named.flatMap((name): Issue[] => {
    const resolved = resolveVerify(commands[name]);
    return 'problem' in resolved
      ? [{ where: `conventions.commands.${name}`, problem: resolved.problem, fix: resolved.fix }]
      : [];
  });
  const folders = (['moduleTests', 'phaseTests', 'e2eTests'] as const).flatMap((name): Issue[] => {
    const problem = patternProblem(commands[name]);
    return problem === undefined
      ? []
      : [{ where: `conventions.commands.${name}`, problem: problem.problem, fix: problem.fix }];
  });
  const footer: Issue[] = /^[^\p{Cc}\u2028\u2029]*$/u.test(commands.commitFooter)
    ? []
    : [{ where: 'conventions.commands.commitFooter', problem: 'It is not one line.', fix: 'Write one line of text.' }];
  return [...wrong, ...folders, ...footer];
}
