/**
 * The full integration test, after the waves: a tester looks at the merged whole; bugs go to the developer
 * session of their wave (across waves: the earliest involved), three rounds at most. What was mended is
 * verified and merged like a wave; what is not mended makes the run fail, with the bugs named.
 */
import type { Bench } from '../../engine/bench.ts';
import type { Task } from '../../plan/plan.ts';
import { type Bug, developerResult, testerResult } from '../../policy/role-results.ts';
import { groupBugs } from '../../policy/waves.ts';
import { askAgent } from '../moves/ask-agent.ts';
import { integrate } from '../moves/integrate.ts';
import { type Court, verify } from '../moves/verify.ts';
import { developerBrief, testerBrief } from './briefs.ts';
import { mostFixRounds, type WaveContext } from './run-wave.ts';

export type Integration =
  | { readonly status: 'passed'; readonly found: number; readonly fixed: number }
  | {
      readonly status: 'failed' | 'unverified';
      readonly found: number;
      readonly fixed: number;
      readonly bugs: readonly Bug[];
      readonly reason: string;
    };

const workspace = 'integration';

export async function testIntegration(
  bench: Bench,
  context: WaveContext,
  sessions: ReadonlyMap<string, string | undefined>,
): Promise<Integration> {
  const { input, waves, brief } = context;
  const { commit: base, judge } = await bench.perform('integration.read', 'integration/base', {});
  const whole = wholeTask(waves);
  let commit = base;
  let session: string | undefined;
  let bugs: readonly Bug[] = [];
  let found = 0;
  let court: Court = { judge, accepted: [] };
  for (let round = 1; ; round += 1) {
    const situation = round === 1 ? ({ mode: 'integration' } as const) : ({ mode: 'retest', bugs } as const);
    const tested = await askAgent(bench, `integration/test#${round}`, {
      agent: input.agents.tester,
      role: 'tester',
      workspace,
      commit,
      result: testerResult,
      prompt: testerBrief(brief, situation),
      recoveryPrompt: (why) => testerBrief(brief, { mode: 'recovery', why }),
      session,
      ...(input.limits === undefined ? {} : { limits: input.limits }),
    });
    ({ commit, session } = tested);
    const fixed = found - bugs.length;
    if (tested.status !== 'accepted') {
      return { status: 'unverified', found, fixed, bugs, reason: 'the integration tester gave no usable result' };
    }
    const known = new Set(bugs.map((bug) => bug.title));
    bugs = tested.result.bugs;
    found += bugs.filter((bug) => !known.has(bug.title)).length;
    const last = round > mostFixRounds;
    const verified = await verify(bench, `integration/verify#${round}`, {
      task: whole,
      checks: context.checks,
      scope: input.scope,
      base,
      commit,
      court,
      last,
    });
    court = verified.court;
    if (verified.status === 'passed' && bugs.length === 0) {
      const { report, redGreen, findings } = verified;
      if (commit === base) return { status: 'passed', found, fixed: found };
      const developed = {
        status: 'passed',
        commit,
        base,
        report,
        redGreen,
        findings,
        leftBehind: tested.leftBehind,
        accepted: court.accepted,
      } as const;
      const merged = await integrate(bench, {
        task: whole,
        tasks: [whole],
        developed,
        checks: context.checks,
        scope: input.scope,
        generation: 1,
      });
      if (merged.status === 'merged' || merged.status === 'empty') return { status: 'passed', found, fixed: found };
      return {
        status: 'failed',
        found,
        fixed: found,
        bugs,
        reason: merged.status === 'conflict' ? 'merge conflict' : merged.reason,
      };
    }
    const reason = verified.status === 'passed' ? `${bugs.length} bug(s) remain` : verified.reason;
    if (verified.status === 'rejected' || last)
      return { status: 'failed', found, fixed: found - bugs.length, bugs, reason };
    for (const [number, group] of groupBugs(bugs.length > 0 ? bugs : [redBug(reason)], waves)) {
      const wave = `W${number}`;
      const mended = await askAgent(bench, `integration/fix#${round}/${wave}`, {
        agent: input.agents.developer,
        role: 'developer',
        workspace,
        commit,
        result: developerResult,
        prompt: developerBrief(brief, {
          mode: 'fix',
          bugs: group,
          report: verified.status === 'red' ? verified.report : undefined,
          findings: [],
        }),
        recoveryPrompt: (why) => developerBrief(brief, { mode: 'recovery', why }),
        session: sessions.get(wave),
        ...(input.limits === undefined ? {} : { limits: input.limits }),
      });
      commit = mended.commit;
    }
  }
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
  };
}

/** Red checks without a tester's bug are still something to mend, by the first wave's developer. */
function redBug(reason: string): Bug {
  return {
    title: reason,
    category: 'integration',
    severity: 'major',
    wave: 1,
    files: [],
    reproduction: '',
    expected: '',
    actual: reason,
  };
}
