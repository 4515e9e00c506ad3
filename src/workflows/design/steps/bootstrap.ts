/**
 * A new project is set up before anything is built: it builds, lints, and runs its tests, of which there are none. The
 * commands were approved with the plans, so from here on they judge. Skipped where there is source code already.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { CheckReport } from '../../../policy/check-report.ts';
import type { EffectOutput } from '../../../engine/effect-map.ts';
import type { StepEndInput } from '../../../engine/facts.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import { measureEvidence, runCheck } from '../../moves/check-steps.ts';
import { scopeQuestion } from '../../moves/integrate.ts';
import type { ScopeFlag } from '../../../policy/receipt.ts';
import { judgeFirstChanges } from '../../../policy/scope.ts';
import { describeChecks } from '../../moves/verify.ts';
import { bootstrapBrief } from '../briefs/whole-briefs.ts';
import { type DesignContext, enginePaths } from '../context.ts';
import { recordDelivery } from '../keep-delivery.ts';
import { gateCommands } from '../plan/module-plan.ts';
import { askDesignRole } from '../roles.ts';
import { lackingInSetUp } from '../rules/set-up.ts';

const mostRounds = 4;
export const bootstrapCommit = 'chore: initialize project';

export type Bootstrapped = { readonly status: 'ready' } | { readonly status: 'failed'; readonly reason: string };

export function bootstrapProject(bench: Bench, context: DesignContext): Promise<Bootstrapped> {
  const start = { kind: 'build', title: 'Set up the project', end: describe };
  return bench.step('bootstrap', start, () => setUp(bench, context));
}

function describe(set: Bootstrapped): StepEndInput {
  return set.status === 'ready'
    ? { status: 'done', detail: 'it builds and lints' }
    : { status: 'failed', detail: set.reason };
}

async function setUp(bench: Bench, context: DesignContext): Promise<Bootstrapped> {
  const { input, conventions } = context;
  const { commit: base } = await bench.perform('integration.read', 'bootstrap/base', {});
  let commit = base;
  let problem = '';
  let wasAsked = false;
  for (let round = 1; round <= mostRounds; round += 1) {
    const said = problem;
    const answer = await askDesignRole(bench, `bootstrap/agent#${round}`, {
      input,
      role: 'bootstrapper',
      workspace: 'bootstrap',
      commit,
      brief: (recovery) => bootstrapBrief(context, said, recovery),
    });
    if (answer.status !== 'accepted') return { status: 'failed', reason: explainAnswer(answer) };
    const confined = await bench.perform('changes.confine', `bootstrap/scope#${round}`, {
      from: base,
      commit: answer.commit,
      forbids: [...enginePaths(context)],
    });
    ({ commit } = confined);
    const { test } = conventions.commands;
    const entries = [...gateCommands(conventions.commands), ...(test === '' ? [] : [test])];
    // Judged by what was just set up: there is nothing else yet, and the commands were approved.
    const report = await runCheck(bench, `bootstrap/check#${round}`, {
      commit,
      judge: commit,
      source: 'plan',
      entries,
    });
    const broken = report.commands.filter(({ exit }) => exit !== 0);
    const lacks = broken.length > 0 ? [] : lackingIn(bench, context, confined.changes, report);
    // What is missing is asked for once more; a project that works is not given up for it.
    if (broken.length === 0 && (lacks.length === 0 || wasAsked))
      return land(bench, context, { base, commit, entries, leftBehind: answer.leftBehind, lacks });
    wasAsked ||= lacks.length > 0;
    problem = `${lacks.map((each) => `- ${each}`).join('\n')}\n${describeChecks(report)}\n\n${broken.map(({ label, output }) => `$ ${label}\n${output}`).join('\n\n')}`;
  }
  return { status: 'failed', reason: `the project could not be set up in ${mostRounds} rounds` };
}

/** From this version of the workflow on, what belongs to a set-up is looked for. */
const firstLooked = 2;

function lackingIn(
  bench: Bench,
  { design }: DesignContext,
  changes: readonly { readonly path: string }[],
  { commands }: CheckReport,
): readonly string[] {
  // Runs that were begun before do what they did.
  if (bench.run.workflowVersion < firstLooked) return [];
  return lackingInSetUp({
    paths: changes.map(({ path }) => path),
    hasInstructions: design.standards.rules.some(({ file }) => file === 'CLAUDE.md'),
    tests: commands.reduce((sum, { counts }) => sum + (counts?.passed ?? 0) + (counts?.failed ?? 0), 0),
  });
}

async function land(
  bench: Bench,
  context: DesignContext,
  {
    base,
    commit,
    entries,
    leftBehind,
    lacks,
  }: {
    base: string;
    commit: string;
    entries: readonly string[];
    leftBehind: readonly { path: string; reason: string }[];
    lacks: readonly string[];
  },
): Promise<Bootstrapped> {
  const landed = await bench.exclusive('integrate', async () => {
    const prepared = await bench.perform('merge.prepare', 'bootstrap/prepare', {
      task: 'bootstrap',
      base,
      commit,
      title: bootstrapCommit,
      body: context.conventions.commands.commitFooter,
    });
    if (prepared.status !== 'ready') return prepared.status;
    const guarded = await askAboutGuarded(bench, context, prepared);
    if (!guarded.isAccepted) return { reason: `refused: ${guarded.flags.map(({ path }) => path).join(', ')}` };
    const judged = { task: 'bootstrap', source: 'plan' as const, entries: [...entries] };
    const { commit: merged } = prepared;
    const report = await runCheck(bench, 'bootstrap/merged', { ...judged, commit: merged, judge: merged });
    await measureEvidence(bench, 'bootstrap/evidence', { ...judged, kind: 'chore', base, commit, judge: commit });
    await bench.perform('merge.land', 'bootstrap/land', {
      task: 'bootstrap',
      commit: merged,
      before: prepared.before,
      base,
      source: commit,
      declared: ['**'],
      changed: prepared.changes,
      flags: [
        { path: 'the commands of the conventions', case: 'judge', action: 'allow', reason: 'approved with the plans' },
        ...guarded.flags,
      ],
      leftBehind: [...leftBehind] as never,
      checks: report.commands.map(({ label, status }) => ({ label, status })),
    });
    return 'merged' as const;
  });
  await bench.perform('workspace.drop', 'bootstrap/drop', { workspace: 'bootstrap', captured: commit });
  if (landed === 'conflict') return { status: 'failed', reason: 'the set-up does not fit the repository' };
  if (landed !== 'merged' && landed !== 'empty') return { status: 'failed', reason: landed.reason };
  await recordDelivery(bench, context, 'bootstrap/told', {
    event: () => ({
      title: 'Project initialized',
      context: 'bootstrap',
      event: 'The project was set up from the tech stack and the conventions.',
      details: [...lacks],
      outcome: 'Modules can be built.',
    }),
  });
  return { status: 'ready' };
}

/** What runs or is obeyed on the person's own machine is theirs to take, also in a new project. */
async function askAboutGuarded(
  bench: Bench,
  { input }: DesignContext,
  { changes, secrets = [] }: Extract<EffectOutput<'merge.prepare'>, { status: 'ready' }>,
): Promise<{ readonly isAccepted: boolean; readonly flags: readonly ScopeFlag[] }> {
  const flags = judgeFirstChanges({ changes, secrets, settings: input.scope });
  if (flags.length === 0) return { isAccepted: true, flags };
  const answer = await bench.ask('bootstrap/scope', scopeQuestion({ id: 'The set-up' }, flags));
  return {
    isAccepted: answer.option === 'accept',
    flags: flags.map((flag) => ({ ...flag, action: 'allow', reason: `${flag.reason}; accepted` })),
  };
}
