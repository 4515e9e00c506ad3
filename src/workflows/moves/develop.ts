/**
 * A task becomes a commit that passed, or an outcome that says why not: agent, capture, verification, and a
 * repair loop that ends after its rounds. Done is what the engine verified on that commit; what the agent
 * says about it decides nothing.
 */
import type { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { Task } from '../../plan/plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Finding, RedGreen } from '../../policy/finding.ts';
import type { LeftBehind, ScopeFlag, ScopeSettings } from '../../policy/receipt.ts';
import { type AgentLimits, type AgentRequest, askAgent, explainAnswer } from './ask-agent.ts';
import { type Checks, type JudgingBasis, verify } from './verify.ts';

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
  readonly generation: number;
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

export interface Passed {
  readonly status: 'passed';
  readonly commit: string;
  readonly base: string;
  readonly report: CheckReport;
  readonly redGreen: readonly RedGreen[];
  readonly findings: readonly Finding[];
  readonly leftBehind: readonly LeftBehind[];
  /** What was accepted about it: changes of what judges, evidence that a person or the settings let pass. */
  readonly accepted: readonly ScopeFlag[];
}

export async function develop<T>(bench: Bench, request: DevelopRequest<T>): Promise<Developed> {
  const { task, checks, scope, fixRounds } = request;
  const name = workspaceName(task.id, request.generation);
  const { commit: base, judge } = await bench.perform('integration.read', `${name}/base`, { task: task.id });
  let situation = request.start ?? { mode: 'first' };
  let at: { commit: string; session: string | undefined } = { commit: base, session: undefined };
  let basis: JudgingBasis = { judge, accepted: [] };
  for (let round = 1; ; round += 1) {
    const answer = await askAgent(bench, `${name}/develop#${round}`, agentRequest(request, name, { ...at, situation }));
    const { commit, leftBehind } = answer;
    if (answer.status !== 'accepted') return { status: 'failed', commit, reason: explainAnswer(answer) };
    at = answer;
    const last = round > fixRounds;
    const verified = await verify(bench, `${name}/verify#${round}`, { task, checks, scope, base, commit, basis, last });
    const { report } = verified;
    basis = verified.basis;
    if (verified.status === 'passed') {
      const { redGreen, findings } = verified;
      return { status: 'passed', commit, base, report, redGreen, findings, leftBehind, accepted: basis.accepted };
    }
    if (verified.status === 'rejected' || last) return { status: 'failed', commit, reason: verified.reason };
    situation = { mode: 'fix', report, findings: verified.findings };
  }
}

export function workspaceName(task: string, generation: number): string {
  return generation === 1 ? task : `${task}@${generation}`;
}

function agentRequest<T>(
  request: DevelopRequest<T>,
  workspace: string,
  at: { commit: string; session: string | undefined; situation: Situation },
): AgentRequest<T> {
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
