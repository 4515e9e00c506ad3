/**
 * One wave: a developer session does its tasks, a tester session tests them, the engine verifies, and what is
 * red, unfinished or a real bug goes back to the same two sessions, three times at most. The engine's red beats a
 * tester's pass; a tester that never gives a usable result leaves the wave unverified, which is not a pass. What is not
 * accepted is captured and not integrated.
 */
import type { Bench } from '../../engine/bench.ts';
import type { StepEndInput, TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import { shortCommit } from '../../views/figures.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { buildUntilPassed, type Passed, type WorkDone } from '../moves/build-until-passed.ts';
import { integrate } from '../moves/integrate.ts';
import type { LoopOver, RedRound, RoundEnd, RoundStart } from '../moves/repeat-until-passed.ts';
import { type Checks, type Verified, verify } from '../moves/verify.ts';
import { type DeveloperSituation, developerBrief, testerBrief, type WaveBrief } from './briefs.ts';
import type { Bug, DeveloperResult, TesterResult } from './role-results.ts';
import { askWaveRole } from './roles.ts';
import { WaveLog } from './wave-log.ts';
import type { WavesInput } from './waves-input.ts';

const mostFixRounds = 3;
export const fixPolicy = { rounds: 1 + mostFixRounds };

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
  const { base, judge, checks, input } = work;
  const start: Standing = { situation: { mode: 'implement' }, commit: base, sessions: {}, bugs: [] };
  const ended = await buildUntilPassed(bench, {
    task: wave,
    checks,
    scope: input.scope,
    base,
    judge,
    policy: fixPolicy,
    start,
    step: ({ round }) => ({ key: `${wave.id}/round#${round}`, ...roundTitle(round), end: describeRound }),
    work: (at) => developAndTest(bench, wave, work, at),
    check: async (asked, { round }) => ({ verified: await verify(bench, `${wave.id}/verify#${round}`, asked) }),
    review: async ({ worked, checked }) => weighRound(worked, checked.verified, work.log),
  });
  if (ended.status === 'passed') return land(bench, wave, work, ended.result.passed);
  return ended.status === 'over'
    ? failed(ended.result.commit, ended.result.reason)
    : failed(ended.standing.commit, ended.reason);
}

/** Where the wave stands between two rounds. */
interface Standing {
  readonly situation: DeveloperSituation;
  readonly commit: string;
  readonly sessions: { readonly developer?: string | undefined; readonly tester?: string | undefined };
  readonly bugs: readonly Bug[];
}

interface Stopped {
  readonly commit: string;
  readonly reason: string;
  readonly isUnverified?: true;
}

interface Tested extends WorkDone {
  readonly developed: DeveloperResult;
  readonly tested: TesterResult;
  readonly sessions: Standing['sessions'];
}

/** What people read about a round of a wave, or of the integration test. */
export function roundTitle(round: number): { readonly kind: 'round'; readonly title: string } {
  return { kind: 'round', title: round === 1 ? 'Round 1' : `Fix round ${round - 1}/${mostFixRounds}` };
}

function describeRound(round: RoundEnd<Standing, unknown, Stopped>): StepEndInput {
  if (round.status === 'passed') return { status: 'done', detail: 'accepted' };
  if (round.status !== 'over') return { status: 'failed', detail: round.reason };
  const { reason, isUnverified } = round.result;
  return { status: isUnverified === true ? 'unverified' : 'failed', detail: reason };
}

async function developAndTest(
  bench: Bench,
  wave: Task,
  { log, input, brief }: Work,
  { round, standing }: RoundStart<Standing>,
): Promise<Tested | LoopOver<Stopped>> {
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
    return {
      status: 'over',
      result: { commit: developed.commit, reason: `the developer: ${explainAnswer(developed)}` },
    };
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
  const { commit, leftBehind } = tested;
  if (tested.status !== 'accepted') {
    const why = `the tester: ${explainAnswer(tested)}`;
    log.unverified(`${wave.id}: ${why}`);
    return { status: 'over', result: { commit, reason: `unverified: ${why}`, isUnverified: true } };
  }
  return {
    status: 'worked',
    commit,
    leftBehind,
    developed: developed.result,
    tested: tested.result,
    sessions: { developer: developed.session, tester: tested.session },
  };
}

function weighRound(
  { commit, developed, tested, sessions }: Tested,
  verified: Verified,
  log: WaveLog,
): { readonly status: 'passed' } | RedRound<Standing> | LoopOver<Stopped> {
  const { bugs } = tested;
  log.tested(tested);
  const unfinished = unfinishedPart(developed);
  if (verified.status === 'passed' && bugs.length === 0 && unfinished === undefined) return { status: 'passed' };
  if (verified.status === 'rejected') return { status: 'over', result: { commit, reason: verified.reason } };
  const { report, findings } = verified;
  const red = verified.status === 'red' ? { report, findings } : {};
  return {
    status: 'red',
    reason: remaining(verified, bugs, unfinished),
    standing: { situation: { mode: 'fix', bugs, unfinished, ...red }, commit, sessions, bugs },
  };
}

/** Nobody knows better than the developer that the work is not done; a pass does not make it so. */
function unfinishedPart({ status, summary, bugsRemaining }: DeveloperResult): string | undefined {
  if (status === 'success') return undefined;
  const open = bugsRemaining.length === 0 ? '' : ` (open: ${bugsRemaining.join('; ')})`;
  return `the developer calls its work ${status}: ${summary}${open}`;
}

async function land(bench: Bench, wave: Task, work: Work, developed: Passed): Promise<Ended> {
  const { waves, checks, input } = work;
  const { commit } = developed;
  const integrated = await integrate(bench, {
    task: wave,
    tasks: waves,
    developed,
    checks,
    scope: input.scope,
    mergeRound: 1,
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
