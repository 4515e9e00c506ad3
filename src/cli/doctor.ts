/** `forge doctor`: what is there, what is missing, and how to get it. Changes nothing. */
import { ForgeError } from '../errors.ts';
import { examine } from '../compose.ts';

export async function run(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== '--json');
  if (unknown !== undefined) {
    throw new ForgeError('bad-input', `doctor does not know ${JSON.stringify(unknown)}`, {
      hint: 'It takes --json only.',
    });
  }
  const findings = await examine(process.cwd());
  if (args.includes('--json')) console.log(JSON.stringify(findings));
  else
    for (const { name, ok, detail, hint } of findings)
      console.log(`${ok ? '✓' : '✗'} ${name}: ${detail}${ok || hint === '' ? '' : `\n    ${hint}`}`);
  return findings.every((finding) => finding.ok || finding.optional) ? 0 : 5;
}
