/**
 * What Forge needs on this machine and in this repository, as found: tools, jail, settings, agents that can start. What a
 * run could not do without is not optional. Changes nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Examination, examineMachine } from '../compose.ts';
import { ForgeError } from '../errors.ts';
import { isAgreed } from '../trust/consent.ts';
import type { ApiContext } from './context.ts';
import { examineChecks } from './examine-checks.ts';
import { examineStructure } from './examine-structure.ts';
import { findAgents, knownAgents } from './known-agents.ts';
import { type AgentReport, listAgents } from './list-agents.ts';
import type { Operation } from './operation.ts';
import { type ProjectHere, projectHere } from './project-settings.ts';

const input = z.strictObject({});

const output = z.array(
  z.strictObject({
    name: z.string(),
    ok: z.boolean(),
    /** Forge works without it; `detail` says what is lost. */
    optional: z.boolean(),
    detail: z.string(),
    hint: z.string(),
  }),
);

export const doctor: Operation<typeof input, typeof output> = {
  name: 'doctor',
  kind: 'query',
  description: 'Checks what Forge needs on this machine and in this repository.',
  input,
  output,
  run: async (context) => {
    const found = await examineMachine(context.cwd);
    const checks = found.every(({ ok }) => ok) ? await examineChecks(context) : [];
    return [
      ...found,
      ...checks,
      ...(await examineStructure(context)),
      installedAgents(context.env),
      ...(await projectAgents(context, found)),
    ];
  },
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
    hint: `Install one, such as: ${first?.install}. Then run forge init: it adds the agent to .forge/config.yaml.`,
  };
}

/** Those of this project's settings. A project that has settings wants runs, and those need an agent. */
async function projectAgents(context: ApiContext, found: readonly Examination[]): Promise<readonly Examination[]> {
  const project = await readProject(context);
  if (project === undefined) return [];
  const { repo, settings } = project;
  if (!existsSync(join(repo.root, '.forge', 'config.yaml'))) {
    const detail = '.forge/config.yaml is not there yet';
    return [{ name: 'project', ok: false, optional: true, detail, hint: 'Write it: forge init' }];
  }
  if (Object.keys(settings.agents).length === 0) {
    const detail = '.forge/config.yaml names none, so no run can start';
    return [{ name: 'project agents', ok: false, optional: false, detail, hint: 'Install one, then run: forge init' }];
  }
  // Without a jail they cannot be tried, and that is what has to be fixed first.
  if (found.some(({ name, ok, optional }) => name === 'jail' && !ok && !optional)) return [];
  const reports = (await listAgents.run(context, {})).filter(({ configured }) => configured);
  return [...examineTrust(project, context), ...reports.map((report) => examineAgent(report, project))];
}

/** A run asks for it at a terminal, and is refused elsewhere. */
function examineTrust(project: ProjectHere, { env }: ApiContext): readonly Examination[] {
  if (isAgreed(project, env)) return [];
  const detail = "this repository's Forge settings need your consent before anything runs";
  return [{ name: 'trust', ok: false, optional: true, detail, hint: 'Look at them and agree: forge trust' }];
}

function examineAgent(
  { name, start, roles, means, driver }: AgentReport,
  { repo, settings }: ProjectHere,
): Examination {
  // Who plays no role is only missed when somebody else is at their limit.
  const common = { name: `agent ${name}`, optional: roles.length === 0 };
  const agent = settings.agents[name];
  if (agent?.driver === 'scripted' && !existsSync(join(repo.root, agent.script))) {
    return {
      ...common,
      ok: false,
      detail: `${agent.script} is not there`,
      hint: `Write it, or change agents.${name}.`,
    };
  }
  if (start.status !== 'ready' && start.status !== 'found') {
    const hint = start.hint ?? `See what it says: forge agents test ${name}`;
    return { ...common, ok: false, detail: start.reason, hint };
  }
  const keys = means.flatMap((one) => (one.kind === 'key' ? [one.variable] : []));
  const isPaid = means.length === 0 || means.some((one) => (one.kind === 'key' ? one.set : one.present && one.used));
  if (isPaid) return { ...common, ok: true, detail: start.status === 'ready' ? 'starts' : 'is installed', hint: '' };
  // It may have a way of its own that Forge does not know of.
  const hint =
    driver === 'acp' ? `Set ${keys.join(' or ')}, or use its login (login: true).` : `Set ${keys.join(' or ')}.`;
  return { ...common, ok: false, optional: true, detail: 'starts, but has no key and no login', hint };
}

/** Undefined where there is none to be read: the examination has said why. */
async function readProject(context: ApiContext): Promise<ProjectHere | undefined> {
  try {
    return await projectHere(context);
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
