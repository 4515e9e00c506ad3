/**
 * `check.run`: the engine's own verification. Running it again after a crash is harmless: every run makes
 * its own checkout. The baseline itself is special: checks that can not start there stop the run before any agent
 * is paid.
 */
import { runBaseline } from '../checks/baseline.ts';
import { runChecks } from '../checks/run-checks.ts';
import type { EffectContext, Performer } from '../engine/performer.ts';
import { type CheckReport, checkReportSchema } from '../policy/check-report.ts';
import { checkDeps, entriesOf } from './check-deps.ts';
import type { EffectDeps } from './deps.ts';

export function checkRun(deps: EffectDeps): Performer<'check.run'> {
  return {
    async perform(request, context) {
      const { commit, judge } = request;
      const common = {
        run: context.run.id,
        name: context.key,
        commit,
        entries: entriesOf(request.source, request.entries),
      };
      const isBaseline = request.baseline === undefined && commit === context.run.base && judge === commit;
      const ready = checkDeps(deps, context);
      if (isBaseline) return runBaseline(ready, common, context.signal);
      return runChecks(
        ready,
        { ...common, judge, baseline: baselineReport(request.baseline, context) },
        context.signal,
      );
    },
  };
}

function baselineReport(key: string | undefined, { state }: EffectContext): CheckReport | undefined {
  const output = key === undefined ? undefined : state.effects.get(key)?.result?.output;
  return output === undefined ? undefined : checkReportSchema.parse(output);
}
