/**
 * The modules of a phase together, and with those before: an integration tester writes tests for what only shows then, and
 * what fails is fixed while fewer fail. Tests and fixes become commits of their own. After ten rounds, or when nothing helps,
 * a person decides.
 */
import type { Bench } from '../../../engine/bench.ts';
import type { TaskOutcome } from '../../../engine/facts.ts';
import { type Task, taskSchema } from '../../../plan/plan.ts';
import { explainAnswer } from '../../moves/ask-agent.ts';
import { workspaceName } from '../../moves/develop.ts';
import { buildUntilPassed, type Passed, type WorkDone } from '../../moves/build-until-passed.ts';
import { describeUnmerged, integrate } from '../../moves/integrate.ts';
import type { BrokenRound, RedRound, ResumedRounds, RoundStart } from '../../moves/repeat-until-passed.ts';
import { type Verified, verify } from '../../moves/verify.ts';
import { type PhaseSubject, phaseFixBrief, phaseTesterBrief } from '../briefs/whole-briefs.ts';
import type { DesignContext } from '../context.ts';
import { readStanding, recordDelivery } from '../keep-delivery.ts';
import { bulletList, proseText } from '../plan/markdown-text.ts';
import { askDesignRole } from '../roles.ts';
import { type FixEscalation, fixLoop } from '../rules/module-loop.ts';
import { afterBreakdown } from './ask-after-breakdown.ts';
import { confineFix } from './confine-fix.ts';
import { recordDecided, recordDesign, recordPhase } from './record-module.ts';
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
  for (let go = 1; ; go += 1) {
    const ended = await testOnce(bench, { planned, task, phase, name: workspaceName(task.id, go), go });
    if (ended.status === 'over') return ended.outcome;
  }
}

const mostGoes = 5;

interface PhaseGo {
  readonly planned: DesignContext;
  readonly task: Task;
  readonly phase: number;
  /** Before keys. */
  readonly name: string;
  readonly go: number;
}

/** From the integration head as it is now. `again`: what was merged meanwhile gets in its way, or an agent broke down. */
async function testOnce(
  bench: Bench,
  { planned, task, phase, name, go }: PhaseGo,
): Promise<{ readonly status: 'over'; readonly outcome: TaskOutcome } | { readonly status: 'again' }> {
  const { commit: base, judge } = await bench.perform('integration.read', `${name}/base`, { task: task.id });
  const known = await readStanding(bench, `${name}/known`, planned);
  const context = { ...planned, ...known };
  const modules = context.modules.filter((module) => module.phase === phase);
  const earlier = context.modules.filter((module) => module.phase < phase);
  const place: PhasePlace = { name, task, subject: { context, phase, modules, earlier } };
  const ended = await runRounds(bench, place, { base, judge });
  const unlanded =
    ended.status === 'passed' ? await land(bench, { place, go, passed: ended.result.passed }) : undefined;
  if (unlanded !== undefined && go < mostGoes) return { status: 'again' };
  let skippedBecause = ended.status === 'over' && ended.result.kind === 'skipped' ? ended.result.reason : '';
  let reason =
    ended.status === 'over' ? ended.result.reason : ended.status === 'stalled' ? ended.reason : (unlanded ?? '');
  if (ended.status === 'stalled' && ended.stalledAt === 'infrastructure') {
    const answer = await afterBreakdown(bench, { context, key: `${name}/broken`, id: `phase ${phase}`, reason });
    if (answer === 'retry' && go < mostGoes) return { status: 'again' };
    if (answer === 'skip') skippedBecause = `a person continued without these tests: ${reason}`;
    reason = skippedBecause || reason;
  }
  const word =
    ended.status === 'passed' && unlanded === undefined ? 'Pass' : skippedBecause === '' ? 'Fail' : 'Skipped';
  const total = ended.status === 'passed' ? ended.result.worked.total : 0;
  await report(bench, { place, word, reason, rounds: ended.rounds, total });
  if (word === 'Fail') return { status: 'over', outcome: { task: task.id, status: 'failed', reason } };
  await recordPhase(bench, context, { phase, modules: modules.map(({ id }) => id) });
  const { standing } = await readStanding(bench, `${name}/after`, planned);
  await recordDesign(bench, context, {
    key: `${name}/design`,
    message: `docs(design): update impl status after phase-${phase}`,
    status: 'Implementing',
    standing,
  });
  await bench.perform('workspace.drop', `${name}/drop`, {
    workspace: name,
    captured: ended.status === 'passed' ? ended.result.passed.commit : base,
  });
  const detail = word === 'Pass' ? 'passed' : `skipped: ${reason}`;
  const figures = { rounds: ended.rounds };
  return { status: 'over', outcome: { task: task.id, status: 'done', reason: '', detail, figures } };
}

interface PhasePlace {
  readonly name: string;
  readonly task: Task;
  readonly subject: PhaseSubject;
}

function runRounds(
  bench: Bench,
  place: PhasePlace,
  { base, judge }: { readonly base: string; readonly judge: string },
) {
  const { name, task, subject } = place;
  const { context } = subject;
  const start: PhaseStanding = { commit: base, failures: '', isNewApproach: false, history: [] };
  return buildUntilPassed<PhaseStanding, PhaseTested, { verified: Verified }, PhaseOver, FixEscalation>(bench, {
    policy: fixLoop,
    task,
    checks: context.checks,
    scope: context.input.scope,
    base,
    judge,
    start,
    step: ({ round }) => ({ key: `${name}/round#${round}`, kind: 'round', title: `Round ${round}` }),
    work: (at) => work(bench, place, at),
    check: async (asked, { round }) => ({ verified: await verify(bench, `${name}/verify#${round}`, asked) }),
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
        : decide(bench, `${name}/decide#${round}`, { place, standing, reason }),
  });
}

async function work(
  bench: Bench,
  { name, task, subject }: PhasePlace,
  { round, standing }: RoundStart<PhaseStanding>,
): Promise<PhaseTested | RedRound<PhaseStanding> | BrokenRound<PhaseStanding>> {
  const { context } = subject;
  const { commands } = context.conventions;
  const place = { input: context.input, task: task.id, workspace: name };
  const own = [`${commands.phaseTests}/phase-${subject.phase}*`, `${commands.phaseTests}/phase-${subject.phase}*/**`];
  let { commit } = standing;
  if (standing.failures !== '') {
    const fixed = await askDesignRole(bench, `${name}/fix#${round}`, {
      ...place,
      role: 'module-developer',
      title: `developer, fix ${round - 1}`,
      tier: standing.isNewApproach ? 'heavy' : undefined,
      commit,
      brief: (recovery) => phaseFixBrief(subject, standing, recovery),
    });
    if (fixed.status !== 'accepted') return { status: 'infrastructure', standing, reason: explainAnswer(fixed) };
    commit = await confineFix(bench, context, {
      key: `${name}/fix#${round}/scope`,
      from: commit,
      commit: fixed.commit,
    });
  }
  const tested = await askDesignRole(bench, `${name}/test#${round}`, {
    ...place,
    role: 'integration-tester',
    commit,
    brief: (recovery) => phaseTesterBrief(subject, { isAgain: round > 1 }, recovery),
  });
  if (tested.status !== 'accepted') return { status: 'infrastructure', standing, reason: explainAnswer(tested) };
  const theirs = await bench.perform('changes.confine', `${name}/test#${round}/scope`, {
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
  about: { readonly place: PhasePlace; readonly standing: PhaseStanding; readonly reason: string },
): Promise<ResumedRounds<PhaseStanding, PhaseOver>> {
  const { context, phase } = about.place.subject;
  const answer = await bench.ask(key, {
    title: `The integration tests of phase ${phase} still fail. What should happen next?`,
    detail: [about.reason, ...about.standing.history].join('\n'),
    options: [
      { id: 'again', label: 'Continue fixing (say how)' },
      { id: 'skip', label: 'Continue without these tests' },
      { id: 'abort', label: 'Stop here', recommended: true },
    ],
    freeText: true,
    topic: 'decision',
  });
  await recordDecided(bench, context, {
    key,
    id: `Phase ${phase}`,
    choice: answer.text ?? answer.option ?? '',
    outcome: answer.option === 'abort' ? 'The run stops after what is at work.' : 'The delivery continues.',
  });
  if (answer.option === 'skip')
    return { status: 'over', result: { kind: 'skipped', reason: 'a person continued without these tests' } };
  if (answer.option === 'abort') return { status: 'over', result: { kind: 'failed', reason: about.reason } };
  const failures = `${about.standing.failures}\n\nA person says: ${answer.text ?? ''}`;
  return { status: 'again', isFresh: true, standing: { ...about.standing, failures } };
}

/** Fixes and tests as two commits, so that history says which is which. Undefined when both are in. */
async function land(
  bench: Bench,
  { place, go, passed }: { readonly place: PhasePlace; readonly go: number; readonly passed: Passed },
): Promise<string | undefined> {
  const { task, subject } = place;
  const { context, phase } = subject;
  const { phaseTests } = context.conventions.commands;
  return landInTwo(bench, {
    go,
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
  /** Which try this is, from 1. */
  readonly go: number;
  readonly task: Task;
  readonly context: DesignContext;
  readonly passed: Passed;
  readonly tests: readonly string[];
  readonly titles: { readonly fix: string; readonly test: string };
}

export async function landInTwo(
  bench: Bench,
  { go, task, context, passed, tests, titles }: TwoParts,
): Promise<string | undefined> {
  const body = context.conventions.commands.commitFooter;
  const named = { ...task, title: titles.fix, objective: body };
  const integrated = await integrate(bench, {
    task: named,
    tasks: [named],
    developed: passed,
    checks: context.checks,
    scope: context.input.scope,
    mergeRound: go,
    apart: { title: titles.test, body, paths: tests },
  });
  return integrated.status === 'merged' || integrated.status === 'empty' ? undefined : describeUnmerged(integrated);
}

async function report(
  bench: Bench,
  about: {
    readonly place: PhasePlace;
    readonly word: string;
    readonly reason: string;
    readonly rounds: number;
    readonly total: number;
  },
): Promise<void> {
  const { place, word, reason, rounds, total } = about;
  const { context, phase } = place.subject;
  await recordDelivery(bench, context, `${place.name}/tested`, {
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
