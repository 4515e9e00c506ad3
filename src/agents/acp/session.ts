/**
 * Opens a session with an ACP agent: introduces the two sides, continues an earlier session where the agent can, and
 * chooses mode, model and effort as the agent's record says. Answers are read as coming from a stranger.
 */
import { z } from 'zod';
import { type AcpConnection, ConnectionClosed, RequestRefused } from './connection.ts';
import type { AcpRecord } from './record.ts';

export interface InitializedAgent {
  readonly protocolVersion: number;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly takesSystemPrompt: boolean;
  readonly authMethods: readonly string[];
}

export interface SessionRequest {
  readonly record: AcpRecord;
  readonly cwd: string;
  readonly server: {
    readonly name: string;
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  readonly systemPrompt: string;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The one to continue. */
  readonly earlier: string | undefined;
}

export interface OpenedSession {
  readonly id: string;
  readonly continued: boolean;
  /** Why the earlier session could not be continued. */
  readonly lost: string | undefined;
  readonly choices: Choices;
}

type Choices = z.infer<typeof choicesSchema>;

const absent = () => undefined;
const text = z.string().optional().catch(absent);
const present = z
  .unknown()
  .optional()
  .transform((value) => typeof value === 'object' && value !== null);
const introductionSchema = z.object({
  protocolVersion: z.number(),
  agentInfo: z.object({ name: text, version: text }).nullish().catch(absent),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().optional().catch(absent),
      sessionCapabilities: z.object({ resume: present, systemPrompt: present }).nullish().catch(absent),
    })
    .nullish()
    .catch(absent),
  authMethods: z
    .array(z.object({ id: z.string() }))
    .nullish()
    .catch(absent),
});
const optionSchema = z.object({
  id: z.string(),
  category: text,
  currentValue: z.unknown().optional(),
  options: z.unknown().optional(),
});
const choicesSchema = z
  .object({
    sessionId: text,
    modes: z
      .object({ currentModeId: text, availableModes: z.array(z.object({ id: z.string() })).catch([]) })
      .nullish()
      .catch(absent),
    configOptions: z.array(optionSchema).nullish().catch(absent),
  })
  .catch({ sessionId: undefined, modes: undefined, configOptions: undefined });

const protocolVersion = 1;

export async function initializeAgent(connection: AcpConnection): Promise<InitializedAgent> {
  const answer = await connection.request('initialize', {
    protocolVersion,
    clientInfo: { name: 'forge', version: '1' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  const read = introductionSchema.safeParse(answer);
  if (!read.success) throw new RequestRefused(0, 'the agent does not speak the Agent Client Protocol', answer);
  const { agentInfo, agentCapabilities: can, authMethods, protocolVersion: theirs } = read.data;
  if (theirs !== protocolVersion)
    throw new RequestRefused(0, `the agent speaks version ${theirs} of the protocol only`, {});
  return {
    protocolVersion: theirs,
    name: agentInfo?.name,
    version: agentInfo?.version,
    canLoad: can?.loadSession === true,
    canResume: can?.sessionCapabilities?.resume === true,
    takesSystemPrompt: can?.sessionCapabilities?.systemPrompt === true,
    authMethods: (authMethods ?? []).map(({ id }) => id),
  };
}

export async function openSession(connection: AcpConnection, wish: SessionRequest): Promise<OpenedSession> {
  const { record, earlier } = wish;
  const agent = await initializeAgent(connection);
  if (record.authenticate !== undefined) await connection.request('authenticate', { methodId: record.authenticate });
  const params = openingParams(wish, agent);
  const reasons: string[] = [];
  for (const way of earlier === undefined ? [] : record.resume) {
    if (!(way === 'resume' ? agent.canResume : agent.canLoad)) continue;
    try {
      const answer = await connection.request(`session/${way}`, { ...params, sessionId: earlier });
      return { id: earlier ?? '', continued: true, lost: undefined, choices: choicesSchema.parse(answer ?? {}) };
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      reasons.push(error.message);
    }
  }
  const choices = choicesSchema.parse(await connection.request('session/new', params));
  if (choices.sessionId === undefined) throw new RequestRefused(0, 'the agent opened no session', {});
  const lost = earlier === undefined ? undefined : (reasons.at(-1) ?? 'the agent cannot continue sessions');
  return { id: choices.sessionId, continued: false, lost, choices };
}

function openingParams(wish: SessionRequest, agent: InitializedAgent): object {
  const { name, command, args, env } = wish.server;
  const variables = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
  const system = { mode: 'append', content: [{ type: 'text', text: wish.systemPrompt }] };
  return {
    cwd: wish.cwd,
    mcpServers: [{ name, command, args, env: variables }],
    ...(wish.record.systemPrompt === 'session' && agent.takesSystemPrompt ? { systemPrompt: system } : {}),
    ...(wish.meta === undefined ? {} : { _meta: wish.meta }),
  };
}

export interface WantedSettings {
  readonly record: AcpRecord;
  readonly model: string | undefined;
  readonly effort: string | undefined;
}

/** Another model than the one asked for would cost and do something else, so that fails; a mode or an effort that it does not take is only noted. */
export async function chooseSettings(
  connection: AcpConnection,
  { id, choices, continued }: OpenedSession,
  { record, model, effort }: WantedSettings,
): Promise<readonly string[]> {
  const option = (category: string) => choices.configOptions?.find((candidate) => candidate.category === category);
  const set = (configId: string, value: string) =>
    connection.request('session/set_config_option', { sessionId: id, configId, value });
  const notes: string[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof ConnectionClosed) throw error;
      notes.push(`The agent did not take the ${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  if (record.asksForTitle === true && !continued)
    await attempt('title', () => connection.request('session/set_title', { sessionId: id, title: 'Forge' }));
  const { mode } = record;
  if (mode !== undefined && choices.modes?.currentModeId !== mode)
    await attempt(`mode ${mode}`, () => connection.request('session/set_mode', { sessionId: id, modeId: mode }));
  const models = option('model');
  if (model !== undefined && record.model === 'set-model')
    await chooseModel(() => connection.request('session/set_model', { sessionId: id, modelId: model }));
  else if (model !== undefined && record.model === 'config-option' && models?.currentValue !== model)
    await chooseModel(() => set(models?.id ?? 'model', model));
  const efforts = option('thought_level');
  if (effort !== undefined && record.model !== 'configuration' && efforts !== undefined)
    await attempt(`effort ${effort}`, () => set(efforts.id, effort));
  return notes;
}

async function chooseModel(request: () => Promise<unknown>): Promise<void> {
  try {
    await request();
  } catch (error) {
    throw error instanceof RequestRefused ? new RequestRefused(0, error.message, { code: 'model_not_found' }) : error;
  }
}
