/**
 * One request to one of the roles of a `modules` run: which agent plays it, what it may do and what it must answer with
 * are the role's, everything else is the moment's. Only workers and debuggers write.
 */
import type { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import {
  debuggerResult,
  modulePlanResult,
  overseerResult,
  reviewerResult,
  workerResult,
} from '../../policy/module-results.ts';
import { learnerResult } from '../../policy/role-results.ts';
import { type AgentAnswer, type AgentLimits, askAgent } from '../moves/ask-agent.ts';
import type { ModuleRole, ModulesInput } from './modules-input.ts';

const results = {
  architect: modulePlanResult,
  worker: workerResult,
  reviewer: reviewerResult,
  overseer: overseerResult,
  debugger: debuggerResult,
  auditor: reviewerResult,
  learner: learnerResult,
} as const satisfies Record<ModuleRole, z.ZodType>;
type Result<R extends ModuleRole> = z.infer<(typeof results)[R]>;

export interface RoleRequest<R extends ModuleRole> {
  readonly input: ModulesInput;
  readonly role: R;
  readonly workspace: string;
  readonly task?: string;
  /** Another agent than the role's own. */
  readonly agent?: string | undefined;
  readonly commit: string;
  readonly session?: string | undefined;
  readonly limits?: AgentLimits | undefined;
  /** The brief, and for a recovery the same brief with the reason why there is one. */
  readonly brief: (recovery?: string) => string;
}

export function askRole<R extends ModuleRole>(
  bench: Bench,
  key: string,
  request: RoleRequest<R>,
): Promise<AgentAnswer<Result<R>>> {
  const { input, role, workspace, task, commit, session, brief } = request;
  const limits = request.limits ?? input.limits;
  return askAgent<Result<R>>(bench, key, {
    result: results[role] as unknown as z.ZodType<Result<R>>,
    access: role === 'worker' || role === 'debugger' ? 'write' : 'read',
    agent: request.agent ?? input.agents[role],
    role,
    workspace,
    commit,
    prompt: brief(),
    recoveryPrompt: brief,
    session,
    ...(task === undefined ? {} : { task }),
    ...(limits === undefined ? {} : { limits }),
  });
}
