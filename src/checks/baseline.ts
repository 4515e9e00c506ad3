/**
 * The checks on the base, before any agent is paid. What cannot even start there would fail every task for a reason
 * no agent can fix, so that stops the run and names what is missing. Where the person's own shell would find it, because
 * a version manager keeps it in their home, the report says what would have to be shown. What is red already is no
 * obstacle: the report is handed on, and later only new failures count.
 */
import { ForgeError } from '../errors.ts';
import type { CheckReport, HiddenProgram } from '../policy/check-report.ts';
import { toolchainSetting } from '../policy/toolchain.ts';
import type { CheckDeps } from './check.ts';
import { findHidden } from './hidden-program.ts';
import { checkCommit, type CheckRequest } from './run-checks.ts';

export interface BaselineRequest extends Pick<CheckRequest, 'run' | 'name' | 'commit' | 'entries'> {
  /** Give back what is hidden, for a question, instead of failing. */
  readonly offer?: boolean | undefined;
}

export async function runBaseline(
  deps: CheckDeps,
  { offer = false, ...request }: BaselineRequest,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { report, measured } = await checkCommit(deps, { ...request, judge: request.commit }, signal);
  const missing = measured.flatMap(({ first }, place) =>
    first.missing === undefined ? [] : [{ program: first.missing, label: report.commands[place]?.label ?? '' }],
  );
  const [first] = missing;
  if (first === undefined) return report;
  const hidden = missing.map(({ program }) => findHidden(program));
  const found = hidden.filter((each) => each !== undefined);
  if (offer && found.length === missing.length) return { ...report, hidden: unique(found) };
  throw new ForgeError(
    'checks-cannot-start',
    `the check "${first.label}" cannot start: ${first.program} is not there`,
    {
      hint: hidden[0] === undefined ? installHint(first.program) : showHint(found),
    },
  );
}

function unique(found: readonly HiddenProgram[]): HiddenProgram[] {
  return [...new Map(found.map((each) => [each.program, each])).values()];
}

function installHint(program: string): string {
  return `Install ${program}, or name a setup command (such as "npm ci") in the settings that provides it.`;
}

function showHint(found: readonly HiddenProgram[]): string {
  const [first] = found;
  return `Your shell finds it at ${first?.at}, which the jail does not show. Add this to .forge/config.yaml:\n${toolchainSetting(found)}`;
}
