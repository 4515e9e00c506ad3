/**
 * The checks on the base, before any agent is paid. What can not even start there would fail every task for a reason
 * no agent can mend, so that stops the run and names what is missing. What is red already is no obstacle: the report
 * is handed on, and later only new failures count.
 */
import { ForgeError } from '../errors.ts';
import type { CheckReport } from '../policy/check-report.ts';
import type { CheckDeps } from './check.ts';
import { checkCommit, type CheckRequest } from './run-checks.ts';

export type BaselineRequest = Pick<CheckRequest, 'run' | 'name' | 'commit' | 'entries'>;

export async function runBaseline(
  deps: CheckDeps,
  request: BaselineRequest,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { report, measured } = await checkCommit(deps, { ...request, judge: request.commit }, signal);
  for (const [place, { first }] of measured.entries()) {
    if (first.missing === undefined) continue;
    const label = report.commands[place]?.label ?? '';
    throw new ForgeError('checks-cannot-start', `the check "${label}" can not start: ${first.missing} is not there`, {
      hint: `Install ${first.missing}, or name a setup command (such as "npm ci") in the settings that provides it.`,
    });
  }
  return report;
}
