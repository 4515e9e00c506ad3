/**
 * The last check: everything that judges, on exactly the commit that is published. Results are remembered by tree, so
 * it costs nothing where the last merge was checked with the same commands. Tests that a person let go with a merge do
 * not stop it; any other lack of evidence does.
 */
import type { Bench } from '../../engine/bench.ts';
import { runCheck } from './check-steps.ts';
import { type Checks, describeChecks, isAcceptable } from './verify.ts';

/** Why the commit can not be called done; undefined where it can. */
export async function confirmResult(
  bench: Bench,
  { commit, judge, checks }: { readonly commit: string; readonly judge: string; readonly checks: Checks },
): Promise<string | undefined> {
  const { source, entries, baseline } = checks;
  const asked = { commit, judge, source, entries: [...entries], ...(baseline === undefined ? {} : { baseline }) };
  const report = await runCheck(bench, 'final/check', asked, 'Checks on the result');
  return isAcceptable(report) ? undefined : `the result was not confirmed: ${describeChecks(report)}`;
}
