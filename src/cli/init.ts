/** `forge init`: says what was found and what was written. */
import { initProject } from '../api/init-project.ts';
import { openContext, perform } from '../api/operation.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: Call): Promise<number> {
  const made = await perform(initProject, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) {
    printJson(made);
    return 0;
  }
  const agents = made.agents.map(({ name, program }) => (name === program ? name : `${name} (${program})`));
  console.log(`Stack: ${made.stack.join(', ') || 'not recognised'}`);
  console.log(`Checks: ${made.checks.map((check) => check.run.join(' ')).join('; ') || 'none found'}`);
  console.log(`Agents: ${agents.join(', ') || 'none found on PATH that Forge knows; see forge doctor'}`);
  const [first] = made.agents;
  if (first !== undefined && made.written.includes('.forge/config.yaml')) {
    console.log(`${first.name} does the work; another comes first or under "roles" in .forge/config.yaml.`);
    if (!first.authenticated) console.log(`It has no key and no login yet: forge agents says what it looks for.`);
  }
  for (const path of made.written) console.log(`Wrote ${path}`);
  for (const path of made.kept) console.log(`Kept ${path} as it is`);
  console.log(
    agents.length > 0
      ? 'Look it over, commit it, try the agent (forge agents test), and then: forge run "<requirement>"'
      : 'Name an agent in .forge/config.yaml, and then: forge run "<requirement>"',
  );
  return 0;
}
