/**
 * A configured agent, as a project's settings name it: scripted, any command, an ACP agent, or the built-in one. Data
 * only. Keys of providers are named by the variable that holds them and never written down.
 */
import { z } from 'zod';
import { thinkingNames } from './thinking.ts';

export const networkSchema = z.enum(['on', 'loopback', 'off']);
export const argvSchema = z.tuple([z.string().min(1)], z.string());
export const agentName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);
/** ACP agents that there is a record of. */
export const knownAgents = ['claude', 'codex', 'opencode', 'gemini', 'goose', 'copilot', 'qwen'] as const;
export const tierNames = ['light', 'standard', 'heavy', 'max'] as const;

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'It is the name of a variable, such as ANTHROPIC_API_KEY, never what is in it');

/** What agents that talk to a model have in common. */
const modelled = {
  /** One model for everything, unless a tier has its own. */
  model: z.string().min(1).optional(),
  /** Which model a tier of work gets. */
  tiers: z.partialRecord(z.enum(tierNames), z.string().min(1)).default({}),
  effort: z.string().min(1).optional(),
  /** Whether its models think first, where they are asked. */
  thinking: z.enum(thinkingNames).optional(),
  /** The variable that holds the provider's key; the agent's usual one when left out. */
  key: variable.optional(),
  /** The provider's address, without `/v1`, when it is not the usual one. */
  baseUrl: z.url({ protocol: /^https?$/, error: 'It is an address with http:// or https://' }).optional(),
  /** Who takes over when this one is at its provider's limit. */
  next: agentName.optional(),
  network: networkSchema.default('on'),
};

/** What the meter lets pass for an agent beyond what it knows by itself. */
const meterSettingsSchema = z.strictObject({
  /** Fields of its requests that the meter does not know and that cost nothing, by their place: `tools[].hint`. */
  allowFields: z.array(z.string().min(1).max(200)).default([]),
  /** Dollars for one use of a tool that runs at the provider, by the tool's name. */
  fees: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/), z.number().nonnegative().max(100)).default({}),
});

export const agentSettingsSchema = z.discriminatedUnion('driver', [
  z.strictObject({
    driver: z.literal('scripted'),
    script: z.string().min(1),
    /** The variable that its key would be in, to rehearse how work moves between accounts. */
    key: variable.optional(),
    next: agentName.optional(),
  }),
  z.strictObject({
    driver: z.literal('command'),
    run: argvSchema,
    /** Names of variables of the user's environment that this agent needs; no other reaches it. */
    env: z.array(variable).default([]),
    network: networkSchema.default('on'),
  }),
  z.strictObject({
    driver: z.literal('acp'),
    /** One that Forge knows (claude, codex, opencode, gemini, goose, copilot, qwen). */
    agent: agentName.optional(),
    /** Instead of the program the known one is usually started with, or one that Forge does not know. */
    run: argvSchema.optional(),
    env: z.array(variable).default([]),
    /** Use the login that the agent's own program made; its directory is mounted, never copied. */
    login: z.boolean().default(false),
    /** `off`: its requests go to the provider directly, and limits on money are soft. */
    meter: z.union([z.enum(['auto', 'off']), meterSettingsSchema]).default('auto'),
    ...modelled,
  }),
  z.strictObject({
    driver: z.literal('builtin'),
    provider: z.enum(['anthropic', 'openai', 'openai-compatible']),
    contextTokens: z.number().int().min(4000).optional(),
    maxOutputTokens: z.number().int().min(256).optional(),
    ...modelled,
    model: z.string().min(1),
  }),
]);
export type AgentSettings = z.infer<typeof agentSettingsSchema>;

/** What a role gets: an agent, or more than that. */
export const roleSettingsSchema = z.union([
  agentName,
  z.strictObject({
    agent: agentName.optional(),
    tier: z.enum(tierNames).optional(),
    model: z.string().min(1).optional(),
    effort: z.string().min(1).optional(),
    thinking: z.enum(thinkingNames).optional(),
  }),
]);
export type RoleSettings = z.infer<typeof roleSettingsSchema>;
