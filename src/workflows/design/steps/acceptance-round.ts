/**
 * One round of the acceptance: a developer fixes what is open, then the acceptance tester writes and runs end-to-end tests.
 * The tester changes only end-to-end tests, the developer no tests at all.
 */
import type { Bench } from '../../../engine/bench.ts';
import { type Task, taskSchema } from '../../../plan/plan.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import type { WorkDone } from '../../moves/build-until-passed.ts';
import type { BrokenRound, RedRound, RoundStart } from '../../moves/repeat-until-passed.ts';
import { acceptanceBrief, acceptanceFixBrief } from '../briefs/whole-briefs.ts';
import type { DesignContext } from '../context.ts';
import { recordDelivery } from '../keep-delivery.ts';
import { askDesignRole } from '../roles.ts';
import type { OpenFailure } from './classify-failures.ts';
import { confineFix } from './confine-fix.ts';
import type { JudgedAcceptance } from './judge-acceptance.ts';
import type { Excuses } from './measure-coverage.ts';

export interface AcceptanceStanding {
  readonly commit: string;
  readonly failures: readonly OpenFailure[];
  readonly open: readonly string[];
  readonly output: string;
  readonly isNewApproach: boolean;
  readonly guidance: string;
  readonly excused: Excuses;
  readonly threshold: number;
  /** The latest verdict, with what it was made of. */
  readonly judged: JudgedAcceptance | undefined;
}

export interface AcceptanceWorked extends WorkDone {
  readonly standing: AcceptanceStanding;
}

export interface AcceptancePlace {
  readonly key: string;
  readonly context: DesignContext;
}

export const acceptanceTask: Task = taskSchema.parse({
  id: 'accept',
  title: 'test(e2e): add E2E acceptance tests',
  kind: 'test',
  writes: ['**'],
});

export async function workOnAcceptance(
  bench: Bench,
  { key, context }: AcceptancePlace,
  { round, standing }: RoundStart<AcceptanceStanding>,
): Promise<AcceptanceWorked | RedRound<AcceptanceStanding> | BrokenRound<AcceptanceStanding>> {
  const { commands } = context.conventions;
  const place = { input: context.input, task: acceptanceTask.id, workspace: key };
  let { commit } = standing;
  const mine = standing.failures.filter(({ route }) => route !== 'person');
  if (mine.length > 0) {
    await recordDelivery(bench, context, `${key}/fix#${round}`, {
      event: () => ({
        title: `Acceptance fix ${round - 1} dispatched`,
        context: 'acceptance',
        event: 'Acceptance fix dispatched',
        details: mine.map(
          ({ criterion, kind, modules }) =>
            `${criterion}: ${kind}${modules.length === 0 ? '' : ` in ${modules.join(', ')}`}`,
        ),
        outcome: 'The acceptance tests run again afterwards.',
      }),
    });
    const involved = new Set(mine.flatMap(({ modules }) => modules));
    const fixed = await askDesignRole(bench, `${key}/fix#${round}`, {
      ...place,
      role: 'module-developer',
      title: `developer, fix ${round - 1}`,
      tier: standing.isNewApproach ? 'heavy' : undefined,
      commit,
      brief: (recovery) =>
        acceptanceFixBrief(
          context,
          {
            failures: mine.map(({ criterion, kind, text }) => `${criterion} (${kind}): ${text}`),
            modules: context.modules.filter(({ id }) => involved.size === 0 || involved.has(id)),
            output: standing.output,
            isNewApproach: standing.isNewApproach,
            guidance: standing.guidance,
          },
          recovery,
        ),
    });
    if (fixed.status !== 'accepted') return { status: 'infrastructure', standing, reason: explainAnswer(fixed) };
    commit = await confineFix(bench, context, { key: `${key}/fix#${round}/scope`, from: commit, commit: fixed.commit });
  }
  const tested = await askDesignRole(bench, `${key}/test#${round}`, {
    ...place,
    role: 'acceptance-tester',
    commit,
    tier: standing.failures.some(({ kind }) => kind === 'prd-ambiguity') ? 'heavy' : undefined,
    brief: (recovery) =>
      acceptanceBrief(context, { open: standing.open, isAgain: round > 1, guidance: standing.guidance }, recovery),
  });
  if (tested.status !== 'accepted') return { status: 'infrastructure', standing, reason: explainAnswer(tested) };
  const theirs = await bench.perform('changes.confine', `${key}/test#${round}/scope`, {
    from: commit,
    commit: tested.commit,
    writes: [`${commands.e2eTests}/**`],
  });
  const tracked = tested.result.notCovered
    .filter(({ issue }) => issue !== '')
    .map(({ criterion, reason, issue }) => [criterion, { reason, issue }] as const);
  const said = tested.result.failures.map(
    (each): OpenFailure => ({
      criterion: each.criterion,
      kind: each.class,
      route: 'developer',
      modules: each.modules,
      text: [each.expected, each.actual, each.suggestion].filter((part) => part !== '').join(' → '),
    }),
  );
  const next: AcceptanceStanding = {
    ...standing,
    commit: theirs.commit,
    isNewApproach: false,
    failures: said,
    excused: { ...Object.fromEntries(tracked), ...standing.excused },
  };
  return { status: 'worked', commit: theirs.commit, leftBehind: tested.leftBehind, standing: next };
}
