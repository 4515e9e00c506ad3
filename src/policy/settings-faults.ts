/**
 * Mistakes that the shape of settings does not show: names that lead nowhere, and agents that could never start. Looked
 * for when a person's file is read, so that nothing begins with them; settings that a run recorded are taken as they are.
 * Pure.
 */

import type { VerifyEntry } from '../plan/plan.ts';
import { type Issue, quoteList, quoteUntrusted } from '../plan/refusal.ts';
import { nearestWord } from '../plan/task-id.ts';
import { type AgentSettings, knownAgents } from './agent-settings.ts';
import { effortNames, isEffort } from './effort.ts';
import type { Settings } from './settings.ts';

interface Shown extends Pick<Settings, 'commits' | 'agents' | 'roles' | 'checks' | 'store'> {
  /** Of all agents, where not all of them could be read. */
  readonly names?: readonly string[];
}

export function settingsFaults({ agents, roles, checks, commits, store, ...more }: Shown): readonly Issue[] {
  const names = more.names ?? Object.keys(agents);
  return [
    ...Object.entries(agents).flatMap(([name, agent]) => agentFaults(`agents.${name}`, agent, names)),
    ...(commits.as === undefined ? [] : [chosenAuthor]),
    ...(store === undefined ? [] : [chosenStore]),
    ...checks.run.flatMap((entry, at) => blankCheckFault(`checks.run[${at}]`, entry)),
    ...Object.entries(roles).flatMap(([role, given]) => {
      const { agent, effort } = typeof given === 'string' ? { agent: given, effort: undefined } : given;
      const where = `roles.${role}`;
      const place = typeof given === 'string' ? where : `${where}.agent`;
      return [...nameFault(place, agent, names), ...effortFault(where, effort)];
    }),
  ];
}

/** A repository's file must not put a person's name under work. */
const chosenAuthor: Issue = {
  where: 'commits.as',
  problem: 'It is not for a file: Forge asks git who you are when a run starts.',
  fix: 'Use "author: user".',
};

const chosenStore: Issue = {
  where: 'store',
  problem: 'It is not for a file: Forge uses the nearest .forge/store, from where you start a run.',
  fix: 'Remove it.',
};

/** An entry that runs nothing would pass for a check. */
function blankCheckFault(where: string, entry: VerifyEntry): readonly Issue[] {
  const run = typeof entry === 'string' ? entry : entry.run;
  const program = typeof run === 'string' ? run : (run[0] ?? '');
  if (program.trim() !== '') return [];
  return [{ where, problem: 'The entry is blank, so there is nothing to run.', fix: 'Give a command, or remove it.' }];
}

function agentFaults(where: string, agent: AgentSettings, names: readonly string[]): readonly Issue[] {
  if (agent.driver === 'command') return [];
  const next = nameFault(`${where}.next`, agent.next, names);
  if (agent.driver === 'scripted') return next;
  const own = agent.driver === 'acp' ? programFault(where, agent) : providerFault(where, agent);
  return [...own, ...next, ...effortFault(where, agent.effort)];
}

function programFault(where: string, agent: Extract<AgentSettings, { driver: 'acp' }>): readonly Issue[] {
  if (agent.agent === undefined) {
    const fix = 'Set "agent" to one that Forge knows, or "run" to the program and its arguments.';
    return agent.run === undefined ? [{ where, problem: 'Neither a known agent nor a program is named.', fix }] : [];
  }
  if ((knownAgents as readonly string[]).includes(agent.agent)) return [];
  const problem = `Forge does not know ${quoteUntrusted(agent.agent)}.`;
  const others = `Known: ${knownAgents.join(', ')}; any other by "run" alone.`;
  return [{ where: `${where}.agent`, problem, fix: meant(agent.agent, knownAgents) ?? others }];
}

function providerFault(where: string, agent: Extract<AgentSettings, { driver: 'builtin' }>): readonly Issue[] {
  const unplaced: Issue = {
    where: `${where}.baseUrl`,
    problem: 'It is missing, and an OpenAI-compatible provider has no usual address.',
    fix: 'Give its address, such as http://127.0.0.1:11434/v1.',
  };
  const unconnected: Issue = {
    where: `${where}.network`,
    problem: `With ${quoteUntrusted(agent.network)} the agent reaches neither its provider nor the meter.`,
    fix: 'Leave it out, or set it to on.',
  };
  return [
    ...(agent.provider === 'openai-compatible' && agent.baseUrl === undefined ? [unplaced] : []),
    ...(agent.network === 'on' ? [] : [unconnected]),
  ];
}

function nameFault(where: string, name: string | undefined, names: readonly string[]): readonly Issue[] {
  if (name === undefined || names.includes(name)) return [];
  const all = names.length === 0 ? 'None is configured below "agents".' : `Configured: ${quoteList(names)}.`;
  return [{ where, problem: `There is no agent ${quoteUntrusted(name)}.`, fix: meant(name, names) ?? all }];
}

/** Spelt as a task may spell it: any case. */
function effortFault(where: string, effort: string | undefined): readonly Issue[] {
  if (effort === undefined || isEffort(effort.trim().toLowerCase())) return [];
  const problem = `There is no effort ${quoteUntrusted(effort)}.`;
  return [{ where: `${where}.effort`, problem, fix: `Use one of ${effortNames.join(', ')}.` }];
}

function meant(word: string, known: readonly string[]): string | undefined {
  const near = nearestWord(word, known);
  return near === undefined ? undefined : `Did you mean ${near}?`;
}
