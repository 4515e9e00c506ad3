/** The workflow `milestone` as Forge runs it: its input and where it comes from, its roles, its run and its documents. */
import type { Settings } from '../../policy/settings.ts';
import type { WorkflowProgram, WorkflowRequest } from '../definition.ts';
import type { milestoneOptions } from './definition.ts';
import { milestoneDocuments } from './documents/documents.ts';
import { runMilestone } from './milestone.ts';
import { type MilestoneInput, milestoneInputSchema } from './milestone-input.ts';
import { morningReport } from './morning-report.ts';
import { milestoneRoles } from './roles.ts';

export const program: WorkflowProgram<MilestoneInput> = {
  input: milestoneInputSchema,
  roles: milestoneRoles,
  prepare: ({ settings }: WorkflowRequest<typeof milestoneOptions>) => ({
    parallel: settings.parallel,
    rereads: true,
    ...challengerFor(settings),
  }),
  run: runMilestone,
  presentation: { documents: milestoneDocuments, morning: morningReport },
};

/** Nobody finds their own mistakes: another model family challenges what this one wrote, unless the settings say who. */
function challengerFor({ agents, roles }: Settings): { readonly challenger?: string } {
  if (roles['challenger'] !== undefined || roles['reviewer'] !== undefined) return {};
  const named = roles['executor'] ?? roles['developer'];
  const [first] = Object.keys(agents);
  const author = (typeof named === 'string' ? named : named?.agent) ?? first;
  const own = author === undefined ? undefined : familyOf(agents[author]);
  const other = Object.entries(agents).find(([, settings]) => {
    const family = familyOf(settings);
    return family !== undefined && own !== undefined && family !== own;
  });
  return other === undefined ? {} : { challenger: other[0] };
}

/** Whose models an agent talks to, where its settings show it: by the model they name, else by the agent. */
function familyOf(agent: Settings['agents'][string] | undefined): string | undefined {
  if (agent === undefined || agent.driver === 'command' || agent.driver === 'scripted') return undefined;
  const models = [agent.model, ...Object.values(agent.tiers)].filter((model) => model !== undefined);
  const named = families.find(([, words]) => models.some((model) => words.test(model)))?.[0];
  return named ?? (agent.driver === 'builtin' ? agent.provider : agentFamilies[agent.agent ?? '']);
}

const agentFamilies: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
  qwen: 'qwen',
};

const families: readonly (readonly [string, RegExp])[] = [
  ['anthropic', /\b(?:claude|haiku|sonnet|opus|fable)\b/i],
  ['openai', /\b(?:gpt|codex|o[134])\b/i],
  ['google', /\b(?:gemini|gemma)\b/i],
  ['qwen', /\bq(?:wen|wq)/i],
  ['deepseek', /\bdeepseek\b/i],
  ['mistral', /\b(?:mistral|devstral|codestral)\b/i],
];
