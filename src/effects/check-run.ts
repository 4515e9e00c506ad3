/**
 * `check.run`: the engine's own verification. Running it again after a crash is harmless: every run makes
 * its own checkout. The baseline itself is special: checks that cannot start there stop the run before any agent
 * is paid.
 */
import { runBaseline } from '../checks/baseline.ts';
import type { CheckDeps } from '../checks/check.ts';
import { runChecks } from '../checks/run-checks.ts';
import { runTogether } from '../checks/run-together.ts';
import type { Performer } from '../engine/performer.ts';
import type { RunSnapshot } from '../engine/run-snapshot.ts';
import type { CheckReport, CommandResult } from '../policy/check-report.ts';
import { checkEntriesOf, withCheckDeps } from './check-deps.ts';
import type { EffectDeps } from './deps.ts';

export function checkRun(deps: EffectDeps): Performer<'check.run'> {
  return {
    async perform(request, context) {
      const { commit, judge } = request;
      const common = {
        run: context.run.id,
        name: context.key,
        commit,
        entries: checkEntriesOf(deps.settings, request),
      };
      const isBaseline = request.baseline === undefined && commit === context.run.base && judge === commit;
      const work = (ready: CheckDeps) =>
        isBaseline
          ? runBaseline(ready, { ...common, offer: request.offer }, context.signal)
          : runChecks(ready, { ...common, judge, baseline: baselineReport(context.snapshot) }, context.signal);
      const [report] = await runTogether([() => withCheckDeps(deps, context, work)]);
      return report;
    },
  };
}

/**
 * What was found on the base: the project's own checks, and below their key what the plan added. A command that is red
 * there without naming its failures cannot tell old from new: it excuses nothing.
 */
export function baselineReport({ baseline: found }: Pick<RunSnapshot, 'baseline'>): CheckReport | undefined {
  const [own] = found;
  if (own === undefined) return undefined;
  const telling = found.flatMap(({ commands }) => commands).filter((command) => isTelling(command));
  return { ...own, commands: telling };
}

function isTelling({ status, counts }: CommandResult): boolean {
  return status !== 'failed' || counts !== undefined;
}
