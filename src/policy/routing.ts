/**
 * Who does a piece of work and with what: role → agent, tier, model, effort. The more specific word wins (a role's
 * default, its settings, the task's tag, its risk, what the task itself says), and every choice leaves its reason. A
 * tier or an effort that does not exist is replaced by a usual one, never refused: plans are written by models. An
 * agent that does not exist is a mistake in the settings. Pure: variables of the environment are given.
 */
import { ForgeError } from '../errors.ts';
import { type RoleSettings, tierNames } from './agent-settings.ts';
import { type Effort, effortFor, usualEffort } from './effort.ts';
import { type ModelVariables, modelFor } from './model-choice.ts';
import { type Thinking, type ThinkingAnswer, thinkingFor } from './thinking.ts';

export type Tier = (typeof tierNames)[number];
/** What is done with work that a model could not or would not do. */
export const escalationKinds = ['tier-up', 'other-model'] as const;
export type TierEscalation = (typeof escalationKinds)[number];

/** What routing needs to know of a configured agent. */
export interface RoutedAgent {
  readonly model?: string | undefined;
  readonly tiers?: Readonly<Partial<Record<Tier, string | undefined>>> | undefined;
  readonly effort?: string | undefined;
  readonly thinking?: Thinking | undefined;
  /** Whose models it talks to; `anthropic` makes the `ANTHROPIC_DEFAULT_*` variables count. */
  readonly provider?: string | undefined;
  /** Who takes over from it. */
  readonly next?: string | undefined;
}

/** What a plan says about a task; untrusted. */
export interface RoutedTask {
  readonly tag?: string | undefined;
  readonly risk?: string | undefined;
  readonly tier?: string | undefined;
  readonly effort?: string | undefined;
}

export interface RoutingQuestion {
  readonly role: string;
  readonly task?: RoutedTask | undefined;
  /** 1-based; a debugger that failed once goes up a tier. */
  readonly attempt?: number | undefined;
  /** It changes files: what the task's tag says counts for whoever does the task, not for who judges it. */
  readonly isWriter?: boolean | undefined;
  /** What the workflow gives this work where nothing else says anything. */
  readonly usual?:
    | {
        readonly tier?: Tier | undefined;
        readonly effort?: Effort | undefined;
        /** Of the strong tiers only. */
        readonly thinking?: Thinking | undefined;
      }
    | undefined;
  /** Of the work itself, for work that decides about more than one task; untrusted. */
  readonly risk?: string | undefined;
  /** In the order of the settings: the first plays every role that names none. */
  readonly agents: Readonly<Record<string, RoutedAgent>>;
  readonly roles: Readonly<Record<string, RoleSettings | undefined>>;
  /** Why the role has its agent, where that is not by the settings. */
  readonly why?: string | undefined;
  /** The `ANTHROPIC_DEFAULT_*` variables. */
  readonly env?: ModelVariables | undefined;
  /** After a handoff: this agent instead of the role's own. */
  readonly agent?: string | undefined;
  /** A stronger or another model than usual, where there is one. */
  readonly escalate?: TierEscalation | undefined;
}

export interface Route {
  readonly agent: string;
  readonly tier: Tier;
  /** Undefined: the agent's own default. */
  readonly model?: string;
  readonly effort?: Effort;
  /** Undefined: the model is not asked. */
  readonly thinking?: Thinking;
  readonly reasons: readonly string[];
}

export function routeWork(question: RoutingQuestion): Route {
  const { name, agent, settings, reason } = agentFor(question);
  const route = assemble({ question, name, agent, settings, tier: tierFor(question, settings), reasons: [reason] });
  if (question.escalate === undefined) return route;
  const other = question.escalate === 'tier-up' ? tierUp(question, route) : otherModel(question, route);
  return other ?? { ...route, reasons: [...route.reasons, 'no other model is configured'] };
}

/** One up; undefined at the top. */
export function nextTier(tier: Tier): Tier | undefined {
  return tierNames[tierNames.indexOf(tier) + 1];
}

/** The same work one tier up, where that is known to be another model: for what was too much for this one. */
export function tierUp(question: RoutingQuestion, route: Route): Route | undefined {
  const up = nextTier(route.tier);
  const agent = question.agents[route.agent];
  // The agent's one model for everything is not a step up from a tier that has its own.
  if (up === undefined || (agent?.model !== undefined && agent.tiers?.[up] === undefined)) return undefined;
  return atTier(question, route, up, 'the tier below had too little room');
}

/** The same work with another model of the same agent: for what this one refused. */
export function otherModel(question: RoutingQuestion, route: Route): Route | undefined {
  for (const tier of otherTiers[route.tier]) {
    const other = atTier(question, route, tier, 'another model was wanted');
    if (other !== undefined) return other;
  }
  return undefined;
}

/** Standard and heavy stand in for each other. */
const otherTiers: Readonly<Record<Tier, readonly Tier[]>> = {
  light: ['standard', 'heavy', 'max'],
  standard: ['heavy', 'light', 'max'],
  heavy: ['standard', 'max', 'light'],
  max: ['heavy', 'standard', 'light'],
};

/** The agents that take over from this one, in order, each once. */
export function fallbackAgents(agents: Readonly<Record<string, RoutedAgent>>, from: string): string[] {
  const chain: string[] = [];
  for (let next = agents[from]?.next; next !== undefined && agents[next] !== undefined; next = agents[next]?.next) {
    if (next === from || chain.includes(next)) break;
    chain.push(next);
  }
  return chain;
}

function agentFor({ role, roles, agents, why: given, agent: forced }: RoutingQuestion) {
  const own = roles[role];
  const settings = typeof own === 'string' ? { agent: own } : (own ?? {});
  const [first] = Object.keys(agents);
  const name = forced ?? settings.agent ?? first;
  const agent = name === undefined || !Object.hasOwn(agents, name) ? undefined : agents[name];
  if (name === undefined || agent === undefined) {
    throw new ForgeError('bad-config', name === undefined ? 'no agent is configured' : `there is no agent ${name}`, {
      hint: 'Name one under `agents` in .forge/config.yaml.',
    });
  }
  const usual = settings.agent ?? first;
  if (forced !== undefined && forced !== usual) {
    // A model of another agent means nothing to this one.
    const { model: _other, ...rest } = settings;
    return { name, agent, settings: rest, reason: `agent ${name}: it took over from ${usual ?? 'none'}` };
  }
  const usually = settings.agent === undefined ? 'the first that is configured' : `settings give it the role ${role}`;
  return { name, agent, settings, reason: `agent ${name}: ${given ?? usually}` };
}

interface ChosenTier {
  readonly tier: Tier;
  readonly reasons: readonly string[];
  /** The tier went up because of this risk; effort follows. */
  readonly escalated: boolean;
}

type OwnSettings = Exclude<RoleSettings, string>;

function tierFor(question: RoutingQuestion, settings: OwnSettings): ChosenTier {
  const { role, task = {}, attempt = 1, isWriter = taskRoles.has(role) } = question;
  const wanted = question.usual?.tier;
  const usual =
    wanted === undefined
      ? usualTier(role, attempt)
      : { tier: wanted, reason: `tier ${wanted}: usual for the role ${role} in this workflow` };
  const asked = settings.tier === undefined ? usual : readTier(settings.tier, `settings of the role ${role}`);
  if (task.tier !== undefined && task.tier !== '') return plain(readTier(task.tier, 'the task says so'));
  const tagged = task.tag !== undefined && isWriter ? tagTiers.get(task.tag.toLowerCase()) : undefined;
  if (tagged !== undefined) return plain({ tier: tagged, reason: `tier ${tagged}: the task is tagged ${task.tag}` });
  const decides = question.risk !== undefined || riskRoles.has(role);
  const escalated = decides && (question.risk ?? task.risk)?.toLowerCase() === 'high';
  const up = escalated ? nextTier(asked.tier) : undefined;
  if (up === undefined) return { ...plain(asked), escalated };
  return { tier: up, reasons: [asked.reason, `tier ${up}: the risk is high`], escalated };
}

function plain({ tier, reason }: { tier: Tier; reason: string }): ChosenTier {
  return { tier, reasons: [reason], escalated: false };
}

function usualTier(role: string, attempt: number): { tier: Tier; reason: string } {
  if (role === 'debugger' && attempt > 1) {
    return { tier: 'heavy', reason: 'tier heavy: a debugger at standard did not manage' };
  }
  const tier = roleTiers.get(role.replace(/-\d+$/, ''));
  if (tier === undefined) return { tier: 'standard', reason: `tier standard: the role ${role} has no other` };
  return { tier, reason: `tier ${tier}: usual for the role ${role}` };
}

function readTier(text: string, why: string): { tier: Tier; reason: string } {
  const tier = tierNames.find((name) => name === text.trim().toLowerCase());
  if (tier !== undefined) return { tier, reason: `tier ${tier}: ${why}` };
  return { tier: 'standard', reason: `tier standard: there is no tier ${JSON.stringify(text.slice(0, 40))}` };
}

const roleTiers: ReadonlyMap<string, Tier> = new Map([
  ['architect', 'max'],
  ['planner', 'heavy'],
  ['final-reviewer', 'heavy'],
  ['auditor', 'heavy'],
  ['reviewer', 'heavy'],
  ['developer', 'standard'],
  ['worker', 'standard'],
  ['tester', 'standard'],
  ['debugger', 'standard'],
  ['researcher', 'standard'],
  ['learner', 'light'],
  ['overseer', 'light'],
  ['scribe', 'light'],
]);

/** Roles that do a task, for which its tag says how much is needed. */
const taskRoles: ReadonlySet<string> = new Set(['developer', 'worker', 'debugger', 'tester']);
const tagTiers: ReadonlyMap<string, Tier> = new Map([['docs', 'light']]);

/** Roles that decide; a mistake of theirs costs the most where the risk is high. */
const riskRoles: ReadonlySet<string> = new Set(['architect', 'planner', 'reviewer', 'final-reviewer', 'auditor']);

interface Choice {
  readonly question: RoutingQuestion;
  readonly name: string;
  readonly agent: RoutedAgent;
  readonly settings: OwnSettings;
  readonly tier: ChosenTier;
  readonly reasons: readonly string[];
}

function assemble({ question, name, agent, settings, tier, reasons }: Choice): Route {
  const { model, reason } = modelFor({ tier: tier.tier, agent, own: settings.model, env: question.env ?? {} });
  const { effort, reasons: effortReasons } = effortFor({
    task: question.task?.effort,
    risk: tier.escalated,
    settings: settings.effort ?? agent.effort,
    usual: usualEffort({ role: question.role, tag: question.task?.tag, wanted: question.usual?.effort }),
    model,
  });
  const asked = thinkingOf(question, agent, { tier: tier.tier, model });
  return {
    agent: name,
    tier: tier.tier,
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(asked.thinking === undefined ? {} : { thinking: asked.thinking }),
    reasons: [...reasons, ...tier.reasons, reason, ...effortReasons, ...asked.reasons],
  };
}

/** The route as it is, but for the tier; undefined where the model would be the same. */
function atTier(question: RoutingQuestion, route: Route, tier: Tier, why: string): Route | undefined {
  const agent = question.agents[route.agent];
  if (agent === undefined) return undefined;
  const { model, reason } = modelFor({ tier, agent, own: undefined, env: question.env ?? {} });
  if (model === undefined || model === route.model) return undefined;
  const asked = thinkingOf(question, agent, { tier, model });
  const reasons = [`tier ${tier}: ${why}`, reason, ...asked.reasons];
  const thinking = asked.thinking === undefined ? {} : { thinking: asked.thinking };
  if (route.effort === undefined) return { agent: route.agent, tier, model, ...thinking, reasons };
  const clamped = effortFor({ task: route.effort, risk: false, settings: undefined, model });
  return {
    agent: route.agent,
    tier,
    model,
    ...(clamped.effort === undefined ? {} : { effort: clamped.effort }),
    ...thinking,
    reasons: [...reasons, ...clamped.reasons],
  };
}

/** The role's word goes before the agent's, and both before the workflow's; the model decides what it can do. */
function thinkingOf(
  { role, roles, usual }: RoutingQuestion,
  agent: RoutedAgent,
  { tier, model }: { readonly tier: Tier; readonly model: string | undefined },
): ThinkingAnswer {
  const own = roles[role];
  const wanted = (typeof own === 'object' ? own.thinking : undefined) ?? agent.thinking;
  const isStrong = tier === 'heavy' || tier === 'max';
  return thinkingFor({ wanted, usual: isStrong ? usual?.thinking : undefined, provider: agent.provider, model });
}
