/** `forge init`: says what was found, what was written, and what to do next. */

import { openContext } from '../api/context.ts';
import { type Initialised, initProject } from '../api/init-project.ts';
import { performOperation } from '../api/operation.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const made = await performOperation(initProject, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) printJson(made);
  else for (const line of linesOf(made)) console.log(line);
  return 0;
}

function linesOf(made: Initialised): readonly string[] {
  const config = '.forge/config.yaml';
  const found = made.agents.map(({ name, program }) => (name === program ? name : `${name} (${program})`));
  const { isNew } = made;
  const [first] = made.configured;
  const player = made.agents.find(({ name }) => name === first);
  return [
    `Stack: ${made.stack.join(', ') || 'not recognised'}`,
    `Checks: ${made.checks.map((check) => check.run.join(' ')).join('; ') || 'none found'}`,
    `Agents: ${found.join(', ') || 'none found on PATH that Forge knows'}`,
    ...made.written.filter((path) => path !== config || isNew).map((path) => `Wrote ${path}`),
    ...(made.added.length > 0 && !isNew ? [`Added ${made.added.join(', ')} to ${config}; the rest is unchanged`] : []),
    ...made.kept.map((path) => `Kept ${path} as it is`),
    ...(first === undefined ? [] : [`${first} does the work, unless you name another agent under "roles".`]),
    ...(player !== undefined && !player.authenticated
      ? [`${first} has no key and no login yet: forge agents shows what it looks for.`]
      : []),
    first === undefined
      ? 'Install an agent (forge doctor shows how), then run forge init again: it adds the agent.'
      : `Next: look at ${config}, commit it, try the agent (forge agents test ${first}), then: forge run "<requirement>"`,
  ];
}
