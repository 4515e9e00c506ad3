/**
 * One wave: a developer session does its tasks, a tester session tests them, the engine verifies, and what is
 * red, unfinished or a real bug goes back to the same two sessions, three times at most. The engine's red beats a
 * tester's pass; a tester that never gives a usable result leaves the wave unverified, which is not a pass. What is not
 * accepted is captured and not integrated.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import type { LeftBehind } from '../../policy/receipt.ts';
import type { Bug, DeveloperResult } from '../../policy/role-results.ts';
import { explainAnswer } from '../moves/ask-agent.ts';
import { integrate } from '../moves/integrate.ts';
import { type Checks, type Court, type Verified, verify } from '../moves/verify.ts';
import { askRole } from '../moves/ask-role.ts';
import { developerBrief, type DeveloperSituation, testerBrief, type WaveBrief } from './briefs.ts';
import { WaveLog } from './wave-log.ts';
import type { WavesInput } from './waves-input.ts';

export const mostFixRounds = 3;

export interface WaveContext {
  readonly input: WavesInput;
  readonly waves: readonly Task[];
  readonly checks: Checks;
  readonly brief: WaveBrief;
}

type Ended = { readonly status: 'done' | 'failed'; readonly reason: string; readonly commit: string };

export async function runWave(bench: Bench, wave: Task, context: WaveContext): Promise<TaskOutcome> {
  const { commit: base, judge } = await bench.perform('integration.read', `${wave.id}/base`, { task: wave.id });
  const log = new WaveLog();
  const ended = await workOnWave(bench, wave, { ...context, base, judge, log });
  if (ended.status === 'done')
    await bench.perform('workspace.drop', `${wave.id}/drop`, { workspace: wave.id, captured: ended.commit });
  return { task: wave.id, ...ended, data: log.data() };
}

interface Work extends WaveContext {
  readonly base: string;
  readonly judge: string;
  readonly log: WaveLog;
}

async function workOnWave(bench: Bench, wave: Task, work: Work): Promise<Ended> {
  const { log, base, input, brief, checks } = work;
  const place = { input, workspace: wave.id, task: wave.id };
  let situation: DeveloperSituation = { mode: 'implement' };
  let commit = base;
  let court: Court = { judge: work.judge, accepted: [] };
  let sessions: { developer?: string | undefined; tester?: string | undefined } = {};
  let bugs: readonly Bug[] = [];
  for (let round = 1; ; round += 1) {
    const asked = situation;
    const developed = await askRole(bench, `${wave.id}/develop#${round}`, {
      ...place,
      role: 'developer',
      commit,
      session: sessions.developer,
      brief: (recovery) => developerBrief(brief, asked, recovery),
    });
    ({ commit } = developed);
    if (developed.status !== 'accepted') return failed(commit, `the developer: ${explainAnswer(developed)}`);
    log.handedOver(developed.result.handoff, developed.session);
    const test = { mode: round === 1 ? 'wave' : 'retest', bugs, developed: developed.result } as const;
    const tested = await askRole(bench, `${wave.id}/test#${round}`, {
      ...place,
      role: 'tester',
      commit,
      session: sessions.tester,
      brief: (recovery) => testerBrief(brief, test, recovery),
    });
    ({ commit } = tested);
    sessions = { developer: developed.session, tester: tested.session };
    if (tested.status !== 'accepted') {
      const why = `the tester: ${explainAnswer(tested)}`;
      log.unverified(`${wave.id}: ${why}`);
      return failed(commit, `unverified: ${why}`);
    }
    const last = round > mostFixRounds;
    const asking = { task: wave, checks, scope: input.scope, base, commit, court, last };
    const verified = await verify(bench, `${wave.id}/verify#${round}`, asking);
    ({ court } = verified);
    ({ bugs } = tested.result);
    log.tested(tested.result);
    const unfinished = unfinishedPart(developed.result);
    if (verified.status === 'passed' && bugs.length === 0 && unfinished === undefined)
      return land(bench, wave, work, { verified, commit, leftBehind: tested.leftBehind });
    if (verified.status === 'rejected') return failed(commit, verified.reason);
    if (last) return failed(commit, remaining(verified, bugs, unfinished));
    const { report, findings } = verified;
    situation = { mode: 'fix', bugs, unfinished, ...(verified.status === 'red' ? { report, findings } : {}) };
  }
}

/** Nobody knows better than the developer that the work is not done; a pass does not make it so. */
function unfinishedPart({ status, summary, bugsRemaining }: DeveloperResult): string | undefined {
  if (status === 'success') return undefined;
  const open = bugsRemaining.length === 0 ? '' : ` (open: ${bugsRemaining.join('; ')})`;
  return `the developer calls its work ${status}: ${summary}${open}`;
}

async function land(
  bench: Bench,
  wave: Task,
  work: Work,
  passed: {
    verified: Extract<Verified, { status: 'passed' }>;
    commit: string;
    leftBehind: readonly LeftBehind[];
  },
): Promise<Ended> {
  const { verified, commit, leftBehind } = passed;
  const { report, redGreen, findings, court } = verified;
  const { base, waves, checks, input } = work;
  const { accepted } = court;
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
      return { status: 'done', reason: '', commit };
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
