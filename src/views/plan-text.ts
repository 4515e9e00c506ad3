/**
 * What a person is asked to approve, on one page: what the workflow says about it, what it will probably use, and the
 * settings it will run with. The words are the workflow's; only forecast and surroundings are added.
 */
import type { Page } from '../policy/page.ts';
import type { AgentSettings } from '../policy/agent-settings.ts';
import { settingsSchema } from '../policy/settings.ts';
import { z } from 'zod';
import type { Question } from '../engine/facts.ts';
import type { Chronicle } from './chronicle.ts';
import { shortCommit } from './figures.ts';
import { forecastLines } from './forecast-text.ts';
import { briefLines, pageLines } from './page-text.ts';
import { plainLine } from './terminal-text.ts';
import { fieldLines, type TextOptions } from './text-block.ts';

/** Undefined while there is nothing to approve. */
export function planText(chronicle: Chronicle, options: TextOptions = {}): string | undefined {
  const page = newestPage(chronicle);
  if (page === undefined) return undefined;
  const columns = Math.max(30, options.columns ?? 80);
  const edited = editedPlan(chronicle).map((line) => `  ${line}`);
  const surroundings = surroundingsOf(chronicle).flatMap(({ name, value }) => fieldLines(name, value, columns));
  return pageLines(page, columns, [
    ...(edited.length === 0 ? [] : [['Approved with these changes', edited] as const]),
    ['Forecast', forecastLines(chronicle, columns)],
    ['Runs with', surroundings],
  ]).join('\n');
}

/** What a person is shown with a question: a plan with all that goes with it, or the question's own page. */
export function questionPage(chronicle: Chronicle, { topic, page }: Question, options: TextOptions = {}) {
  if (topic === 'approval') return planText(chronicle, options);
  return page === undefined ? undefined : pageLines(page, Math.max(30, options.columns ?? 80)).join('\n');
}

/** In short, for people who are not asked. Undefined while there is nothing to approve. */
export function overviewText(chronicle: Chronicle, options: TextOptions = {}): string | undefined {
  const page = newestPage(chronicle);
  return page === undefined ? undefined : briefLines(page, Math.max(30, options.columns ?? 80)).join('\n');
}

function newestPage({ state }: Chronicle): Page | undefined {
  return [...state.questions.values()].findLast(({ question }) => question.page !== undefined)?.question.page;
}

/** The plan as a person wrote it in their editor and the run took it; the page shows what they were asked about. */
function editedPlan({ state }: Chronicle): readonly string[] {
  const answer = [...state.questions.values()].findLast(({ question }) => question.page !== undefined)?.answer;
  if (state.plan === undefined || answer?.text === undefined) return [];
  const lines = answer.text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  // YAML: what a line is indented by says where it belongs.
  return lines.map((line) => `${' '.repeat(line.length - line.trimStart().length)}${plainLine(line)}`);
}

/** What a person should know about how it will run, in short lines. */
function surroundingsOf({ state }: Chronicle): { readonly name: string; readonly value: string }[] {
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
      : [{ name: 'base', value: `${state.created.branch ?? 'a commit'} at ${shortCommit(state.created.base)}` }]),
  ];
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
  const own = entries.length === 0 ? 'discovered' : `${entries.length} from settings`;
  return `${own}, and those of the plan, network ${network}`;
}

const inputSchema = z.object({ agents: z.record(z.string(), z.string()).catch({}) });
