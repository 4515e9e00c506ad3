/**
 * A small agent that speaks the Agent Client Protocol, for tests: it plays what its home says (see `play.ts`), in its
 * working directory, as a real one would: streams updates, runs programs, calls the MCP servers it was given, keeps
 * sessions, reports usage, fails, hangs. It does not confine itself. Imports nothing but Node.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  appendFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectMcp, type McpClient, type McpServer } from './mcp-client.ts';
import type { Play, PlayStep } from './play.ts';

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

class Failure extends Error {
  readonly body: object;
  constructor(body: object) {
    super('failure');
    this.body = body;
  }
}

const home = join(process.env['HOME'] ?? '', '.acp-agent');
const play = JSON.parse(readFileSync(join(home, 'play.json'), 'utf8')) as Play;
const waiting = new Map<number | string, (result: unknown) => void>();
const cancelled = new AbortController();
const whenCancelled = new Promise((resolve) => cancelled.signal.addEventListener('abort', resolve));
let servers: readonly McpServer[] = [];
let session = '';
let asked = 0;

const input = createInterface({ input: process.stdin });
input.on('line', (line) => void hear(JSON.parse(line) as Request));
input.on('close', () => {
  if (play.stubborn !== true) process.exit(0);
  setInterval(() => {}, 2 ** 30);
});

async function hear({ id, method, params = {}, result }: Request): Promise<void> {
  if (method === undefined) return waiting.get(id ?? '')?.(result);
  note(method, params);
  if (method === 'session/cancel' && play.stubborn !== true) cancelled.abort();
  if (id === undefined) return;
  try {
    const failure = play.fails?.[method];
    if (failure !== undefined) throw new Failure(failure);
    send({ id, result: await answer(method, params) });
  } catch (error) {
    send({ id, error: error instanceof Failure ? error.body : { code: -32603, message: String(error) } });
  }
}

/** What it was asked, for tests to read. */
function note(method: string, params: unknown): void {
  appendFileSync(join(home, 'heard.jsonl'), `${JSON.stringify({ method, params })}\n`);
}

async function answer(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
  switch (method) {
    case 'initialize':
      return introduction();
    case 'session/new':
      return open(`session-${process.pid}-${Date.now()}`, params);
    case 'session/load':
    case 'session/resume': {
      const id = String(params['sessionId']);
      if (!existsSync(join(home, id))) throw new Failure({ code: -32002, message: 'Resource not found' });
      if (method === 'session/load') say(readFileSync(join(home, id), 'utf8'), id);
      return open(id, params);
    }
    case 'session/prompt':
      return prompted();
    default:
      return {};
  }
}

function introduction(): object {
  const { continues = ['resume', 'load'] } = play;
  return {
    protocolVersion: play.protocolVersion ?? 1,
    agentInfo: { name: 'acp-agent', version: '1.2.3' },
    agentCapabilities: {
      loadSession: continues.includes('load'),
      sessionCapabilities: { systemPrompt: {}, ...(continues.includes('resume') ? { resume: {} } : {}) },
    },
    authMethods: [{ id: 'a-key', name: 'A key' }],
  };
}

function open(id: string, params: Readonly<Record<string, unknown>>): object {
  session = id;
  servers = params['mcpServers'] as readonly McpServer[];
  appendFileSync(join(home, id), 'What was said before.\n');
  return { sessionId: id, ...play.session };
}

async function prompted(): Promise<object> {
  for (const step of play.steps) {
    await Promise.race([perform(step), whenCancelled]);
    if (cancelled.signal.aborted) {
      writeFileSync('cancelled', '');
      return { stopReason: 'cancelled', ...play.answer };
    }
  }
  return { stopReason: 'end_turn', ...play.answer };
}

let tools = 0;

async function perform(step: PlayStep): Promise<void> {
  if ('say' in step) return say(step.say);
  if ('think' in step)
    return update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: step.think } });
  if ('update' in step) return update(step.update);
  if ('line' in step) return print(step.line);
  if ('lineOf' in step) return print('x'.repeat(step.lineOf));
  if ('error' in step) throw new Failure(step.error);
  if ('exit' in step) return leave(step.exit);
  if ('hang' in step) return new Promise(() => setInterval(() => {}, 2 ** 30));
  if ('flood' in step) for (;;) print('flood '.repeat(100));
  if ('ask' in step) return ask(step.ask);
  if ('write' in step) return use('Write', [step.write.path], () => write(step.write));
  if ('call' in step) return use(step.call.tool, [], () => call(step.call.tool, step.call.args));
  return use('Shell', [], () => runShell(step.shell));
}

function write({ path, content }: { readonly path: string; readonly content: string }): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return 'written';
}

/** Output goes to a file, which children in the background can keep open without anyone waiting for them. */
function runShell(program: string): string {
  const file = join(process.env['TMPDIR'] ?? '/tmp', `out-${process.pid}`);
  const output = openSync(file, 'w+');
  const { status, signal } = spawnSync('sh', ['-c', program], { stdio: ['ignore', output, output] });
  closeSync(output);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  if (status !== 0) throw new Error(`${text}\nended by ${signal ?? status}`);
  return text;
}

let clients: Promise<readonly McpClient[]> | undefined;

async function call(tool: string, args: unknown): Promise<string> {
  clients ??= Promise.all(servers.map((server) => connectMcp(server)));
  const owner = (await clients).find((client) => client.tools.includes(tool));
  if (owner === undefined) throw new Error(`no server has the tool ${tool}`);
  const { text, isError } = await owner.call(tool, args);
  if (isError) throw new Error(text);
  return text;
}

/** Told as agents tell it: announced, then finished with what came of it. */
async function use(title: string, paths: readonly string[], work: () => string | Promise<string>): Promise<void> {
  const toolCallId = `tool-${++tools}`;
  const locations = paths.map((path) => ({ path }));
  update({ sessionUpdate: 'tool_call', toolCallId, title, kind: 'other', status: 'pending', locations });
  const end = (status: string, text: string) =>
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status,
      content: [{ type: 'content', content: { type: 'text', text } }],
    });
  try {
    end('completed', await work());
  } catch (error) {
    end('failed', error instanceof Error ? error.message : String(error));
  }
}

async function ask(kinds: readonly string[]): Promise<void> {
  const id = `ask-${++asked}`;
  const options = kinds.map((kind) => ({ optionId: `the-${kind}`, kind, name: kind }));
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  const params = { sessionId: session, toolCall: { toolCallId: 'tool-0' }, options };
  send({ id, method: 'session/request_permission', params });
  say(`permission: ${JSON.stringify(await answered)}\n`);
}

function say(text: string, to = session): void {
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, to);
}

function update(body: object, to = session): void {
  send({ method: 'session/update', params: { sessionId: to, update: body } });
}

function send(message: object): void {
  print(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** Written at once and not queued, so that a crash right after it loses nothing. */
function print(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

async function leave(code: number): Promise<void> {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  if (signal === undefined) process.exit(code);
  process.kill(process.pid, signal);
  await new Promise(() => {});
}
