/**
 * The plan of a run as far as it is known: approved, as shown for approval, or only as the planner gave it. With it
 * the lessons it uses and the settings it will run under. What only `modules` has is in modules-proposal.ts.
 */
import { z } from 'zod';
import { expectedMinutes } from '../plan/graph.ts';
import { quoteCommand } from '../plan/command-line.ts';
import type { Task, VerifyEntry } from '../plan/plan.ts';
import type { PlannerResult } from '../policy/role-results.ts';
import type { AgentSettings } from '../policy/agent-settings.ts';
import { settingsSchema } from '../policy/settings.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';

export interface Proposal {
  readonly slug: string;
  readonly requirement: string;
  readonly overview: PlannerResult['overview'] | undefined;
  readonly tasks: readonly Task[];
  readonly waves: readonly (readonly string[])[];
  readonly warnings: readonly string[];
  readonly confirmedDecisions: readonly { readonly question: string; readonly answer: string }[];
  /** Asked by the planner and not answered yet. */
  readonly clarifications: PlannerResult['clarifications'];
  readonly knowledgeApplied: readonly string[];
  readonly risks: readonly string[];
  readonly isApproved: boolean;
}

/** Undefined until the planner gave a plan. */
export function proposalOf(chronicle: Chronicle): Proposal | undefined {
  const { state, waves: note, modules } = chronicle;
  const planner = lastPlan(chronicle);
  const tasks = state.plan?.tasks ?? note?.tasks ?? modules?.plan.tasks ?? planner?.tasks;
  if (tasks === undefined) return undefined;
  const confirmedDecisions = note?.confirmedDecisions ?? answeredClarifications(chronicle);
  return {
    slug: slugOf(chronicle),
    requirement: note?.requirement || requirementOf(chronicle),
    overview: note?.overview ?? planner?.overview,
    tasks,
    waves: note?.waves ?? planner?.waves ?? [],
    warnings: note?.warnings ?? modules?.warnings ?? [],
    confirmedDecisions,
    clarifications: confirmedDecisions.length > 0 ? [] : (planner?.clarifications ?? []),
    knowledgeApplied:
      note?.knowledgeApplied ?? modules?.knowledgeApplied ?? lessonTexts(chronicle, planner?.knowledgeApplied ?? []),
    risks: state.plan?.risks ?? modules?.plan.risks ?? planner?.risks ?? [],
    isApproved: state.plan !== undefined,
  };
}

export function slugOf({ state, waves, modules }: Chronicle): string {
  const input = inputSchema.safeParse(state.created?.input);
  const wanted = waves?.slug || modules?.slug || (input.success ? input.data.slug : '') || state.created?.run || 'run';
  // It becomes part of file names.
  return (
    wanted
      .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 80) || 'run'
  );
}

export function requirementOf({ state }: Chronicle): string {
  const input = inputSchema.safeParse(state.created?.input);
  return (input.success ? input.data.requirement : '') || (state.created?.title ?? '');
}

/** Waves run one after the other, so their minutes add up. */
export function forecastMinutes(tasks: readonly Task[]): number {
  return Math.round(tasks.reduce((sum, task) => sum + expectedMinutes(task), 0));
}

/** What a person should know about how it will run, in short lines. */
export function surroundings({ state }: Chronicle): { readonly name: string; readonly value: string }[] {
  const settings = settingsSchema.safeParse(state.created?.settings);
  const input = inputSchema.safeParse(state.created?.input);
  const jail = state.opened?.jail;
  const names = input.success ? [...new Set(Object.values(input.data.agents))] : [];
  const agents = names.length > 0 ? names : settings.success ? Object.keys(settings.data.agents) : [];
  const driver = (name: string): string => {
    const agent = settings.success ? settings.data.agents[name] : undefined;
    if (agent === undefined) return name;
    return `${name} (${agentText(agent)})`;
  };
  return [
    { name: 'agent', value: agents.map(driver).join(', ') || 'not known' },
    { name: 'jail', value: jail === 'none' ? 'none: agents can write wherever you can' : (jail ?? 'not known') },
    ...(settings.success
      ? [{ name: 'checks', value: checksLine(settings.data.checks.run, settings.data.checks.network) }]
      : []),
    ...(state.created === undefined
      ? []
      : [{ name: 'base', value: `${state.created.branch ?? 'a commit'} at ${state.created.base.slice(0, 7)}` }]),
  ];
}

export function entryText(entry: VerifyEntry): string {
  if (typeof entry === 'string') return entry;
  const line = typeof entry.run === 'string' ? entry.run : quoteCommand(entry.run);
  return entry.cwd === undefined ? line : `${line} (in ${entry.cwd})`;
}

/** What it is and what it reaches. */
function agentText(agent: AgentSettings): string {
  switch (agent.driver) {
    case 'scripted':
      return 'scripted';
    case 'command':
      return `${agent.run[0]}, network ${agent.network}`;
    case 'acp':
      return `${agent.agent ?? agent.run?.[0] ?? 'ACP agent'}, network ${agent.network}`;
    case 'builtin':
      return `built in, ${agent.provider} ${agent.model}, network ${agent.network}`;
  }
}

function checksLine(entries: readonly unknown[], network: string): string {
  const what = entries.length === 0 ? 'as the plan says, else discovered' : `${entries.length} from settings`;
  return `${what}, network ${network}`;
}

function lastPlan(chronicle: Chronicle): PlannerResult | undefined {
  let found: PlannerResult | undefined;
  for (let round = 1; chronicle.state.effects.has(`plan#${round}`); round += 1) {
    found = replyOf(lastReading(chronicle, `plan#${round}`), 'planner') ?? found;
  }
  return found;
}

function answeredClarifications({ state }: Chronicle): { question: string; answer: string }[] {
  return [...state.questions].flatMap(([key, { question, answer }]) => {
    if (!key.startsWith('clarify/') || answer === undefined) return [];
    const label = question.options.find((option) => option.id === answer.option)?.label;
    return [{ question: question.title, answer: answer.text ?? label ?? answer.option ?? '' }];
  });
}

function lessonTexts({ state }: Chronicle, ids: readonly string[]): string[] {
  const recalled = recallSchema.safeParse(state.effects.get('recall')?.result?.output);
  const lessons = new Map(recalled.success ? recalled.data.lessons.map((lesson) => [lesson.id, lesson.text]) : []);
  return ids.flatMap((id) => lessons.get(id) ?? []);
}

const recallSchema = z.object({ lessons: z.array(z.object({ id: z.string(), text: z.string() })) });
const inputSchema = z.object({
  slug: z.string().catch(''),
  requirement: z.string().catch(''),
  agents: z.record(z.string(), z.string()).catch({}),
});
