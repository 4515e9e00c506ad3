/**
 * One request to one of a workflow's roles: which agent plays it, what it may do and what it must answer with belong to
 * the role, everything else to the moment.
 */
import type { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { RoleSpec } from '../definition.ts';
import { type AgentAnswer, type AgentLimits, type AgentRequest, askAgent } from './ask-agent.ts';

export type RoleTable = Readonly<Record<string, RoleSpec>>;
/** What a role of a table answers with. */
export type RoleReply<T extends RoleTable, R extends keyof T> = z.output<T[R]['result']>;

export interface RoleRequest<R extends string = string> {
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
  /** Instead of what the role's table says. */
  readonly tier?: RoleSpec['tier'] | undefined;
  readonly effort?: RoleSpec['effort'];
  /** Of work that decides about more than one task: a high one gets a stronger model. */
  readonly risk?: AgentRequest<unknown>['risk'];
  /** A stronger or another model, after this one could not or would not do it. */
  readonly escalate?: AgentRequest<unknown>['escalate'];
  /** What a person reads: who is asked (the role, unless said otherwise), and what for. */
  readonly title?: string | undefined;
  readonly doing?: string | undefined;
  /** The brief, and for a recovery the same brief with the reason why there is one. */
  readonly brief: (recovery?: string) => string;
}

/** Asks the roles of one workflow. */
export type RoleAsker<T extends RoleTable> = <R extends keyof T & string>(
  bench: Bench,
  key: string,
  request: RoleRequest<R>,
) => Promise<AgentAnswer<RoleReply<T, R>>>;

export function askRolesOf<T extends RoleTable>(roles: T): RoleAsker<T> {
  return async (bench, key, request) => {
    const spec = roles[request.role];
    if (spec !== undefined) return askRole(bench, key, { ...request, spec: spec as never });
    const known = Object.keys(roles).join(', ');
    throw new Error(`there is no role ${JSON.stringify(request.role)} (declared: ${known})`);
  };
}

export function askRole<T>(
  bench: Bench,
  key: string,
  request: RoleRequest & { readonly spec: RoleSpec<T> },
): Promise<AgentAnswer<T>> {
  const { input, spec, role, workspace, task, commit, session, brief } = request;
  const limits = request.limits ?? input.limits;
  return askAgent<T>(bench, key, {
    result: spec.result,
    access: spec.access,
    tier: request.tier ?? spec.tier,
    effort: request.effort ?? spec.effort,
    thinking: spec.thinking,
    risk: request.risk,
    escalate: request.escalate,
    agent: request.agent ?? input.agents[role] ?? '',
    role,
    workspace,
    commit,
    prompt: brief(),
    recoveryPrompt: brief,
    session,
    title: request.title,
    doing: request.doing,
    ...(spec.describe === undefined ? {} : { describe: (result: T) => spec.describe?.(result) ?? { status: 'done' } }),
    ...(task === undefined ? {} : { task }),
    ...(limits === undefined ? {} : { limits }),
  });
}
