/**
 * The modules of a phase together, and with those before: an integration tester writes tests for what only shows then, and
 * what fails is fixed while fewer fail. Tests and fixes become commits of their own. After ten rounds, or when nothing helps,
 * a person decides.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { TaskOutcome } from '../../../engine/facts.ts';
import { type Task, taskSchema } from '../../../plan/plan.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import { buildUntilPassed, type Passed, type WorkDone } from '../../moves/build-until-passed.ts';
import { describeUnmerged, integrate } from '../../moves/integrate.ts';
import type { BrokenRound, RedRound, Resumed, RoundStart } from '../../moves/repeat-until-passed.ts';
import { type Verified, verify } from '../../moves/verify.ts';
import { type PhaseSubject, phaseFixBrief, phaseTesterBrief } from '../briefs/whole-briefs.ts';
import { type DesignContext, enginePaths } from '../context.ts';
import { readStanding, recordDelivery } from '../keep-delivery.ts';
import { bulletList, proseText } from '../plan/markdown-text.ts';
import { askDesignRole } from '../roles.ts';
import { type FixEscalation, fixLoop } from '../rules/module-loop.ts';
import { recordDesign, recordPhase } from './record-module.ts';
import { failuresIn } from './review-module.ts';

/** Below the modules' own: one task per phase, after all of its modules. */
export function phaseTask(context: DesignContext, phase: number): Task {
  const { phaseTests } = context.conventions.commands;
  const modules = context.modules.filter((module) => module.phase === phase);
  const files = context.modules
    .filter((module) => module.phase <= phase)
    .flatMap(({ id }) => context.plans.get(id)?.files ?? []);
  return taskSchema.parse({
    id: `phase-${phase}`,
    title: `Integration test of phase ${phase}`,
    kind: 'test',
    depends: [...modules.map(({ id }) => id), ...(phase > 1 ? [`phase-${phase - 1}`] : [])],
    writes: [`${phaseTests}/phase-${phase}*`, `${phaseTests}/phase-${phase}*/**`, ...new Set(files)],
  });
}

interface PhaseStanding {
  readonly commit: string;
  /** What fails, and nothing before the first test. */
  readonly failures: string;
  readonly isNewApproach: boolean;
  readonly history: readonly string[];
}

interface PhaseTested extends WorkDone {
  readonly standing: PhaseStanding;
  readonly total: number;
}

type PhaseOver = { readonly kind: 'skipped' | 'failed'; readonly reason: string };

export async function testPhase(bench: Bench, planned: DesignContext, task: Task, phase: number): Promise<TaskOutcome> {
  const { commit: base, judge } = await bench.perform('integration.read', `${task.id}/base`, { task: task.id });
  const known = await readStanding(bench, `${task.id}/known`, planned);
  const context = { ...planned, ...known };
  const modules = context.modules.filter((module) => module.phase === phase);
  const subject: PhaseSubject = {
    context,
    phase,
    modules,
    earlier: context.modules.filter((module) => module.phase < phase),
  };
  const start: PhaseStanding = { commit: base, failures: '', isNewApproach: false, history: [] };
  const ended = await buildUntilPassed<PhaseStanding, PhaseTested, { verified: Verified }, PhaseOver, FixEscalation>(
    bench,
    {
      policy: fixLoop,
      task,
      checks: context.checks,
      scope: context.input.scope,
      base,
      judge,
      start,
      step: ({ round }) => ({ key: `${task.id}/round#${round}`, kind: 'round', title: `Round ${round}` }),
      work: (at) => work(bench, { task, subject }, at),
      check: async (asked, { round }) => ({ verified: await verify(bench, `${task.id}/verify#${round}`, asked) }),
      review: async ({ worked, checked: { verified } }) => {
        if (verified.status === 'passed') return { status: 'passed' };
        if (verified.status === 'rejected')
          return { status: 'over', result: { kind: 'failed', reason: verified.reason } };
        const output = verified.report.commands
          .filter(({ status }) => status !== 'passed')
          .map((each) => `$ ${each.label}\n${each.output}`);
        return red(
          worked.standing,
          `${verified.reason}\n\n${output.join('\n\n')}`,
          failuresIn(verified.report) + verified.findings.length,
        );
      },
      escalate: async ({ to, standing, reason, round }) =>
        to === 'new-approach'
          ? { status: 'again', standing: { ...standing, isNewApproach: true } }
          : decide(bench, `${task.id}/decide#${round}`, { phase, standing, reason }),
    },
  );
  const result =
    ended.status === 'passed' ? await land(bench, { task, context, phase }, ended.result.passed) : undefined;
  const reason =
    ended.status === 'over' ? ended.result.reason : ended.status === 'stalled' ? ended.reason : (result ?? '');
  const isSkipped = ended.status === 'over' && ended.result.kind === 'skipped';
  const word = ended.status === 'passed' && result === undefined ? 'Pass' : isSkipped ? 'Skipped' : 'Fail';
  const total = ended.status === 'passed' ? ended.result.worked.total : 0;
  await report(bench, { context, phase, task, word, reason, rounds: ended.rounds, total });
  if (word === 'Fail') return { task: task.id, status: 'failed', reason };
  await recordPhase(bench, context, { phase, modules: modules.map(({ id }) => id) });
  const { standing } = await readStanding(bench, `${task.id}/after`, planned);
  await recordDesign(bench, context, {
    key: `${task.id}/design`,
    message: `docs(design): update impl status after phase-${phase}`,
    status: 'Implementing',
    standing,
  });
  await bench.perform('workspace.drop', `${task.id}/drop`, {
    workspace: task.id,
    captured: ended.status === 'passed' ? ended.result.passed.commit : base,
  });
  return {
    task: task.id,
    status: 'done',
    reason: '',
    detail: word === 'Pass' ? 'passed' : `skipped: ${reason}`,
    figures: { rounds: ended.rounds },
  };
}

async function work(
  bench: Bench,
  { task, subject }: { readonly task: Task; readonly subject: PhaseSubject },
  { round, standing }: RoundStart<PhaseStanding>,
): Promise<PhaseTested | RedRound<PhaseStanding> | BrokenRound<PhaseStanding>> {
  const { context } = subject;
  const { commands } = context.conventions;
  const place = { input: context.input, task: task.id, workspace: task.id };
  const own = [`${commands.phaseTests}/phase-${subject.phase}*`, `${commands.phaseTests}/phase-${subject.phase}*/**`];
  let { commit } = standing;
  if (standing.failures !== '') {
    const fixed = await askDesignRole(bench, `${task.id}/fix#${round}`, {
      ...place,
      role: 'module-developer',
      title: `developer, fix ${round - 1}`,
      tier: standing.isNewApproach ? 'heavy' : undefined,
      commit,
      brief: (recovery) => phaseFixBrief(subject, standing, recovery),
    });
    if (fixed.status !== 'accepted') return { status: 'infrastructure', standing, reason: explainAnswer(fixed) };
    const mine = await bench.perform('changes.confine', `${task.id}/fix#${round}/scope`, {
      from: commit,
      commit: fixed.commit,
      forbids: [
        `${commands.moduleTests}/**`,
        `${commands.phaseTests}/**`,
        `${commands.e2eTests}/**`,
        ...enginePaths(context),
      ],
    });
    ({ commit } = mine);
  }
  const tested = await askDesignRole(bench, `${task.id}/test#${round}`, {
    ...place,
    role: 'integration-tester',
    commit,
    brief: (recovery) => phaseTesterBrief(subject, { isAgain: round > 1 }, recovery),
  });
  if (tested.status !== 'accepted') return { status: 'infrastructure', standing, reason: explainAnswer(tested) };
  const theirs = await bench.perform('changes.confine', `${task.id}/test#${round}/scope`, {
    from: commit,
    commit: tested.commit,
    writes: own,
  });
  const next = { ...standing, commit: theirs.commit, isNewApproach: false };
  const { result, failures, total } = tested.result;
  if (result === 'fail')
    return red(next, failures.map(({ test, error }) => `- ${test}: ${error}`).join('\n'), Math.max(1, failures.length));
  return { status: 'worked', commit: theirs.commit, leftBehind: tested.leftBehind, standing: next, total };
}

function red(standing: PhaseStanding, failures: string, remaining: number): RedRound<PhaseStanding> {
  const [reason = ''] = failures.split('\n', 1);
  return {
    status: 'red',
    standing: { ...standing, failures, history: [...standing.history, reason] },
    reason,
    remaining,
  };
}

async function decide(
  bench: Bench,
  key: string,
  about: { readonly phase: number; readonly standing: PhaseStanding; readonly reason: string },
): Promise<Resumed<PhaseStanding, PhaseOver>> {
  const answer = await bench.ask(key, {
    title: `The integration tests of phase ${about.phase} still fail. How should it go on?`,
    detail: [about.reason, ...about.standing.history].join('\n'),
    options: [
      { id: 'again', label: 'Go on fixing (say how)' },
      { id: 'skip', label: 'Go on without these tests' },
      { id: 'abort', label: 'Stop here', recommended: true },
    ],
    freeText: true,
    topic: 'decision',
  });
  if (answer.option === 'skip')
    return { status: 'over', result: { kind: 'skipped', reason: 'a person went on without these tests' } };
  if (answer.option === 'abort') return { status: 'over', result: { kind: 'failed', reason: about.reason } };
  const failures = `${about.standing.failures}\n\nA person says: ${answer.text ?? ''}`;
  return { status: 'again', isFresh: true, standing: { ...about.standing, failures } };
}

/** Fixes and tests as two commits, so that history says which is which. Undefined when both are in. */
async function land(
  bench: Bench,
  { task, context, phase }: { readonly task: Task; readonly context: DesignContext; readonly phase: number },
  passed: Passed,
): Promise<string | undefined> {
  const { phaseTests } = context.conventions.commands;
  return landInTwo(bench, {
    task,
    context,
    passed,
    tests: [`${phaseTests}/**`],
    titles: {
      fix: `fix(p${phase}): resolve phase-${phase} integration issues`,
      test: `test(p${phase}): add phase-${phase} integration tests`,
    },
  });
}

export interface TwoParts {
  readonly task: Task;
  readonly context: DesignContext;
  readonly passed: Passed;
  readonly tests: readonly string[];
  readonly titles: { readonly fix: string; readonly test: string };
}

export async function landInTwo(
  bench: Bench,
  { task, context, passed, tests, titles }: TwoParts,
): Promise<string | undefined> {
  const fixes = await bench.perform('changes.confine', `${task.id}/fixes`, {
    from: passed.base,
    commit: passed.commit,
    forbids: [...tests],
  });
  const parts = [
    ...(fixes.changes.length === 0 ? [] : [{ title: titles.fix, commit: fixes.commit, mergeRound: 1 }]),
    { title: titles.test, commit: passed.commit, mergeRound: 2 },
  ];
  for (const { title, commit, mergeRound } of parts) {
    const named = { ...task, title, objective: '' };
    const integrated = await integrate(bench, {
      task: named,
      tasks: [named],
      developed: { ...passed, commit },
      checks: context.checks,
      scope: context.input.scope,
      mergeRound,
    });
    if (integrated.status !== 'merged' && integrated.status !== 'empty') return describeUnmerged(integrated);
  }
  return undefined;
}

async function report(
  bench: Bench,
  about: {
    readonly context: DesignContext;
    readonly phase: number;
    readonly task: Task;
    readonly word: string;
    readonly reason: string;
    readonly rounds: number;
    readonly total: number;
  },
): Promise<void> {
  const { context, phase, task, word, reason, rounds, total } = about;
  await recordDelivery(bench, context, `${task.id}/tested`, {
    event: () => ({
      title: `Phase ${phase} integration test: ${word}`,
      context: `Phase ${phase}`,
      event: 'Phase integration test result',
      details: [`rounds: ${rounds}`, `tests: ${total}`, ...(reason === '' ? [] : [reason])],
      outcome: word === 'Fail' ? 'The run stops after what is at work.' : 'The phase is complete.',
      phases: { [String(phase)]: { integration: word } },
    }),
    files: [
      {
        path: `reports/integration-phase-${phase}.md`,
        text: `# Integration test: phase ${phase}\n\n**Result:** ${word}\n\n${bulletList([`${rounds} rounds`, `${total} tests`])}\n\n${proseText(reason)}\n`,
      },
    ],
  });
}
