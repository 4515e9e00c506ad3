/** What routing needs to know of the agents in a project's settings. Pure. */
import type { AgentSettings } from './agent-settings.ts';
import type { RoutedAgent } from './routing.ts';

export function routedAgents(agents: Readonly<Record<string, AgentSettings>>): Readonly<Record<string, RoutedAgent>> {
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, routedAgent(agent)]));
}

export function routedAgent(agent: AgentSettings): RoutedAgent {
  if (agent.driver === 'command') return {};
  if (agent.driver === 'scripted') return agent.next === undefined ? {} : { next: agent.next };
  const { model, tiers, effort, thinking, next } = agent;
  return { model, tiers, effort, thinking, next, provider: providerOf(agent) };
}

function providerOf(agent: Extract<AgentSettings, { driver: 'acp' | 'builtin' }>): string | undefined {
  if (agent.driver === 'builtin') return agent.provider;
  return agent.agent === 'claude' ? 'anthropic' : undefined;
}
