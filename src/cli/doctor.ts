/** `forge doctor`: what is there, what is missing, and how to get it. Changes nothing. */

import { openContext } from '../api/context.ts';
import { doctor } from '../api/doctor.ts';
import { performOperation } from '../api/operation.ts';
import { plainLines } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ switches }: CommandCall): Promise<number> {
  const findings = await performOperation(doctor, openContext({ cwd: process.cwd() }), {});
  const missing = findings.filter((finding) => !finding.ok && !finding.optional);
  if (switches.has('json')) printJson(findings);
  else {
    for (const { name, ok, optional, detail, hint } of findings) {
      const [first = '', ...more] = plainLines(detail);
      console.log(`${ok ? '✓' : optional ? '!' : '✗'} ${name}: ${first}`);
      for (const line of [...more, ...(ok || hint === '' ? [] : plainLines(hint))])
        console.log(`    ${line.trimStart()}`);
    }
    const isSetUp = !findings.some(({ name, ok }) => name === 'project' && !ok);
    const good = isSetUp ? 'Forge can work here.' : 'Forge can work here. Before the first run: forge init';
    console.log(missing.length === 0 ? good : `Missing: ${missing.map(({ name }) => name).join(', ')}.`);
  }
  return missing.length === 0 ? 0 : 5;
}
