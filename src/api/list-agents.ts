/**
 * The agents of a project and those installed besides: whether each can start, found out by starting it in the jail with
 * no key and no session, how it would be paid for, and what it is for. Names of variables and directories, never what is
 * in them. Settings that nobody has agreed to start nothing.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { loginDirectory } from '../agents/acp/login.ts';
import type { AgentProbe } from '../agents/acp/probe.ts';
import { type AcpRecord, installLine } from '../agents/acp/record.ts';
import { ForgeError } from '../errors.ts';
import { type AgentSettings, agentSettingsSchema, tierNames } from '../policy/agent-settings.ts';
import { modelFor } from '../policy/model-choice.ts';
import { priceOf } from '../policy/prices.ts';
import { routedAgent } from '../policy/routed-agent.ts';
import { agentOfRole, type Settings, settingsSchema } from '../policy/settings.ts';
import { requireTrust } from '../trust/consent.ts';
import type { ApiContext } from './context.ts';
import { findAgents, findOnPath } from './known-agents.ts';
import type { JsonOf, Operation } from './operation.ts';
import { type AgentProbing, openProbing } from './probe-agents.ts';
import { type ProjectHere, projectHere } from './project-settings.ts';
import { builtinRoles } from './run-input.ts';

const input = z.strictObject({});

const startSchema = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('ready') }),
  z.strictObject({ status: z.literal('found') }),
  z.strictObject({ status: z.enum(['missing', 'failed', 'held']), reason: z.string(), hint: z.string().optional() }),
]);
type AgentStart = JsonOf<typeof startSchema>;

/** How it is authenticated. */
const meansSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('key'), variable: z.string(), set: z.boolean() }),
  z.strictObject({ kind: z.literal('login'), directory: z.string(), present: z.boolean(), used: z.boolean() }),
]);
export type LoginMeans = JsonOf<typeof meansSchema>;

const reportSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  driver: z.enum(['scripted', 'command', 'acp', 'builtin']),
  /** In this project's settings; else only installed. */
  configured: z.boolean(),
  program: z.string().optional(),
  version: z.string().optional(),
  start: startSchema,
  means: z.array(meansSchema),
  /** `hard`: a meter counts its requests and ends them at a limit; `soft`: known afterwards at best. */
  limits: z.enum(['hard', 'soft']),
  models: z.partialRecord(z.enum(tierNames), z.string()),
  /** Models whose price is not known: limits on dollars are soft for them. */
  unpriced: z.array(z.string()),
  roles: z.array(z.string()),
  next: z.string().optional(),
});
export type AgentReport = JsonOf<typeof reportSchema>;

const output = z.array(reportSchema);

export const listAgents: Operation<typeof input, typeof output> = {
  name: 'list-agents',
  kind: 'query',
  description: 'Lists the agents of this project and those installed besides, and checks that they start.',
  input,
  output,
  async run(context) {
    const project = await projectHere(context);
    const settings = project?.settings ?? settingsSchema.parse({});
    const held = project === undefined ? undefined : notAgreed(project, context);
    const configured = Object.entries(settings.agents);
    const named = new Set(
      configured.flatMap(([name, agent]) => (agent.driver === 'acp' ? [agent.agent ?? name] : [name])),
    );
    const others = findAgents(context.env).filter(({ name }) => !named.has(name));
    const probing = await openProbing(settings.jail.mode, context.env);
    try {
      return await Promise.all([
        ...configured.map(([name, agent]) =>
          report({ name, agent, settings, context, probing, held, configured: true }),
        ),
        ...others.map(({ name, settings: found }) => {
          const agent = agentSettingsSchema.parse(found);
          return report({ name, agent, settings, context, probing, held: undefined, configured: false });
        }),
      ]);
    } finally {
      await probing.close();
    }
  },
};

function notAgreed(project: ProjectHere, { env }: ApiContext): ForgeError | undefined {
  try {
    requireTrust(project, env);
    return undefined;
  } catch (error) {
    if (error instanceof ForgeError && error.code === 'not-trusted') return error;
    throw error;
  }
}

interface Matter {
  readonly name: string;
  readonly agent: AgentSettings;
  readonly settings: Settings;
  readonly context: ApiContext;
  readonly probing: AgentProbing;
  readonly held: ForgeError | undefined;
  readonly configured: boolean;
}

async function report(matter: Matter): Promise<AgentReport> {
  const { name, agent, settings, context, configured } = matter;
  const models = modelsOf(agent, context.env);
  const common = {
    name,
    driver: agent.driver,
    configured,
    models,
    unpriced: [...new Set(Object.values(models))].filter((model) => !priceOf(model, settings.prices).known),
    roles: configured ? await rolesOf(name, settings) : [],
    next: agent.driver === 'acp' || agent.driver === 'builtin' ? agent.next : undefined,
  };
  const unknown = { version: undefined, limits: 'soft' as const };
  if (agent.driver === 'scripted') {
    return { ...common, ...unknown, title: 'a script', program: undefined, start: { status: 'ready' }, means: [] };
  }
  if (agent.driver === 'command') {
    const [program] = agent.run;
    const means = agent.env.map((variable) => keyMeans(variable, context.env));
    return { ...common, ...unknown, title: program, ...commandStart(program, context.env), means };
  }
  try {
    return { ...common, ...(await spoken(matter, agent)) };
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const start = { status: 'failed', reason: error.message, hint: error.hint } as const;
    return { ...common, ...unknown, title: name, program: undefined, start, means: [] };
  }
}

type AcpSettings = Extract<AgentSettings, { driver: 'acp' | 'builtin' }>;

/** Of one that can be asked what it is. */
async function spoken(
  { name, context, probing, held }: Matter,
  agent: AcpSettings,
): Promise<Pick<AgentReport, 'title' | 'program' | 'version' | 'start' | 'means' | 'limits'>> {
  const { acpFacts } = await import('../agents/acp/open-acp-agent.ts');
  const { record, metered } = acpFacts(name, agent, context.env);
  const common = {
    title: record.title,
    means: meansOf(record, agent, context.env),
    limits: metered === undefined ? ('soft' as const) : ('hard' as const),
  };
  if (held !== undefined) {
    const start = { status: 'held', reason: 'its settings were not agreed to', hint: 'forge trust' } as const;
    return { ...common, program: undefined, version: undefined, start };
  }
  const own = agent.driver === 'acp' ? agent.run : undefined;
  const probe = await probing.probe({ record, program: own }, agent.network);
  const program = findOnPath((own ?? record.command)[0], context.env);
  const version = probe.status === 'ready' ? probe.version : undefined;
  return {
    ...common,
    program: probe.status === 'ready' ? probe.program : program,
    version,
    start: startOf(probe, record),
  };
}

function startOf(probe: AgentProbe, record: AcpRecord): AgentStart {
  if (probe.status === 'ready') return { status: 'ready' };
  const { status, reason } = probe;
  return { status, reason, hint: status === 'missing' ? (probe.hint ?? installLine(record)) : undefined };
}

/** A command is only ever started with work to do. */
function commandStart(program: string, env: ApiContext['env']): Pick<AgentReport, 'program' | 'start'> {
  const path = findOnPath(program, env);
  if (path !== undefined) return { program: path, start: { status: 'found' } };
  const start = { status: 'missing', reason: `${program} is not on PATH`, hint: `Install ${program}.` } as const;
  return { program: undefined, start };
}

function meansOf(record: AcpRecord, agent: AcpSettings, env: ApiContext['env']): readonly LoginMeans[] {
  const variables = agent.key === undefined ? record.keys : [agent.key];
  const given = agent.driver === 'acp' ? agent.env : [];
  const directory = agent.driver === 'acp' ? loginDirectory(record, env) : undefined;
  const login =
    directory === undefined
      ? []
      : [
          {
            kind: 'login' as const,
            directory,
            present: existsSync(directory),
            used: agent.driver === 'acp' && agent.login,
          },
        ];
  return [...new Set([...variables, ...given])].map((variable) => keyMeans(variable, env)).concat(login);
}

function keyMeans(variable: string, env: ApiContext['env']): LoginMeans {
  return { kind: 'key', variable, set: (env[variable] ?? '') !== '' };
}

function modelsOf(agent: AgentSettings, env: ApiContext['env']): AgentReport['models'] {
  return Object.fromEntries(
    tierNames.flatMap((tier) => {
      const { model } = modelFor({ tier, agent: routedAgent(agent), own: undefined, env });
      return model === undefined ? [] : [[tier, model]];
    }),
  );
}

async function rolesOf(name: string, settings: Settings): Promise<readonly string[]> {
  const [first] = Object.keys(settings.agents);
  const known = [...(await builtinRoles()), ...Object.keys(settings.roles)];
  return [...new Set(known)].filter((role) => (agentOfRole(settings, role) ?? first) === name);
}
