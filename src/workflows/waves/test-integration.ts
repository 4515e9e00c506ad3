/**
 * The full integration test, after the waves: a tester looks at the merged whole; bugs go to the developer
 * session of their wave (across waves: the earliest involved), three rounds at most. What was fixed is
 * verified and merged like a wave; what is not fixed makes the run fail, with the bugs named.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { buildUntilPassed, type Passed, type WorkDone } from '../moves/build-until-passed.ts';
import { integrate } from '../moves/integrate.ts';
import type { LoopOver, RoundEnd, RoundStart } from '../moves/repeat-until-passed.ts';
import { type Verified, verify } from '../moves/verify.ts';
import {
  type DeveloperSituation,
  developerBrief,
  type TesterSituation,
  testerBrief,
  type WaveBrief,
} from './briefs.ts';
import type { Bug } from './role-results.ts';
import { askWaveRole } from './roles.ts';
import { fixPolicy, roundTitle, type WaveContext } from './run-wave.ts';
import { groupBugs } from './wave-rules.ts';

export type Integration =
  | { readonly status: 'passed'; readonly found: number }
  | {
      readonly status: 'failed' | 'unverified';
      readonly found: number;
      readonly bugs: readonly Bug[];
      readonly reason: string;
    };

/** `waves` are those that were merged, `brief` is about all of them. */
export interface IntegrationContext extends WaveContext {
  /** What the developer of one wave is told. */
  readonly briefOf: (wave: string) => WaveBrief;
  /** As they were when the waves were over. */
  readonly sessions: ReadonlyMap<string, string | undefined>;
}

const workspace = 'integration';

export async function testIntegration(bench: Bench, context: IntegrationContext): Promise<Integration> {
  const { commit: base, judge } = await bench.perform('integration.read', 'integration/base', {});
  const { checks, input } = context;
  const whole = wholeTask(context.waves);
  const fixing = { ...context, sessions: new Map(context.sessions) };
  const start: Standing = { commit: base, session: undefined, bugs: [], found: 0 };
  const ended = await buildUntilPassed(bench, {
    task: whole,
    checks,
    scope: input.scope,
    base,
    judge,
    policy: fixPolicy,
    start,
    step: ({ round }) => ({ key: `integration/round#${round}`, ...roundTitle(round), end: describeRound }),
    work: (at) => testWhole(bench, context, at),
    check: async (asked, { round }) => ({ verified: await verify(bench, `integration/verify#${round}`, asked) }),
    review: async ({ worked: { standing }, checked: { verified } }) => {
      const { bugs } = standing;
      if (verified.status === 'passed' && bugs.length === 0) return { status: 'passed' };
      const reason = verified.status === 'passed' ? `${bugs.length} bug(s) remain` : verified.reason;
      if (verified.status === 'rejected') return stopped('failed', standing, reason);
      return { status: 'red', reason, standing: { ...standing, verified } };
    },
    land: async ({ passed, worked }) => {
      const failure = await land(bench, context, whole, passed);
      return failure === undefined ? { status: 'passed' } : stopped('failed', worked.standing, failure);
    },
    fix: async (red, { round }) => {
      const commit = await fixBugs(bench, fixing, { round, ...red });
      return { status: 'again', standing: { ...red.standing, commit } };
    },
  });
  if (ended.status === 'passed') return { status: 'passed', found: ended.result.worked.standing.found };
  return ended.status === 'over' ? ended.result : stopped('failed', ended.standing, ended.reason).result;
}

/** Where the whole stands between two rounds. */
interface Standing {
  readonly commit: string;
  readonly session: string | undefined;
  readonly bugs: readonly Bug[];
  readonly found: number;
  /** What the engine found out about the commit, where that is what has to be fixed. */
  readonly verified?: Exclude<Verified, { status: 'rejected' }>;
}

type Untested = Exclude<Integration, { status: 'passed' }>;

function stopped(status: Untested['status'], { found, bugs }: Standing, reason: string): LoopOver<Untested> {
  return { status: 'over', result: { status, found, bugs, reason } };
}

function describeRound(round: RoundEnd<Standing, unknown, Untested>): StepEndInput {
  if (round.status === 'passed') return { status: 'done', detail: 'passed' };
  if (round.status !== 'over') return { status: 'failed', detail: round.reason };
  return { status: round.result.status, detail: round.result.reason };
}

async function testWhole(
  bench: Bench,
  { input, brief }: IntegrationContext,
  { round, standing }: RoundStart<Standing>,
): Promise<(WorkDone & { readonly standing: Standing }) | LoopOver<Untested>> {
  const test: TesterSituation = round === 1 ? { mode: 'integration' } : { mode: 'retest', bugs: standing.bugs };
  const tested = await askWaveRole(bench, `integration/test#${round}`, {
    input,
    role: 'tester',
    doing: round === 1 ? 'testing the whole' : 'testing the whole again',
    workspace,
    commit: standing.commit,
    session: standing.session,
    brief: (recovery) => testerBrief(brief, test, recovery),
  });
  const { commit, session, leftBehind } = tested;
  if (tested.status !== 'accepted')
    return stopped('unverified', standing, `unverified: the tester: ${explainAnswer(tested)}`);
  const known = new Set(standing.bugs.map((bug) => bug.title));
  const { bugs } = tested.result;
  const found = standing.found + bugs.filter((bug) => !known.has(bug.title)).length;
  return { status: 'worked', commit, leftBehind, standing: { commit, session, bugs, found } };
}

interface FixContext extends Omit<IntegrationContext, 'sessions'> {
  /** Each wave's developer as they were last spoken to: a later round goes on there. */
  readonly sessions: Map<string, string | undefined>;
}

/** Wave by wave in one workspace; each developer goes on from what the one before left. */
async function fixBugs(
  bench: Bench,
  { input, waves, briefOf, sessions }: FixContext,
  red: { readonly round: number; readonly standing: Standing; readonly reason: string },
): Promise<string> {
  const { round, standing, reason } = red;
  const { bugs, verified } = standing;
  let { commit } = standing;
  for (const [wave, group] of groupBugs(bugs.length > 0 ? bugs : [redBug(reason)], waves)) {
    const fix: DeveloperSituation = {
      mode: 'fix',
      bugs: group,
      ...(verified?.status === 'red' ? { report: verified.report, findings: verified.findings } : {}),
    };
    // One that gives no usable result still left something, and the next test tells what it is worth.
    const fixed = await askWaveRole(bench, `integration/fix#${round}/${wave}`, {
      input,
      role: 'developer',
      title: developerTitle(wave),
      doing: 'fixing',
      workspace,
      commit,
      session: sessions.get(wave),
      brief: (recovery) => developerBrief(briefOf(wave), fix, recovery),
    });
    ({ commit } = fixed);
    sessions.set(wave, fixed.session ?? sessions.get(wave));
  }
  return commit;
}

/** What people read of a session that fixes a wave after the integration test. */
export function developerTitle(wave: string): string {
  return `developer of ${wave}`;
}

/** Why what was fixed, and the tests that were added, did not become part of the result; undefined when they did. */
async function land(
  bench: Bench,
  { input, checks }: Pick<IntegrationContext, 'input' | 'checks'>,
  whole: Task,
  developed: Passed,
): Promise<string | undefined> {
  if (developed.commit === developed.base) return undefined;
  const merged = await integrate(bench, {
    task: whole,
    tasks: [whole],
    developed,
    checks,
    scope: input.scope,
    mergeRound: 1,
  });
  if (merged.status === 'merged' || merged.status === 'empty') return undefined;
  return merged.status === 'conflict' ? `merge conflict in ${merged.files.join(', ')}` : merged.reason;
}

/** What the integration round may change: anything a wave declared, and tests. */
function wholeTask(waves: readonly Task[]): Task {
  const [first] = waves;
  if (first === undefined) throw new Error('an integration test needs waves');
  const writes = [...new Set(waves.flatMap((wave) => wave.writes))];
  return {
    ...first,
    id: 'I1',
    title: 'Fix what the integration test found',
    objective: '',
    kind: 'fix',
    depends: [],
    writes,
    forbids: [],
    // The waves' own tests are on the base by now: nothing more is meant to change.
    behaviourChanges: [],
  };
}

/** Red checks without a tester's bug are still something to fix, by the first wave's developer. */
function redBug(reason: string): Bug {
  return {
    title: reason,
    category: 'integration',
    severity: 'major',
    wave: 'cross-wave',
    files: [],
    reproduction: '',
    expected: '',
    actual: reason,
  };
}
