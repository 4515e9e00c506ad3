/**
 * The checks of a run, found out on the base. The project's own come first, before a plan is paid for: they show whether
 * checks can start here at all, and what was red before counts against nobody. What an approved plan adds is run on the
 * base as well, by itself. A plan adds commands; the engine runs the project's own with every check.
 */
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput } from '../../engine/effect-map.ts';
import type { VerifyEntry } from '../../plan/plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import { describeGrant, grantQuestion } from '../../policy/machine-grant.ts';
import { runCheck } from './check-steps.ts';
import type { Checks } from './verify.ts';

export interface OwnChecks {
  /** What the project's own checks said about the base. */
  readonly report: CheckReport;
  readonly key: string;
}

/**
 * `checks` are those of the settings. Without any, the base itself says what its checks are. Where the jail hides what
 * they need, a person is asked whether to show it; a run that stops here goes on from here once the settings do.
 */
export async function readyChecks(bench: Bench, checks: readonly VerifyEntry[]): Promise<OwnChecks> {
  const key = 'baseline';
  const { base } = bench.run;
  const input: EffectInput<'check.run'> = {
    commit: base,
    judge: base,
    source: checks.length > 0 ? 'settings' : 'discovery',
    entries: [...checks],
  };
  const title = 'Checks on the base';
  let at = key;
  for (let round = 2; round <= mostOffers; round += 1) {
    const report = await runCheck(bench, at, { ...input, offer: true }, title);
    if (report.hidden === undefined || report.hidden.length === 0) return { report, key: at };
    const answer = await bench.ask(grantQuestion(at), describeGrant(report.hidden));
    at = `${key}#${round}`;
    if (answer.option === 'stop') break;
  }
  // Without an offer, what cannot start stops the run.
  return { report: await runCheck(bench, at, input, title), key: at };
}

const mostOffers = 4;

/** With what a plan adds, once it was approved. `part` names the plan where a run has several. */
export async function addPlanned(
  bench: Bench,
  own: OwnChecks,
  planned: readonly VerifyEntry[],
  part = 'plan',
): Promise<Checks> {
  const { base } = bench.run;
  if (planned.length > 0) {
    const asked = { commit: base, judge: base, source: 'plan', entries: [...planned], part: 'added' } as const;
    const title = "The plan's commands on the base";
    await runCheck(bench, `${own.key}/${part}`, { ...asked, entries: [...planned] }, title);
  }
  return { source: 'plan', entries: planned, baseline: own.key };
}
