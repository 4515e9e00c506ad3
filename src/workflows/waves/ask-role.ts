/**
 * One request to one of the four roles: which agent plays it, what it may do and what it must answer with are the
 * role's, everything else is the moment's. Planner and learner never write.
 */
import type { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import {
  type DeveloperResult,
  developerResult,
  type LearnerResult,
  learnerResult,
  type PlannerResult,
  plannerResult,
  type TesterResult,
  testerResult,
} from '../../policy/role-results.ts';
import { type AgentAnswer, askAgent } from '../moves/ask-agent.ts';
import type { WavesInput } from './waves-input.ts';

interface RoleResults {
  readonly planner: PlannerResult;
  readonly developer: DeveloperResult;
  readonly tester: TesterResult;
  readonly learner: LearnerResult;
}
type RoleName = keyof RoleResults;

const roles: {
  readonly [R in RoleName]: { readonly access: 'read' | 'write'; readonly result: z.ZodType<RoleResults[R]> };
} = {
  planner: { access: 'read', result: plannerResult },
  developer: { access: 'write', result: developerResult },
  tester: { access: 'write', result: testerResult },
  learner: { access: 'read', result: learnerResult },
};

export interface RoleRequest<R extends RoleName> {
  readonly input: WavesInput;
  readonly role: R;
  readonly workspace: string;
  readonly task?: string;
  readonly commit: string;
  readonly session?: string | undefined;
  /** The brief, and for a recovery the same brief with the reason why there is one. */
  readonly brief: (recovery?: string) => string;
}

export function askRole<R extends RoleName>(
  bench: Bench,
  key: string,
  request: RoleRequest<R>,
): Promise<AgentAnswer<RoleResults[R]>> {
  const { input, role, workspace, task, commit, session, brief } = request;
  return askAgent<RoleResults[R]>(bench, key, {
    ...roles[role],
    agent: input.agents[role],
    role,
    workspace,
    commit,
    prompt: brief(),
    recoveryPrompt: brief,
    session,
    ...(task === undefined ? {} : { task }),
    ...(input.limits === undefined ? {} : { limits: input.limits }),
  });
}
