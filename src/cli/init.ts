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
  const configured = made.agents.filter((agent) => agent.configured).map((agent) => agent.name);
  const others = made.agents.filter((agent) => !agent.configured).map((agent) => agent.name);
  console.log(`Stack: ${made.stack.join(', ') || 'not recognised'}`);
  console.log(`Checks: ${made.checks.map((check) => check.run.join(' ')).join('; ') || 'none found'}`);
  console.log(`Agents: ${configured.join(', ') || 'none found that can be configured'}`);
  if (others.length > 0) console.log(`  installed but not configured: ${others.join(', ')}`);
  for (const path of made.written) console.log(`Wrote ${path}`);
  for (const path of made.kept) console.log(`Kept ${path} as it is`);
  console.log(
    configured.length > 0
      ? 'Look it over, commit it, and then: forge run "<requirement>"'
      : 'Name an agent in .forge/config.yaml, and then: forge run "<requirement>"',
  );
  return 0;
}
