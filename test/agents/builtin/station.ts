/**
 * What a test of the built-in agent needs: a workspace, a HOME, the scripted model on loopback, and the real agent as a
 * child on the other side of a real ACP connection. Everything lives in one temporary directory and ends with `close`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  type ClientConnection,
  type ClientContext,
  methods,
  ndJsonStream,
  type NewSessionRequest,
  type PromptResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { type BuiltinOptions, builtinRecord } from '../../../src/agents/acp/records/builtin.ts';
import { type ModelServer, startModelServer } from '../../clients/model-server/server.ts';
import type { Script } from '../../clients/model-server/script.ts';

export interface Station {
  readonly root: string;
  readonly tree: string;
  readonly home: string;
  readonly model: ModelServer;
  readonly start: (options?: Partial<BuiltinOptions> & { readonly access?: 'read' | 'write' }) => Promise<RunningAgent>;
  close(): Promise<void>;
}

export interface RunningAgent {
  readonly agent: ClientContext;
  readonly child: ChildProcess;
  readonly updates: readonly SessionUpdate[];
  stderr(): string;
  newSession(detail?: Partial<NewSessionRequest>): Promise<string>;
  prompt(sessionId: string, text: string): Promise<PromptResponse>;
  /** Closes its input and waits for its end. */
  end(): Promise<number | null>;
}

export async function makeStation(script: Script): Promise<Station> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'forge-builtin-')));
  const [tree, home] = [join(root, 'tree'), join(root, 'home')];
  for (const directory of [tree, home]) mkdirSync(directory);
  const model = await startModelServer(script);
  const running: RunningAgent[] = [];
  return {
    root,
    tree,
    home,
    model,
    async start({ access = 'write', ...options } = {}) {
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
      const agent = await connect(record.command, {
        cwd: tree,
        env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
      });
      running.push(agent);
      return agent;
    },
    async close() {
      await Promise.all(running.map((agent) => agent.end()));
      await model.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function connect(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: Where,
): Promise<RunningAgent> {
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const updates: SessionUpdate[] = [];
  const app = client({ name: 'test' }).onNotification(methods.client.session.update, ({ params }) => {
    updates.push(params.update);
  });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  const connection: ClientConnection = app.connect(stream);
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  return {
    agent,
    child,
    updates,
    stderr: () => complaints,
    async newSession(detail) {
      const request = { cwd, mcpServers: [], ...detail };
      return (await agent.request(methods.agent.session.new, request)).sessionId;
    },
    prompt: (sessionId, text) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    async end() {
      child.stdin.end();
      return exit;
    },
  };
}
