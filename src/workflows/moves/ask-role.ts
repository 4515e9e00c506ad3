/**
 * One request to one of the roles: which agent plays it, what it may do and what it must answer with are the role's,
 * everything else is the moment's. Only those who build write.
 */
import type { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import { type RoleName, type RoleReply, roleSchemas } from '../../policy/role-replies.ts';
import { describeReply } from './describe-reply.ts';
import { type AgentAnswer, type AgentLimits, askAgent } from './ask-agent.ts';

export interface RoleRequest<R extends RoleName> {
  /** What the run was started with. */
  readonly input: {
    readonly agents: Readonly<Record<R, string>>;
    readonly limits?: AgentLimits | undefined;
  };
  readonly role: R;
  readonly workspace: string;
  readonly task?: string;
  /** Another agent than the role's own. */
  readonly agent?: string | undefined;
  readonly commit: string;
  readonly session?: string | undefined;
  readonly limits?: AgentLimits | undefined;
  /** What a person reads: who is asked (the role, unless said otherwise), and what for. */
  readonly title?: string | undefined;
  readonly doing?: string | undefined;
  /** The brief, and for a recovery the same brief with the reason why there is one. */
  readonly brief: (recovery?: string) => string;
}

const writers: ReadonlySet<RoleName> = new Set(['developer', 'tester', 'worker', 'debugger']);

export function askRole<R extends RoleName>(
  bench: Bench,
  key: string,
  request: RoleRequest<R>,
): Promise<AgentAnswer<RoleReply<R>>> {
  const { input, role, workspace, task, commit, session, brief } = request;
  const limits = request.limits ?? input.limits;
  return askAgent<RoleReply<R>>(bench, key, {
    result: roleSchemas[role] as unknown as z.ZodType<RoleReply<R>>,
    access: writers.has(role) ? 'write' : 'read',
    agent: request.agent ?? input.agents[role],
    role,
    workspace,
    commit,
    prompt: brief(),
    recoveryPrompt: brief,
    session,
    title: request.title,
    doing: request.doing,
    describe: (result) => describeReply(role, result),
    ...(task === undefined ? {} : { task }),
    ...(limits === undefined ? {} : { limits }),
  });
}
