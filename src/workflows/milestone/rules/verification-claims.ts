/**
 * What a worker says it ran, beside what the engine ran on the same commit. A claim of success about a command that the
 * engine saw fail is named; so is a claim about a command that nobody else ran. Nothing passes because of a claim. Pure.
 */
import type { CheckReport } from '../../../policy/check-report.ts';

export interface VerificationClaim {
  readonly command: string;
  readonly exitCode: number;
}

export interface AuditedClaims {
  /** What the engine saw differently. */
  readonly wrong: readonly string[];
  /** What the engine did not run: nobody but the worker says so. */
  readonly unconfirmed: readonly string[];
}

export function auditClaims(claims: readonly VerificationClaim[], report: CheckReport): AuditedClaims {
  const wrong: string[] = [];
  const unconfirmed: string[] = [];
  for (const { command, exitCode } of claims) {
    const ran = report.commands.find(({ label }) => sameCommand(label, command));
    const said = `It says \`${command}\` ${exitCode === 0 ? 'passed' : `failed (${exitCode})`}.`;
    const isGreen = ran?.status === 'passed' || ran?.status === 'flaky';
    if (ran === undefined) unconfirmed.push(`${said} Forge did not run it.`);
    else if (isGreen !== (exitCode === 0)) wrong.push(`${said} Forge ran it: ${ran.status}.`);
  }
  return { wrong, unconfirmed };
}

function sameCommand(a: string, b: string): boolean {
  const plain = (text: string): string =>
    text
      .replaceAll(/\s+/g, ' ')
      .replace(/^npm run /, 'npm ')
      .trim();
  return plain(a) === plain(b);
}
