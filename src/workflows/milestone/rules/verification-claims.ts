/**
 * What a worker says it ran, beside what the engine ran on the same commit. A claim of success about a command that the
 * engine saw fail is named; so is a claim about a command that nobody else ran. Nothing passes because of a claim. Pure.
 */
import type { CheckReport } from '../../../policy/check-report.ts';

export interface VerificationClaim {
  readonly command: string;
  readonly exitCode: number;
}

export function auditClaims(claims: readonly VerificationClaim[], report: CheckReport): readonly string[] {
  return claims.flatMap(({ command, exitCode }) => {
    const ran = report.commands.find(({ label }) => sameCommand(label, command));
    if (ran === undefined) return [];
    const isGreen = ran.status === 'passed' || ran.status === 'flaky';
    if (exitCode === 0 && !isGreen) return [`It says \`${command}\` passed. Forge ran it: ${ran.status}.`];
    return exitCode !== 0 && isGreen
      ? [`It says \`${command}\` failed (${exitCode}). Forge ran it: ${ran.status}.`]
      : [];
  });
}

function sameCommand(a: string, b: string): boolean {
  const plain = (text: string): string =>
    text
      .replaceAll(/\s+/g, ' ')
      .replace(/^npm run /, 'npm ')
      .trim();
  return plain(a) === plain(b);
}
