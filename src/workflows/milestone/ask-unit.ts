/** One request to a role of this workflow, in a read-only workspace of its own that goes when the answer is there. */
import type { Bench } from '../../engine/bench.ts';
import { type AgentAnswer, explainAnswer } from '../moves/ask-agent.ts';
import type { RoleReply } from '../moves/ask-role.ts';
import type { MilestoneInput } from './milestone-input.ts';
import { askMilestoneRole, type MilestoneRole, type milestoneRoles } from './roles.ts';

export interface ReaderRequest<R extends MilestoneRole> {
  readonly input: MilestoneInput;
  readonly role: R;
  readonly brief: (recovery?: string) => string;
  readonly title?: string;
  readonly doing?: string;
  readonly agent?: string | undefined;
  readonly risk?: string | undefined;
}

export type ReaderReply<R extends MilestoneRole> =
  | { readonly status: 'read'; readonly result: RoleReply<typeof milestoneRoles, R> }
  | { readonly status: 'missing'; readonly why: string };

/** `key` names the request; its workspace is named after it. */
export async function askReader<R extends MilestoneRole>(
  bench: Bench,
  key: string,
  request: ReaderRequest<R>,
): Promise<ReaderReply<R>> {
  const { input, role, brief, title, doing, agent, risk } = request;
  const { commit } = await bench.perform('integration.read', `${key}/base`, {});
  const workspace = key.replaceAll(/[^A-Za-z0-9.-]+/g, '-');
  const answer: AgentAnswer<RoleReply<typeof milestoneRoles, R>> = await askMilestoneRole(bench, key, {
    input,
    role,
    workspace,
    commit,
    brief,
    title,
    doing,
    agent,
    risk,
  });
  await bench.perform('workspace.drop', `${key}/drop`, { workspace, captured: commit, readOnly: true });
  if (answer.status === 'accepted') return { status: 'read', result: answer.result };
  return { status: 'missing', why: explainAnswer(answer) };
}
