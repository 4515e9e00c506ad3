/**
 * One piece of work asked of an agent, under the reply contract: a result that fits the role's schema, or
 * a fresh attempt in recovery mode with what exists so far, three attempts in all. What every attempt left
 * in the workspace is captured, whichever way it ended, and the next one starts from there.
 */
import { z } from 'zod';
import type { Bench } from '../../engine/bench.ts';
import type { EffectInput, EffectOutput } from '../../engine/effect-map.ts';
import type { StepEndInput } from '../../engine/facts.ts';
import type { Trouble } from '../../policy/agent-outcome.ts';
import type { Change, LeftBehind } from '../../policy/receipt.ts';
import { judgeReply, type ReplyVerdict, replyAttempts } from '../../policy/reply.ts';
import { countText } from '../../views/figures.ts';

export interface AgentRequest<T>
  extends Pick<EffectInput<'agent.run'>, 'agent' | 'role' | 'task' | 'workspace' | 'commit'>,
    Pick<EffectInput<'agent.run'>, 'isWhole' | 'model' | 'tools'> {
  readonly result: z.ZodType<T>;
  readonly resultSchema?: EffectInput<'agent.run'>['resultSchema'];
  readonly prompt: string;
  /** Told to a fresh attempt: what was asked, and why the one before does not count. */
  readonly recoveryPrompt: (why: string) => string;
  readonly access?: 'write' | 'read';
  /** Where settings, plan and role file say nothing. */
  readonly tier?: EffectInput<'agent.run'>['tier'];
  readonly effort?: EffectInput<'agent.run'>['effort'];
  readonly thinking?: EffectInput<'agent.run'>['thinking'];
  readonly risk?: EffectInput<'agent.run'>['risk'];
  readonly escalate?: EffectInput<'agent.run'>['escalate'];
  /** A session to continue; a recovery starts without one. */
  readonly session?: string | undefined;
  readonly limits?: AgentLimits;
  /** How often it is asked in all before it counts as exhausted; three times unless said otherwise. */
  readonly attempts?: number;
  /** What a person reads: who is asked (the role, unless said otherwise), and what for. */
  readonly title?: string | undefined;
  readonly doing?: string | undefined;
  /** What a person reads of a result. */
  readonly describe?: (result: T) => StepEndInput;
}

export type AgentLimits = { readonly wallMs?: number; readonly idleMs?: number };

export type AgentAnswer<T> = {
  /** Key of the attempt that this is the answer of. */
  readonly effect: string;
  readonly commit: string;
  readonly leftBehind: readonly LeftBehind[];
  /** What the last attempt changed, as it was captured. */
  readonly changes: readonly Change[];
  readonly session: string | undefined;
  /** Who did the last attempt, when and what it used, as it was measured. */
  readonly work: AgentWork;
} & (
  | { readonly status: 'accepted'; readonly result: T }
  | { readonly status: 'exhausted'; readonly why: string }
  | { readonly status: 'trouble'; readonly trouble: Trouble }
);

export interface AgentWork extends Pick<EffectOutput<'agent.run'>, 'route' | 'wall'> {
  readonly usage: EffectOutput<'agent.run'>['outcome']['usage'];
}

/** `key` names the work, e.g. `T3/develop#2`; attempts are `key`, then `key/recovery#2` and `#3`. */
export function askAgent<T>(bench: Bench, key: string, request: AgentRequest<T>): Promise<AgentAnswer<T>> {
  const { title = request.role, doing: detail = '' } = request;
  const end = (answer: AgentAnswer<T>): StepEndInput => describeAnswer(answer, request);
  return bench.step(key, { kind: 'agent', title, detail, end }, () => attempt(bench, key, request));
}

function describeAnswer<T>(answer: AgentAnswer<T>, request: AgentRequest<T>): StepEndInput {
  const { describe, attempts = replyAttempts } = request;
  const links = [answer.effect];
  switch (answer.status) {
    case 'accepted':
      return { ...(describe?.(answer.result) ?? { status: 'done', detail: summaryOf(answer.result) }), links };
    case 'exhausted':
      return {
        status: 'unverified',
        detail: `no usable reply in ${countText(attempts, 'attempt')}: ${answer.why}`,
        links,
      };
    case 'trouble':
      return { status: 'failed', detail: explainAnswer(answer), links };
  }
}

/** Most results have one. */
function summaryOf(result: unknown): string {
  const summary: unknown = Object(result)['summary'];
  return typeof summary === 'string' ? summary : '';
}

async function attempt<T>(bench: Bench, key: string, request: AgentRequest<T>): Promise<AgentAnswer<T>> {
  let { commit, session, prompt } = request;
  let why = '';
  for (let number = 1; ; number += 1) {
    const at = { effect: number === 1 ? key : `${key}/recovery#${number}`, number, commit, session, prompt };
    const start = {
      kind: 'agent',
      title: `attempt ${number} of ${request.attempts ?? replyAttempts}`,
      detail: why,
      end: describeAttempt,
    };
    const { ran, verdict } =
      number === 1
        ? await runAttempt(bench, request, at)
        : await bench.step(at.effect, start, () => runAttempt(bench, request, at));
    const left = {
      effect: at.effect,
      commit: ran.commit,
      leftBehind: ran.leftBehind,
      changes: ran.changes,
      session: ran.outcome.session,
      work: { usage: ran.outcome.usage, route: ran.route, wall: ran.wall },
    };
    switch (verdict.next) {
      case 'accept':
        return { ...left, status: 'accepted', result: verdict.result };
      case 'exhausted':
        return { ...left, status: 'exhausted', why: verdict.why };
      case 'trouble':
        return { ...left, status: 'trouble', trouble: verdict.trouble };
      case 'retry':
        commit = ran.commit;
        session = undefined;
        prompt = request.recoveryPrompt(verdict.why);
        why = `asking again, ${ran.outcome.status === 'replied' ? 'unusable' : 'truncated'} reply: ${verdict.why}`;
    }
  }
}

interface Attempt<T> {
  readonly ran: EffectOutput<'agent.run'>;
  readonly verdict: ReplyVerdict<T>;
}

interface AttemptPlace {
  readonly effect: string;
  readonly number: number;
  readonly commit: string;
  readonly session: string | undefined;
  readonly prompt: string;
}

async function runAttempt<T>(bench: Bench, request: AgentRequest<T>, at: AttemptPlace): Promise<Attempt<T>> {
  const { effect, number, commit, session, prompt } = at;
  const ran = await bench.perform('agent.run', effect, {
    agent: request.agent,
    role: request.role,
    ...(request.task === undefined ? {} : { task: request.task }),
    attempt: number,
    workspace: request.workspace,
    commit,
    access: request.access ?? 'write',
    ...(request.tier === undefined ? {} : { tier: request.tier }),
    ...(request.effort === undefined ? {} : { effort: request.effort }),
    ...(request.thinking === undefined ? {} : { thinking: request.thinking }),
    ...(request.risk === undefined ? {} : { risk: request.risk }),
    ...(request.escalate === undefined ? {} : { escalate: request.escalate }),
    prompt,
    ...(request.isWhole === undefined ? {} : { isWhole: request.isWhole }),
    ...(request.model === undefined ? {} : { model: request.model }),
    ...(request.tools === undefined ? {} : { tools: request.tools }),
    resultSchema: request.resultSchema ?? schemaOf(request.result),
    ...(session === undefined ? {} : { session }),
    ...request.limits,
  });
  return { ran, verdict: judgeReply(ran.outcome, request.result, number, request.attempts) };
}

/** A usable reply is described by the step around it. */
function describeAttempt({ verdict }: Attempt<unknown>): StepEndInput {
  if (verdict.next === 'accept') return { status: 'done' };
  return { status: 'failed', detail: verdict.next === 'trouble' ? verdict.trouble.message : verdict.why };
}

/** What the agent must give, as JSON Schema. */
function schemaOf(result: z.ZodType): Record<string, null> {
  return z.toJSONSchema(result, { io: 'input', unrepresentable: 'any' }) as Record<string, null>;
}

/** Why there is no result, in words. */
export function explainAnswer(answer: Exclude<AgentAnswer<unknown>, { status: 'accepted' }>): string {
  return answer.status === 'exhausted' ? answer.why : `${answer.trouble.code}: ${answer.trouble.message}`;
}
