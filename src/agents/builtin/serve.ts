/**
 * The built-in agent as an ACP agent: translates requests into sessions and turns, and what happens in them into
 * notifications, in order. A failed model call is answered as a JSON-RPC error whose data says status, code and when to
 * try again. When the client goes away, everything ends.
 */
import {
  type AgentContext,
  agent,
  type ContentBlock,
  methods,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { callEnded, callStarted, replayUpdates, textOfBlocks, textUpdate } from './acp-updates.ts';
import type { BuiltinSetup } from './configuration.ts';
import type { McpServer } from './mcp-servers.ts';
import { providerError } from './provider-error.ts';
import { Session, type SessionRequest } from './session.ts';

export interface ServedAgent {
  readonly setup: BuiltinSetup;
  /** Settles when the agent shall end, whether or not the client is gone. */
  readonly stopped: Promise<unknown>;
}

/** Settles when the client is gone and nothing of its sessions is left. */
export async function serveBuiltinAgent(stream: Stream, { setup, stopped }: ServedAgent): Promise<void> {
  const sessions = new Map<string, Session>();
  const find = (id: string): Session => {
    const session = sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  };
  const open = async (params: OpenParams, id?: string): Promise<Session> => {
    const session = await failing(() => Session.open(setup, wishOf(params), id));
    if (session === undefined) throw RequestError.sessionNotFound(id ?? '');
    await sessions.get(session.id)?.close();
    sessions.set(session.id, session);
    return session;
  };

  const connection = agent({ name: 'forge-builtin' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'forge-builtin', title: "Forge's own agent", version: '1' },
      authMethods: [],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { embeddedContext: true },
        sessionCapabilities: { resume: {}, close: {}, systemPrompt: { mode: { override: {} } } },
      },
    }))
    .onRequest(methods.agent.session.new, async ({ params }) => {
      const session = await open(params);
      return { sessionId: session.id, configOptions: configOptions(session) };
    })
    .onRequest(methods.agent.session.resume, async ({ params }) => {
      return { configOptions: configOptions(await open(params, params.sessionId)) };
    })
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const session = await open(params, params.sessionId);
      const tell = teller(client, session.id);
      for (const update of replayUpdates(session.messages, session.tools, session.root)) tell.update(update);
      await tell.flushed();
      return { configOptions: configOptions(session) };
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
      const session = find(params.sessionId);
      const value = String(params.value);
      if (params.configId === 'model' && value !== '') session.choose({ model: value });
      else if (params.configId === 'effort') session.choose({ effort: value === defaultEffort ? undefined : value });
      else throw RequestError.invalidParams(undefined, `there is no option ${params.configId} with this value`);
      return { configOptions: configOptions(session) };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const session = find(params.sessionId);
      if (session.busy) throw RequestError.invalidRequest(undefined, 'a turn is under way in this session');
      return prompt(session, textOfBlocks(params.prompt), client);
    })
    .onRequest(methods.agent.session.close, async ({ params }) => {
      await find(params.sessionId).close();
      sessions.delete(params.sessionId);
      return {};
    })
    .onNotification(methods.agent.session.cancel, async ({ params }) => {
      await sessions.get(params.sessionId)?.cancel();
    })
    .connect(stream);

  await Promise.race([connection.closed, stopped]);
  await Promise.allSettled([...sessions.values()].map((session) => session.close()));
}

async function prompt(session: Session, text: string, client: AgentContext): Promise<PromptResponse> {
  const tell = teller(client, session.id);
  const listener = {
    text: (delta: string) => tell.update(textUpdate('agent_message_chunk', delta)),
    thought: (delta: string) => tell.update(textUpdate('agent_thought_chunk', delta)),
    callStarted: (call: Parameters<typeof callStarted>[0]) => tell.update(callStarted(call, session.root)),
    callEnded: (end: { id: string; ok: boolean; answer: Parameters<typeof callEnded>[2] }) =>
      tell.update(callEnded(end.id, end.ok, end.answer)),
    context: (used: number, size: number) => tell.update({ sessionUpdate: 'usage_update', used, size }),
  };
  try {
    const { stop, usage } = await failing(() => session.prompt(text, listener));
    const { calls, ...counted } = usage;
    return { stopReason: stop, usage: counted, _meta: { 'forge/modelCalls': calls } };
  } finally {
    // The client must have heard everything before it hears the end.
    await tell.flushed();
  }
}

/** Sends updates in order; a client that is gone ends the connection, not the turn. */
function teller(client: AgentContext, sessionId: string) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    update(update: SessionUpdate): void {
      const sent = client.notify(methods.client.session.update, { sessionId, update });
      last = Promise.all([last, sent.catch(() => undefined)]);
    },
    async flushed(): Promise<void> {
      await last;
    },
  };
}

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const data = providerError(error, Date.now());
    throw new RequestError(-32603, data.message, data);
  }
}

interface OpenParams {
  readonly cwd: string;
  readonly mcpServers?: readonly object[];
  readonly systemPrompt?: { readonly mode: string; readonly content: readonly ContentBlock[] } | null;
}

function wishOf({ cwd, mcpServers = [], systemPrompt }: OpenParams): SessionRequest {
  return {
    cwd,
    servers: mcpServers.map((server) => {
      if ('command' in server) return server as McpServer;
      throw RequestError.invalidParams(undefined, 'only MCP servers on standard input and output can be used');
    }),
    systemPrompt: systemPrompt ? { mode: systemPrompt.mode, text: textOfBlocks(systemPrompt.content) } : undefined,
  };
}

const defaultEffort = 'default';
const efforts = [defaultEffort, 'low', 'medium', 'high', 'xhigh', 'max'];

/** Any model may be set, whatever is listed: only the provider knows them all. */
function configOptions({ choice }: Session): SessionConfigOption[] {
  const effort = choice.effort ?? defaultEffort;
  return [
    {
      id: 'model',
      name: 'Model',
      category: 'model',
      type: 'select',
      currentValue: choice.model,
      options: [{ value: choice.model, name: choice.model }],
    },
    {
      id: 'effort',
      name: 'Effort',
      category: 'thought_level',
      type: 'select',
      currentValue: effort,
      options: [...new Set([...efforts, effort])].map((value) => ({ value, name: value })),
    },
  ];
}
