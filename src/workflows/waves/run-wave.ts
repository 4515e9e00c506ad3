/**
 * One wave: a developer session does its tasks, a tester session tests them, the engine verifies, and what is
 * red, unfinished or a real bug goes back to the same two sessions, three times at most. The engine's red beats a
 * tester's pass; a tester that never gives a usable result leaves the wave unverified, which is not a pass. What is not
 * accepted is captured and not integrated.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import type { LeftBehind } from '../../policy/receipt.ts';
import type { Bug, DeveloperResult } from './role-results.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { integrate } from '../moves/integrate.ts';
import { type Checks, type JudgingBasis, type Verified, verify } from '../moves/verify.ts';
import { shortCommit } from '../../views/figures.ts';
import { developerBrief, type DeveloperSituation, testerBrief, type WaveBrief } from './briefs.ts';
import { WaveLog } from './wave-log.ts';
import type { WavesInput } from './waves-input.ts';
import { askWaveRole } from './roles.ts';

export const mostFixRounds = 3;

export interface WaveContext {
  readonly input: WavesInput;
  readonly waves: readonly Task[];
  readonly checks: Checks;
  readonly brief: WaveBrief;
}

interface Ended {
  readonly status: 'done' | 'failed';
  readonly reason: string;
  /** What holds the wave's work. */
  readonly commit: string;
  /** The integration head with it. */
  readonly merged?: string;
}

export async function runWave(bench: Bench, wave: Task, context: WaveContext): Promise<TaskOutcome> {
  const { commit: base, judge } = await bench.perform('integration.read', `${wave.id}/base`, { task: wave.id });
  const log = new WaveLog();
  const ended = await workOnWave(bench, wave, { ...context, base, judge, log });
  if (ended.status === 'done')
    await bench.perform('workspace.drop', `${wave.id}/drop`, { workspace: wave.id, captured: ended.commit });
  const merged = ended.merged === undefined ? {} : { detail: `merged ${shortCommit(ended.merged)}` };
  const { status, reason, commit } = ended;
  return { task: wave.id, status, reason, commit, ...merged, figures: log.figures(), data: log.data() };
}

interface Work extends WaveContext {
  readonly base: string;
  readonly judge: string;
  readonly log: WaveLog;
}

async function workOnWave(bench: Bench, wave: Task, work: Work): Promise<Ended> {
  let standing: Standing = {
    situation: { mode: 'implement' },
    commit: work.base,
    basis: { judge: work.judge, accepted: [] },
    sessions: {},
    bugs: [],
  };
  for (let round = 1; ; round += 1) {
    const before = standing;
    const tried: Round = await bench.step(
      `${wave.id}/round#${round}`,
      { kind: 'round', title: round === 1 ? 'Round 1' : `Fix round ${round - 1}/${mostFixRounds}`, end: describeRound },
      () => runRound(bench, wave, work, { round, standing: before }),
    );
    if (tried.status === 'over') return failed(tried.commit, tried.reason);
    if (tried.status === 'passed') return land(bench, wave, work, tried);
    ({ standing } = tried);
  }
}

/** Where the wave stands between two rounds. */
interface Standing {
  readonly situation: DeveloperSituation;
  readonly commit: string;
  readonly basis: JudgingBasis;
  readonly sessions: { readonly developer?: string | undefined; readonly tester?: string | undefined };
  readonly bugs: readonly Bug[];
}

type Round =
  | Accepted
  | { readonly status: 'again'; readonly standing: Standing; readonly reason: string }
  | { readonly status: 'over'; readonly commit: string; readonly reason: string; readonly unverified?: true };

interface Accepted {
  readonly status: 'passed';
  readonly verified: Extract<Verified, { status: 'passed' }>;
  readonly commit: string;
  readonly leftBehind: readonly LeftBehind[];
}

function describeRound(round: Round): StepEndInput {
  if (round.status === 'passed') return { status: 'done', detail: 'accepted' };
  const unverified = round.status === 'over' && round.unverified === true;
  return { status: unverified ? 'unverified' : 'failed', detail: round.reason };
}

async function runRound(
  bench: Bench,
  wave: Task,
  work: Work,
  { round, standing }: { readonly round: number; readonly standing: Standing },
): Promise<Round> {
  const { log, base, input, brief, checks } = work;
  const { situation, sessions } = standing;
  const place = { input, workspace: wave.id, task: wave.id };
  const developed = await askWaveRole(bench, `${wave.id}/develop#${round}`, {
    ...place,
    role: 'developer',
    doing: situation.mode === 'implement' ? 'developing' : 'fixing',
    commit: standing.commit,
    session: sessions.developer,
    brief: (recovery) => developerBrief(brief, situation, recovery),
  });
  if (developed.status !== 'accepted')
    return { status: 'over', commit: developed.commit, reason: `the developer: ${explainAnswer(developed)}` };
  log.handedOver(developed.result.handoff, developed.session);
  const test = { mode: round === 1 ? 'wave' : 'retest', bugs: standing.bugs, developed: developed.result } as const;
  const tested = await askWaveRole(bench, `${wave.id}/test#${round}`, {
    ...place,
    role: 'tester',
    doing: round === 1 ? 'testing' : 'testing again',
    commit: developed.commit,
    session: sessions.tester,
    brief: (recovery) => testerBrief(brief, test, recovery),
  });
  const { commit } = tested;
  if (tested.status !== 'accepted') {
    const why = `the tester: ${explainAnswer(tested)}`;
    log.unverified(`${wave.id}: ${why}`);
    return { status: 'over', commit, reason: `unverified: ${why}`, unverified: true };
  }
  const last = round > mostFixRounds;
  const asking = { task: wave, checks, scope: input.scope, base, commit, basis: standing.basis, last };
  const verified = await verify(bench, `${wave.id}/verify#${round}`, asking);
  const { bugs } = tested.result;
  log.tested(tested.result);
  const unfinished = unfinishedPart(developed.result);
  if (verified.status === 'passed' && bugs.length === 0 && unfinished === undefined)
    return { status: 'passed', verified, commit, leftBehind: tested.leftBehind };
  if (verified.status === 'rejected') return { status: 'over', commit, reason: verified.reason };
  const reason = remaining(verified, bugs, unfinished);
  if (last) return { status: 'over', commit, reason };
  const { report, findings, basis } = verified;
  return {
    status: 'again',
    reason,
    standing: {
      situation: { mode: 'fix', bugs, unfinished, ...(verified.status === 'red' ? { report, findings } : {}) },
      commit,
      basis,
      sessions: { developer: developed.session, tester: tested.session },
      bugs,
    },
  };
}

/** Nobody knows better than the developer that the work is not done; a pass does not make it so. */
function unfinishedPart({ status, summary, bugsRemaining }: DeveloperResult): string | undefined {
  if (status === 'success') return undefined;
  const open = bugsRemaining.length === 0 ? '' : ` (open: ${bugsRemaining.join('; ')})`;
  return `the developer calls its work ${status}: ${summary}${open}`;
}

async function land(bench: Bench, wave: Task, work: Work, passed: Accepted): Promise<Ended> {
  const { verified, commit, leftBehind } = passed;
  const { report, redGreen, findings, basis } = verified;
  const { base, waves, checks, input } = work;
  const { accepted } = basis;
  const integrated = await integrate(bench, {
    task: wave,
    tasks: waves,
    developed: { status: 'passed', commit, base, report, redGreen, findings, leftBehind, accepted },
    checks,
    scope: input.scope,
    generation: 1,
  });
  switch (integrated.status) {
    case 'merged':
      return { status: 'done', reason: '', commit, merged: integrated.receipt.after };
    case 'conflict':
      return failed(commit, `merge conflict in ${integrated.files.join(', ')}`);
    case 'empty':
      return failed(commit, 'it changed nothing');
    case 'refused':
    case 'red':
      return failed(commit, integrated.reason);
  }
}

function remaining(verified: Verified, bugs: readonly Bug[], unfinished: string | undefined): string {
  const red = verified.status === 'red' ? [verified.reason] : [];
  const named = bugs.length === 0 ? [] : [`${bugs.length} bug(s) remain: ${bugs.map((bug) => bug.title).join('; ')}`];
  return [...red, ...named, ...(unfinished === undefined ? [] : [unfinished])].join('; ');
}

function failed(commit: string, reason: string): Ended {
  return { status: 'failed', reason, commit };
}
