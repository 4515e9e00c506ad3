/** `evidence.measure`: what a task did to the tests. Nothing here decides; findings go to whoever reviews. */
import { measureWeakened } from '../checks/measure.ts';
import { measureRedGreen } from '../checks/red-green.ts';
import type { Performer } from '../engine/performer.ts';
import { checkDeps, entriesOf } from './check-deps.ts';
import type { EffectDeps } from './deps.ts';

export function evidenceMeasure(deps: EffectDeps): Performer<'evidence.measure'> {
  return {
    async perform(request, context) {
      const { kind, base, commit, judge, source, entries } = request;
      const weakened = await measureWeakened(deps.repo, base, commit);
      const measured = await measureRedGreen(
        checkDeps(deps, context),
        {
          run: context.run.id,
          name: context.key,
          kind,
          base,
          commit,
          judge,
          entries: entriesOf(deps.settings, { source, entries }),
        },
        context.signal,
      );
      const vacuous = measured.flatMap(({ files, finding }) =>
        finding === undefined ? [] : files.map((path) => ({ path, line: 0, kind: finding.kind, claim: finding.claim })),
      );
      return {
        redGreen: measured.map(({ files, result, reason }) => ({ files: [...files], result, reason })),
        findings: [...weakened.map(withoutUndefined), ...vacuous],
      };
    },
  };
}

function withoutUndefined<T extends { test?: string | undefined }>({ test, ...finding }: T) {
  return test === undefined ? finding : { ...finding, test };
}
