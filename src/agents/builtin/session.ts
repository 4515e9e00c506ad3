/**
 * One conversation: what it knows, the tools it has, and at most one turn at a time. Kept on disk before the model is
 * asked and after every whole step, so that whoever continues it finds what was said. Owns its MCP servers.
 */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { ModelMessage } from 'ai';
import type { BuiltinConfiguration, BuiltinSetup } from './configuration.ts';
import { completeToolCalls, loadSession, type StoredSession, saveSession } from './history.ts';
import { runTurn, type TurnEnd, type TurnEvents } from './loop.ts';
import { connectMcpServers, type McpConnections, type McpServer } from './mcp-servers.ts';
import { loadToolkit, openModel } from './providers.ts';
import { baseSystemPrompt } from './system-prompt.ts';
import { type LoopTool, toolSet } from './tool-set.ts';

export interface SessionRequest {
  readonly cwd: string;
  readonly servers: readonly McpServer[];
  readonly systemPrompt: { readonly mode: string; readonly text: string } | undefined;
}

type Listener = Omit<TurnEvents, 'step'> & { context(used: number, size: number): void };

export class Session {
  readonly id: string;
  readonly root: string;
  readonly tools: readonly LoopTool[];
  readonly #setup: BuiltinSetup;
  readonly #connections: McpConnections;
  readonly #systemPrompt: string;
  #choice: Pick<BuiltinConfiguration, 'model' | 'effort'>;
  #messages: readonly ModelMessage[];
  #turn: { readonly stop: AbortController; readonly ended: Promise<unknown> } | undefined;

  private constructor(parts: Parts) {
    const { setup, root, connections, stored } = parts;
    this.id = parts.id;
    this.root = root;
    this.#setup = setup;
    this.#connections = connections;
    this.#systemPrompt = parts.systemPrompt;
    // The configuration of this process counts: a session may be continued with another model.
    this.#choice = setup.configuration;
    this.#messages = stored?.messages ?? [];
    const place = { root, env: setup.commandEnv };
    this.tools = toolSet(place, setup.configuration.access, connections.tools);
  }

  /** Undefined: there is no session of this id. */
  static async open(setup: BuiltinSetup, wish: SessionRequest, id?: string): Promise<Session | undefined> {
    const stored = id === undefined ? undefined : loadSession(setup.home, id);
    if (id !== undefined && stored === undefined) return undefined;
    const root = realpathSync(wish.cwd);
    const connections = await connectMcpServers(wish.servers, root);
    const systemPrompt = systemPromptOf(wish, stored, baseSystemPrompt(root, setup.configuration.access));
    const session = new Session({ id: id ?? randomUUID(), setup, root, connections, stored, systemPrompt });
    session.#save();
    return session;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get choice(): Pick<BuiltinConfiguration, 'model' | 'effort'> {
    return this.#choice;
  }

  get busy(): boolean {
    return this.#turn !== undefined;
  }

  choose(choice: Partial<Pick<BuiltinConfiguration, 'model' | 'effort'>>): void {
    this.#choice = { ...this.#choice, ...choice };
    this.#save();
  }

  async prompt(text: string, listener: Listener): Promise<TurnEnd> {
    const stop = new AbortController();
    const ended = this.#perform(text, listener, stop.signal);
    this.#turn = { stop, ended: ended.catch(() => undefined) };
    try {
      return await ended;
    } finally {
      this.#turn = undefined;
    }
  }

  /** Settles when the turn has ended and nothing it started is left. */
  async cancel(): Promise<void> {
    this.#turn?.stop.abort();
    await this.#turn?.ended;
  }

  async close(): Promise<void> {
    await this.cancel();
    await this.#connections.close();
  }

  async #perform(text: string, listener: Listener, signal: AbortSignal): Promise<TurnEnd> {
    const { configuration, url, key } = this.#setup;
    const chosen = { ...configuration, ...this.#choice };
    const before = asked(completeToolCalls(this.#messages), text);
    this.#messages = before;
    this.#save();
    const [toolkit, opened] = await Promise.all([loadToolkit(), openModel(chosen, { url, key })]);
    const events: TurnEvents = {
      ...listener,
      step: (messages, used) => {
        this.#messages = [...before, ...messages];
        this.#save();
        listener.context(used, configuration.contextTokens);
      },
    };
    const { tools } = this;
    return runTurn({
      toolkit,
      opened,
      configuration: chosen,
      systemPrompt: this.#systemPrompt,
      messages: before,
      tools,
      events,
      signal,
    });
  }

  #save(): void {
    const { model, effort } = this.#choice;
    const choice = { model, ...(effort === undefined ? {} : { effort }) };
    const kept = { systemPrompt: this.#systemPrompt, messages: [...this.#messages], ...choice };
    saveSession(this.#setup.home, this.id, kept);
  }
}

interface Parts {
  readonly id: string;
  readonly setup: BuiltinSetup;
  readonly root: string;
  readonly connections: McpConnections;
  readonly stored: StoredSession | undefined;
  readonly systemPrompt: string;
}

/** A turn that failed before its first step is tried again with the same words: the model needs them once. */
function asked(messages: readonly ModelMessage[], text: string): readonly ModelMessage[] {
  const last = messages.at(-1);
  return last?.role === 'user' && last.content === text ? messages : [...messages, { role: 'user', content: text }];
}

function systemPromptOf({ systemPrompt }: SessionRequest, stored: StoredSession | undefined, base: string): string {
  if (systemPrompt === undefined) return stored?.systemPrompt ?? base;
  return systemPrompt.mode === 'override' ? systemPrompt.text : `${base}\n\n${systemPrompt.text}`;
}
