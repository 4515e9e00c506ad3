/**
 * One wave: a developer session does its tasks, a tester session tests them, the engine verifies, and what is
 * red or a real bug goes back to the same two sessions, three times at most. The engine's red beats a tester's
 * pass; a tester that never gives a usable result leaves the wave unverified, which is not a pass. What is not
 * accepted is captured and not integrated.
 */
import type { Bench } from '../../engine/bench.ts';
import type { TaskOutcome } from '../../engine/facts.ts';
import type { Task } from '../../plan/plan.ts';
import {
  type Bug,
  type DeveloperResult,
  developerResult,
  type Handoff,
  type TesterResult,
  testerResult,
} from '../../policy/role-results.ts';
import { type AgentAnswer, askAgent, explainAnswer } from '../moves/ask-agent.ts';
import { integrate } from '../moves/integrate.ts';
import { type Checks, type Court, type Verified, verify } from '../moves/verify.ts';
import {
  developerBrief,
  type DeveloperSituation,
  testerBrief,
  type TesterSituation,
  type WaveBrief,
} from './briefs.ts';
import { readWaveData, type WaveData } from './wave-data.ts';
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
  const { log, base } = work;
  let at = { commit: base, developer: undefined as string | undefined, tester: undefined as string | undefined };
  let situation: DeveloperSituation = { mode: 'implement' };
  let court: Court = { judge: work.judge, accepted: [] };
  let bugs: readonly Bug[] = [];
  for (let round = 1; ; round += 1) {
    const developed = await askDeveloper(bench, wave, work, {
      round,
      commit: at.commit,
      session: at.developer,
      situation,
    });
    at = { ...at, commit: developed.commit, developer: developed.session };
    if (developed.status !== 'accepted') return failed(at.commit, `the developer: ${explainAnswer(developed)}`);
    log.handedOver(developed.result.handoff, developed.session);
    const tested = await askTester(bench, wave, work, { round, commit: at.commit, session: at.tester, bugs });
    at = { ...at, commit: tested.commit, tester: tested.session };
    if (tested.status !== 'accepted') {
      log.unverified(`${wave.id}: the tester: ${explainAnswer(tested)}`);
      return failed(at.commit, `unverified: the tester: ${explainAnswer(tested)}`);
    }
    const last = round > mostFixRounds;
    const { checks, input } = work;
    const verified = await verify(bench, `${wave.id}/verify#${round}`, {
      task: wave,
      checks,
      scope: input.scope,
      base,
      commit: at.commit,
      court,
      last,
    });
    court = verified.court;
    bugs = tested.result.bugs;
    log.tested(tested.result, bugs);
    if (verified.status === 'passed' && bugs.length === 0)
      return land(bench, wave, work, { verified, commit: at.commit, leftBehind: tested.leftBehind });
    if (verified.status === 'rejected') return failed(at.commit, verified.reason);
    if (last) return failed(at.commit, remaining(verified, bugs));
    situation = {
      mode: 'fix',
      bugs,
      report: verified.status === 'red' ? verified.report : undefined,
      findings: verified.status === 'red' ? verified.findings : [],
    };
  }
}

async function askDeveloper(
  bench: Bench,
  wave: Task,
  { input, brief }: Work,
  now: { round: number; commit: string; session: string | undefined; situation: DeveloperSituation },
): Promise<AgentAnswer<DeveloperResult>> {
  return askAgent(bench, `${wave.id}/develop#${now.round}`, {
    agent: input.agents.developer,
    role: 'developer',
    task: wave.id,
    workspace: wave.id,
    commit: now.commit,
    result: developerResult,
    prompt: developerBrief(brief, now.situation),
    recoveryPrompt: (why) => developerBrief(brief, { mode: 'recovery', why }),
    session: now.session,
    ...(input.limits === undefined ? {} : { limits: input.limits }),
  });
}

async function askTester(
  bench: Bench,
  wave: Task,
  { input, brief }: Work,
  now: { round: number; commit: string; session: string | undefined; bugs: readonly Bug[] },
): Promise<AgentAnswer<TesterResult>> {
  const situation: TesterSituation = now.round === 1 ? { mode: 'wave' } : { mode: 'retest', bugs: now.bugs };
  return askAgent(bench, `${wave.id}/test#${now.round}`, {
    agent: input.agents.tester,
    role: 'tester',
    task: wave.id,
    workspace: wave.id,
    commit: now.commit,
    result: testerResult,
    prompt: testerBrief(brief, situation),
    recoveryPrompt: (why) => testerBrief(brief, { mode: 'recovery', why }),
    session: now.session,
    ...(input.limits === undefined ? {} : { limits: input.limits }),
  });
}

async function land(
  bench: Bench,
  wave: Task,
  work: Work,
  passed: {
    verified: Extract<Verified, { status: 'passed' }>;
    commit: string;
    leftBehind: AgentAnswer<unknown>['leftBehind'];
  },
): Promise<Ended> {
  const { verified, commit, leftBehind } = passed;
  const { report, redGreen, findings, court } = verified;
  const developed = {
    status: 'passed',
    commit,
    base: work.base,
    report,
    redGreen,
    findings,
    leftBehind,
    accepted: court.accepted,
  } as const;
  const integrated = await integrate(bench, {
    task: wave,
    tasks: work.waves,
    developed,
    checks: work.checks,
    scope: work.input.scope,
    generation: 1,
  });
  if (integrated.status === 'merged') return { status: 'done', reason: '', commit };
  const reason =
    integrated.status === 'conflict'
      ? `merge conflict in ${integrated.files.join(', ')}`
      : integrated.status === 'empty'
        ? 'it changed nothing'
        : integrated.reason;
  return failed(commit, reason);
}

/** What the run needs of a wave after it: bugs, handoff, the developer's session. */
class WaveLog {
  #data: WaveData = readWaveData({});

  handedOver(handoff: Handoff, session: string | undefined): void {
    this.#data = {
      ...this.#data,
      handoff: newestHandoff(this.#data.handoff, handoff),
      ...(session === undefined ? {} : { session }),
    };
  }

  /** A bug that is not named again was mended. */
  tested(result: TesterResult, bugs: readonly Bug[]): void {
    const { found, open } = this.#data;
    const known = new Set(open.map((bug) => bug.title));
    const fresh = bugs.filter((bug) => !known.has(bug.title)).length;
    const { unit, integration, skipped } = result;
    this.#data = {
      ...this.#data,
      found: found + fresh,
      open: [...bugs],
      tests: { unit, integration, skipped: skipped.length },
      rounds: this.#data.rounds + 1,
    };
  }

  unverified(what: string): void {
    this.#data = { ...this.#data, unverified: [...this.#data.unverified, what] };
  }

  data(): null {
    return this.#data as unknown as null;
  }
}

function remaining(verified: Verified, bugs: readonly Bug[]): string {
  const red = verified.status === 'red' ? [verified.reason] : [];
  const named = bugs.length === 0 ? [] : [`${bugs.length} bug(s) remain: ${bugs.map((bug) => bug.title).join('; ')}`];
  return [...red, ...named].join('; ');
}

function failed(commit: string, reason: string): Ended {
  return { status: 'failed', reason, commit };
}

/** A fix often says nothing about what stayed as it was: per section, the newest that says something counts. */
function newestHandoff(before: Handoff, now: Handoff): Handoff {
  const newer = (section: keyof Handoff): string[] => (now[section].length > 0 ? now[section] : before[section]);
  return {
    filesModified: newer('filesModified'),
    keyInterfaces: newer('keyInterfaces'),
    stateDependencies: newer('stateDependencies'),
    deviations: newer('deviations'),
  };
}
