/** `forge doctor`: what is there, what is missing, and how to get it. Changes nothing. */
import { doctor } from '../api/doctor.ts';
import { openContext, perform } from '../api/operation.ts';
import type { Call } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: Call): Promise<number> {
  const findings = await perform(doctor, openContext({ cwd: process.cwd() }), {});
  if (switches.has('json')) printJson(findings);
  else
    for (const { name, ok, detail, hint } of findings)
      console.log(`${ok ? '✓' : '✗'} ${name}: ${detail}${ok || hint === '' ? '' : `\n    ${hint}`}`);
  return findings.every((finding) => finding.ok || finding.optional) ? 0 : 5;
}
