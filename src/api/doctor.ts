/** What Forge needs on this machine and in this repository, as found: tools, jail, agents. Changes nothing. */
import { z } from 'zod';
import { type Examination, examine } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import type { Settings } from '../policy/settings.ts';
import { findAgents, findOnPath, knownAgents } from './known-agents.ts';
import type { ApiContext, Operation } from './operation.ts';
import { projectHere } from './project-settings.ts';

const input = z.strictObject({});

export const doctor: Operation<typeof input, readonly Examination[]> = {
  name: 'doctor',
  summary: 'what Forge needs here, and what is missing',
  input,
  run: async (context) => [
    ...(await examine(context.cwd)),
    installedAgents(context.env),
    ...configuredAgents(await settingsOf(context), context.env),
  ],
};

function installedAgents(env: ApiContext['env']): Examination {
  const found = findAgents(env);
  const names = [...new Set(knownAgents.map(({ name }) => name))].join(', ');
  const [first] = knownAgents;
  return {
    name: 'agents',
    ok: found.length > 0,
    optional: true,
    detail:
      found.length === 0
        ? `none of those Forge knows is on PATH (${names})`
        : found.map(({ name, path }) => `${name} (${path})`).join(', '),
    hint: `Install one, e.g. ${first?.install}, or name a program of your own in .forge/config.yaml.`,
  };
}

/** Those whose program can be told from the settings. */
function configuredAgents(settings: Settings | undefined, env: ApiContext['env']): Examination[] {
  return Object.entries(settings?.agents ?? {}).flatMap(([name, agent]) => {
    const known = agent.driver === 'acp' ? knownAgents.find((one) => one.name === (agent.agent ?? name)) : undefined;
    const own = agent.driver === 'command' || agent.driver === 'acp' ? agent.run?.[0] : undefined;
    const program = own ?? known?.program;
    if (program === undefined) return [];
    const path = findOnPath(program, env);
    const hint = known === undefined ? `Install ${program}, or mend agents.${name} in the settings.` : known.install;
    const detail = path ?? `${program} is not on PATH`;
    return [{ name: `agent ${name}`, ok: path !== undefined, optional: true, detail, hint }];
  });
}

/** Undefined where there are none to be read: the examination has said why. */
async function settingsOf(context: ApiContext): Promise<Settings | undefined> {
  try {
    return (await projectHere(context))?.settings;
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
