/** `evidence.measure`: what a task did to the tests, as a square. Nothing here decides; findings go to whoever reviews. */
import { measureTests } from '../checks/measure.ts';
import { measureSquare } from '../checks/square.ts';
import type { Performer } from '../engine/performer.ts';
import { checkEntriesOf, withCheckDeps } from './check-deps.ts';
import { baselineReport } from './check-run.ts';
import type { EffectDeps } from './deps.ts';

export function evidenceMeasure(deps: EffectDeps): Performer<'evidence.measure'> {
  return {
    async perform(request, context) {
      const { kind, base, commit, judge } = request;
      const entries = checkEntriesOf(deps.settings, request);
      const baseline = baselineReport(context.snapshot);
      const about = { run: context.run.id, name: context.key, base, commit, judge, entries };
      const tests = await measureTests(deps.repo, base, commit);
      const { redGreen, square } = await withCheckDeps(deps, context, (ready) =>
        measureSquare(
          ready,
          { ...about, kind, baseline, documents: context.snapshot.documents },
          tests,
          context.signal,
        ),
      );
      const vacuous = redGreen.flatMap(({ files, finding }) =>
        finding === undefined ? [] : files.map((path) => ({ path, line: 0, kind: finding.kind, claim: finding.claim })),
      );
      return {
        redGreen: redGreen.map(({ files, result, reason }) => ({ files: [...files], result, reason })),
        findings: [...tests.findings.map(withoutUndefined), ...vacuous],
        square,
      };
    },
  };
}

function withoutUndefined<T extends { test?: string | undefined }>({ test, ...finding }: T) {
  return test === undefined ? finding : { ...finding, test };
}
