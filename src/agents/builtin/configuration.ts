/**
 * What the built-in agent is told before it starts: a JSON file below its HOME, and two variables for what must not lie
 * on a disk (the address, which may hold a meter's token, and the key). Read once; anything wrong is a pointed failure.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ForgeError, messageOf } from '../../errors.ts';

/** Below HOME: configuration and sessions of the built-in agent. */
export const agentDirectory = '.forge-agent';
export const configurationFile = `${agentDirectory}/configuration.json`;
export const urlVariable = 'FORGE_BUILTIN_URL';
export const keyVariable = 'FORGE_BUILTIN_KEY';

export const builtinProviders = ['anthropic', 'openai', 'openai-compatible'] as const;
export type BuiltinProvider = (typeof builtinProviders)[number];

export const builtinConfigurationSchema = z.strictObject({
  provider: z.enum(builtinProviders),
  /** As the provider names it. */
  model: z.string().min(1),
  /** How much the model thinks, in the provider's words; its own default when left out. */
  effort: z.string().min(1).optional(),
  /** Whether it thinks first; its own default when left out. Only providers that have such a setting are told. */
  thinking: z.enum(['adaptive', 'disabled']).optional(),
  access: z.enum(['write', 'read']).default('write'),
  /** The model's window. Context is kept below it. */
  contextTokens: z.number().int().min(1024),
  maxOutputTokens: z.number().int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Model calls in one turn. */
  maxSteps: z.number().int().positive().default(200),
});
export type BuiltinConfiguration = z.infer<typeof builtinConfigurationSchema>;

export interface BuiltinSetup {
  readonly configuration: BuiltinConfiguration;
  readonly home: string;
  /** Base URL as the provider's package wants it, version included; its own default when undefined. */
  readonly url: string | undefined;
  readonly key: string | undefined;
  /** What the agent's commands get: everything but its own address and key. */
  readonly commandEnv: Readonly<Record<string, string>>;
}

export function readSetup(env: Readonly<Record<string, string | undefined>>): BuiltinSetup {
  const { HOME: home, [urlVariable]: url, [keyVariable]: key, ...rest } = env;
  if (home === undefined || home === '') throw new ForgeError('bad-config', 'the built-in agent needs HOME');
  const file = join(home, configurationFile);
  const commandEnv = Object.fromEntries(
    Object.entries({ ...rest, HOME: home }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  return { configuration: parse(file), home, url: url || undefined, key: key || undefined, commandEnv };
}

function parse(file: string): BuiltinConfiguration {
  try {
    return builtinConfigurationSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const what = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new ForgeError('bad-config', `the built-in agent's configuration ${file} is not usable: ${what}`, {
      cause: error,
    });
  }
}
