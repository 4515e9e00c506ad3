/**
 * The full integration test, after the waves: a tester looks at the merged whole; bugs go to the developer
 * session of their wave (across waves: the earliest involved), three rounds at most. What was mended is
 * verified and merged like a wave; what is not mended makes the run fail, with the bugs named.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import type { LeftBehind } from '../../policy/receipt.ts';
import type { Bug } from './role-results.ts';
import { groupBugs } from './wave-rules.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { integrate } from '../moves/integrate.ts';
import { type JudgingBasis, type Verified, verify } from '../moves/verify.ts';
import {
  developerBrief,
  type DeveloperSituation,
  testerBrief,
  type TesterSituation,
  type WaveBrief,
} from './briefs.ts';
import { mostFixRounds, type WaveContext } from './run-wave.ts';
import { askWaveRole } from './roles.ts';

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
  const whole = wholeTask(context.waves);
  const work = { context: { ...context, sessions: new Map(context.sessions) }, whole, base };
  let standing: Standing = { commit: base, session: undefined, bugs: [], found: 0, basis: { judge, accepted: [] } };
  for (let round = 1; ; round += 1) {
    const before = standing;
    const tried: Round = await bench.step(
      `integration/round#${round}`,
      { kind: 'round', title: round === 1 ? 'Round 1' : `Fix round ${round - 1}/${mostFixRounds}`, end: describeRound },
      () => testRound(bench, work, { round, standing: before }),
    );
    if (tried.status === 'over') return tried.integration;
    ({ standing } = tried);
  }
}

interface Work {
  readonly context: MendContext;
  readonly whole: Task;
  readonly base: string;
}

/** Where the whole stands between two rounds. */
interface Standing {
  readonly commit: string;
  readonly session: string | undefined;
  readonly bugs: readonly Bug[];
  readonly found: number;
  readonly basis: JudgingBasis;
}

type Round =
  | { readonly status: 'over'; readonly integration: Integration }
  | { readonly status: 'again'; readonly standing: Standing; readonly reason: string };

function describeRound(round: Round): StepEndInput {
  if (round.status === 'again') return { status: 'failed', detail: round.reason };
  const { integration } = round;
  if (integration.status === 'passed') return { status: 'done', detail: 'passed' };
  return { status: integration.status, detail: integration.reason };
}

async function testRound(
  bench: Bench,
  { context, whole, base }: Work,
  { round, standing }: { readonly round: number; readonly standing: Standing },
): Promise<Round> {
  const { input, brief, checks } = context;
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
  const { commit, session } = tested;
  const over = (integration: Integration): Round => ({ status: 'over', integration });
  if (tested.status !== 'accepted') {
    const reason = `unverified: the tester: ${explainAnswer(tested)}`;
    return over({ status: 'unverified', found: standing.found, bugs: standing.bugs, reason });
  }
  const known = new Set(standing.bugs.map((bug) => bug.title));
  const { bugs } = tested.result;
  const found = standing.found + bugs.filter((bug) => !known.has(bug.title)).length;
  const last = round > mostFixRounds;
  const asking = { task: whole, checks, scope: input.scope, base, commit, basis: standing.basis, last };
  const verified = await verify(bench, `integration/verify#${round}`, asking);
  if (verified.status === 'passed' && bugs.length === 0) {
    const failure = await land(bench, context, { whole, base, commit, verified, leftBehind: tested.leftBehind });
    return over(
      failure === undefined ? { status: 'passed', found } : { status: 'failed', found, bugs, reason: failure },
    );
  }
  const reason = verified.status === 'passed' ? `${bugs.length} bug(s) remain` : verified.reason;
  if (verified.status === 'rejected' || last) return over({ status: 'failed', found, bugs, reason });
  const mended = await mend(bench, context, { round, commit, bugs, verified, reason });
  return { status: 'again', reason, standing: { commit: mended, session, bugs, found, basis: verified.basis } };
}

interface MendContext extends Omit<IntegrationContext, 'sessions'> {
  /** Each wave's developer as they were last spoken to: a later round goes on there. */
  readonly sessions: Map<string, string | undefined>;
}

interface Red {
  readonly round: number;
  readonly commit: string;
  readonly bugs: readonly Bug[];
  readonly verified: Exclude<Verified, { status: 'rejected' }>;
  readonly reason: string;
}

/** Wave by wave in one workspace; each developer goes on from what the one before left. */
async function mend(bench: Bench, context: MendContext, red: Red): Promise<string> {
  const { input, waves, briefOf, sessions } = context;
  const { round, bugs, verified, reason } = red;
  const { report, findings } = verified;
  let { commit } = red;
  for (const [wave, group] of groupBugs(bugs.length > 0 ? bugs : [redBug(reason)], waves)) {
    const fix: DeveloperSituation = {
      mode: 'fix',
      bugs: group,
      ...(verified.status === 'red' ? { report, findings } : {}),
    };
    // One that gives no usable result still left something, and the next test tells what it is worth.
    const mended = await askWaveRole(bench, `integration/fix#${round}/${wave}`, {
      input,
      role: 'developer',
      title: developerTitle(wave),
      doing: 'fixing',
      workspace,
      commit,
      session: sessions.get(wave),
      brief: (recovery) => developerBrief(briefOf(wave), fix, recovery),
    });
    ({ commit } = mended);
    sessions.set(wave, mended.session ?? sessions.get(wave));
  }
  return commit;
}

/** What people read of a session that fixes a wave after the integration test. */
export function developerTitle(wave: string): string {
  return `developer of ${wave}`;
}

/** Why what was mended, and the tests that were added, did not become part of the result; undefined when they did. */
async function land(
  bench: Bench,
  { input, checks }: Pick<IntegrationContext, 'input' | 'checks'>,
  passed: {
    whole: Task;
    base: string;
    commit: string;
    verified: Extract<Verified, { status: 'passed' }>;
    leftBehind: readonly LeftBehind[];
  },
): Promise<string | undefined> {
  const { whole, base, commit, verified, leftBehind } = passed;
  if (commit === base) return undefined;
  const { report, redGreen, findings, basis } = verified;
  const { accepted } = basis;
  const merged = await integrate(bench, {
    task: whole,
    tasks: [whole],
    developed: { status: 'passed', commit, base, report, redGreen, findings, leftBehind, accepted },
    checks,
    scope: input.scope,
    generation: 1,
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
    title: 'Mend what the integration test found',
    objective: '',
    kind: 'fix',
    depends: [],
    writes,
    forbids: [],
    // The waves' own tests are on the base by now: nothing more is meant to change.
    behaviourChanges: [],
  };
}

/** Red checks without a tester's bug are still something to mend, by the first wave's developer. */
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
