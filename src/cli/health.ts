/** `forge health`: whether records, documents and pipelines of a project fit together. Changes nothing. */
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { projectHealth } from '../api/project-health.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const findings = await performOperation(projectHealth, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) printJson(findings);
  else {
    for (const { area, ok, detail, fix } of findings) {
      console.log(plainLine(`${ok ? '✓' : '✗'} ${area}: ${detail}`));
      if (fix !== '') console.log(`    ${plainLine(fix)}`);
    }
  }
  return findings.every(({ ok }) => ok) ? 0 : 1;
}
