/** `forge check-plan`: what is wrong with a plan directory and the source it leads to. */
import { writeFileSync } from 'node:fs';
import { checkPlanDirectory, type PlanChecked } from '../api/check-plan.ts';
import { openContext } from '../api/context.ts';
import { performOperation } from '../api/operation.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { plainLine } from '../views/terminal-text.ts';
import type { CommandCall } from './commands.ts';
import { printJson } from './print.ts';

export async function run({ words: [planDir], values, switches }: CommandCall): Promise<number> {
  const { gate, sarif } = values;
  const sourceRoot = values['source-root'];
  const checked = await performOperation(checkPlanDirectory, openContext({ cwd: process.cwd() }), {
    ...(planDir === undefined ? {} : { planDir }),
    ...(sourceRoot === undefined ? {} : { sourceRoot }),
    ...(gate === undefined ? {} : { gate }),
  });
  const { sarif: log, ...data } = checked;
  if (sarif === '-') process.stdout.write(log);
  else if (sarif !== undefined) write(sarif, log);
  if (switches.has('json')) printJson(data);
  else if (sarif !== '-') for (const line of linesOf(checked, [planDir, sourceRoot])) console.log(line);
  return checked.ok ? 0 : 1;
}

function linesOf({ issues, worst, gate, ok, unread }: PlanChecked, asked: readonly (string | undefined)[]): string[] {
  const scope = asked
    .filter((each) => each !== undefined)
    .map(plainLine)
    .join(', ');
  const findings = issues.flatMap(({ criterion_id, file, severity, description, suggested_fix }) => [
    `${plainLine(file)}: ${severity} ${criterion_id}: ${plainLine(description)}`,
    `    ${plainLine(suggested_fix)}`,
  ]);
  return [
    ...findings,
    ...unread.map(({ file, why }) => `note: ${plainLine(file)} ${plainLine(why)}, so it was not checked`),
    issues.length === 0
      ? `PASS 0 issues found ${scope}`
      : `FOUND ${issues.length} issue(s) ${scope} (worst severity: ${worst ?? 'info'})`,
    ...(gate === undefined ? [] : [`${gate.toUpperCase()} GATE ${ok ? 'PASSED' : 'FAILED'}`]),
  ];
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new ForgeError('bad-input', `${file} cannot be written: ${messageOf(error)}`, {
      hint: 'Name a file in a directory that exists, or - for standard output.',
      cause: error,
    });
  }
}
