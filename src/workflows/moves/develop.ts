/**
 * A task becomes a commit that passed, or an outcome that says why not: agent, capture, verification, and a
 * repair loop that ends after its rounds. Done is what the engine verified on that commit; what the agent
 * says about it decides nothing.
 */
import type { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { Task } from '../../plan/plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Finding } from '../../policy/finding.ts';
import type { ScopeSettings } from '../../policy/receipt.ts';
import { type AgentLimits, type AgentRequest, askAgent, explainAnswer } from './ask-agent.ts';
import { buildUntilPassed, type Passed } from './build-until-passed.ts';
import { type Checks, verify } from './verify.ts';

export interface DevelopRequest<T> {
  readonly task: Task;
  readonly agent: string;
  readonly role: string;
  readonly result: z.ZodType<T>;
  readonly prompt: (situation: Situation) => string;
  readonly checks: Checks;
  readonly scope: ScopeSettings;
  /** How often a red result goes back to the agent. */
  readonly fixRounds: number;
  /** Counts developments of one task: a merge conflict begins another, on a newer base. */
  readonly mergeRound: number;
  readonly start?: Situation;
  readonly limits?: AgentLimits;
}

/** What an agent is told about where things stand. */
export type Situation =
  | { readonly mode: 'first' }
  | { readonly mode: 'recovery'; readonly why: string }
  | { readonly mode: 'fix'; readonly report: CheckReport; readonly findings: readonly Finding[] }
  | { readonly mode: 'conflict'; readonly files: readonly string[] };

export type Developed = Passed | { readonly status: 'failed'; readonly commit: string; readonly reason: string };

export async function develop<T>(bench: Bench, request: DevelopRequest<T>): Promise<Developed> {
  const { task, checks, scope, fixRounds } = request;
  const name = workspaceName(task.id, request.mergeRound);
  const { commit: base, judge } = await bench.perform('integration.read', `${name}/base`, { task: task.id });
  const start: Standing = { situation: request.start ?? { mode: 'first' }, commit: base, session: undefined };
  const ended = await buildUntilPassed(bench, {
    task,
    checks,
    scope,
    base,
    judge,
    policy: { rounds: fixRounds + 1 },
    start,
    work: async ({ round, standing }) => {
      const answer = await askAgent(bench, `${name}/develop#${round}`, agentRequest(request, name, standing));
      if (answer.status === 'accepted') return { ...answer, status: 'worked' };
      return { status: 'over', result: failed(answer.commit, explainAnswer(answer)) };
    },
    check: async (asked, { round }) => ({ verified: await verify(bench, `${name}/verify#${round}`, asked) }),
    review: async ({ worked: { commit, session }, checked: { verified } }) => {
      if (verified.status === 'passed') return { status: 'passed' };
      if (verified.status === 'rejected') return { status: 'over', result: failed(commit, verified.reason) };
      const { report, findings, reason } = verified;
      const situation: Situation = { mode: 'fix', report, findings };
      return { status: 'red', reason, standing: { situation, commit, session } };
    },
  });
  if (ended.status === 'passed') return ended.result.passed;
  return ended.status === 'over' ? ended.result : failed(ended.standing.commit, ended.reason);
}

/** Where the work stands between two rounds. */
interface Standing {
  readonly situation: Situation;
  readonly commit: string;
  readonly session: string | undefined;
}

function failed(commit: string, reason: string): Exclude<Developed, Passed> {
  return { status: 'failed', commit, reason };
}

export function workspaceName(task: string, mergeRound: number): string {
  return mergeRound === 1 ? task : `${task}@${mergeRound}`;
}

function agentRequest<T>(request: DevelopRequest<T>, workspace: string, at: Standing): AgentRequest<T> {
  const { agent, role, task, result, prompt, limits } = request;
  return {
    agent,
    role,
    task: task.id,
    workspace,
    commit: at.commit,
    result,
    prompt: prompt(at.situation),
    recoveryPrompt: (why: string) => prompt({ mode: 'recovery', why }),
    session: at.session,
    ...(limits === undefined ? {} : { limits }),
  };
}
