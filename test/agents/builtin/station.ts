/**
 * What a test of the built-in agent needs: a workspace, a HOME, the scripted model on loopback, and the real agent on the
 * other side of a real ACP connection. Loading it takes a process longer than most turns, so `start` serves it from this
 * one; what depends on a process is tried with `startChild`. Everything lives in one temporary directory and ends with
 * `close`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type ClientConnection,
  type ClientContext,
  client,
  methods,
  type NewSessionRequest,
  ndJsonStream,
  type PromptResponse,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { type BuiltinOptions, builtinRecord } from '../../../src/agents/acp/records/builtin.ts';
import { readSetup } from '../../../src/agents/builtin/configuration.ts';
import { serveBuiltinAgent } from '../../../src/agents/builtin/serve.ts';
import type { Script } from '../../clients/model-server/script.ts';
import { type ModelServer, startModelServer } from '../../clients/model-server/server.ts';

export interface Station {
  readonly root: string;
  readonly tree: string;
  readonly home: string;
  readonly model: ModelServer;
  readonly start: (options?: StartOptions) => Promise<RunningAgent>;
  readonly startChild: (options?: StartOptions) => Promise<RunningAgent & { readonly child: ChildProcess }>;
  close(): Promise<void>;
}

type StartOptions = Partial<BuiltinOptions> & { readonly access?: 'read' | 'write' };

export interface RunningAgent {
  readonly agent: ClientContext;
  readonly updates: readonly SessionUpdate[];
  stderr(): string;
  newSession(detail?: Partial<NewSessionRequest>): Promise<string>;
  prompt(sessionId: string, text: string): Promise<PromptResponse>;
  /** Closes its input and waits for its end; answers the exit code. */
  end(): Promise<number | null>;
}

export async function makeStation(script: Script): Promise<Station> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'forge-builtin-')));
  const [tree, home] = [join(root, 'tree'), join(root, 'home')];
  for (const directory of [tree, home]) mkdirSync(directory);
  const model = await startModelServer(script);
  const running: RunningAgent[] = [];
  const prepare = ({ access = 'write', ...options }: StartOptions = {}) => {
    const record = builtinRecord({ provider: 'anthropic', model: 'scripted-1', baseUrl: model.url, ...options });
    const { env, files } = record.configure({
      home,
      tmp: root,
      tree,
      url: undefined,
      key: 'dummy-key',
      model: undefined,
      effort: undefined,
      access,
      systemPrompt: '',
    });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), content);
    }
    return { command: record.command, env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env } };
  };
  return {
    root,
    tree,
    home,
    model,
    async start(wanted) {
      const { env } = prepare(wanted);
      const [toAgent, toClient] = [new PassThrough(), new PassThrough()];
      const served = serveBuiltinAgent(wire(toClient, toAgent), {
        setup: readSetup(env),
        stopped: new Promise(() => {}),
      });
      const ended = served.then(() => 0);
      const agent = await connect(wire(toAgent, toClient), tree, {
        stderr: () => '',
        close: () => toAgent.end(),
        ended,
      });
      running.push(agent);
      return agent;
    },
    async startChild(wanted) {
      const { command, env } = prepare(wanted);
      const [program, ...args] = command;
      const child = spawn(program, args, { cwd: tree, env, stdio: ['pipe', 'pipe', 'pipe'] });
      let complaints = '';
      child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
      const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
      const close = (): void => void child.stdin.end();
      const agent = await connect(wire(child.stdin, child.stdout), tree, { stderr: () => complaints, close, ended });
      running.push(agent);
      return { ...agent, child };
    },
    async close() {
      await Promise.all(running.map((agent) => agent.end()));
      await model.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function wire(output: Writable, input: Readable): Stream {
  return ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
}

interface OtherSide {
  readonly stderr: () => string;
  readonly close: () => void;
  readonly ended: Promise<number | null>;
}

async function connect(stream: Stream, cwd: string, { stderr, close, ended }: OtherSide): Promise<RunningAgent> {
  const updates: SessionUpdate[] = [];
  const app = client({ name: 'test' }).onNotification(methods.client.session.update, ({ params }) => {
    updates.push(params.update);
  });
  const connection: ClientConnection = app.connect(stream);
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  return {
    agent,
    updates,
    stderr,
    async newSession(detail) {
      const request = { cwd, mcpServers: [], ...detail };
      return (await agent.request(methods.agent.session.new, request)).sessionId;
    },
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    async end() {
      close();
      return ended;
    },
  };
}
