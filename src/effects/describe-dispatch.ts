/** What a dispatch decided, in words for its record. Pure. */
import type { Trouble } from '../policy/agent-outcome.ts';
import type { TroubleAction } from '../policy/after-trouble.ts';
import type { Route } from '../policy/routing.ts';

export function describeRoute(role: string, { agent, model, tier, effort, thinking, reasons }: Route): string {
  const effortPart = effort === undefined ? undefined : `effort ${effort}`;
  const thinkingPart = thinking === undefined ? undefined : `thinking ${thinking}`;
  const parts = [model, `tier ${tier}`, effortPart, thinkingPart].filter(Boolean);
  return `${role} by ${agent} (${parts.join(', ')}): ${reasons.join('; ')}`;
}

const longestWords = 200;

export function describeAction(agent: string, { code, message }: Trouble, action: TroubleAction): string {
  const [words = ''] = message.trim().split('\n', 1);
  const said = words === '' ? '' : ` (${words.slice(0, longestWords)})`;
  return `${agent}: ${code}${said}; ${wording(action)}`;
}

function wording(action: TroubleAction): string {
  switch (action.action) {
    case 'retry':
      return `again in ${Math.ceil(action.delayMs / 1000)} s`;
    case 'wait':
      return `waiting until ${new Date(action.until).toISOString()}`;
    case 'tier-up':
      return `again one tier up, ${action.tier}`;
    case 'other-model':
      return `again with ${action.model}`;
    case 'handoff':
      return `${action.agent} takes over`;
    case 'stop':
      return 'stopped';
    default:
      return action satisfies never;
  }
}
