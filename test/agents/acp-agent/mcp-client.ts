/** The little of an MCP client that the agent for tests needs: start a server, list its tools, call one. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

export interface McpTool {
  readonly name: string;
  readonly inputSchema?: unknown;
  readonly _meta?: unknown;
}

export interface McpClient {
  readonly listed: readonly McpTool[];
  readonly tools: readonly string[];
  /** Resolves when the server has ended. */
  readonly gone: Promise<void>;
  call(tool: string, args: unknown): Promise<{ readonly text: string; readonly isError: boolean }>;
}

interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly tools?: readonly McpTool[];
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly message: string };
}

export async function connectMcp({ command, args, env }: McpServer): Promise<McpClient> {
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const server = spawn(command, [...args], { env: { ...process.env, ...own }, stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.stdin.on('error', () => {});
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  createInterface({ input: server.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id ?? -1)?.(answer);
  });
  const request = (method: string, params: object): Promise<Answer> => {
    const id = ++last;
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  });
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const listed = await request('tools/list', {});
  const tools = listed.result?.tools ?? [];
  return {
    listed: tools,
    tools: tools.map(({ name }) => name),
    gone,
    async call(tool, toolArgs) {
      const { result, error } = await request('tools/call', { name: tool, arguments: toolArgs });
      const text = (result?.content ?? []).map((part) => part.text).join('\n');
      return { text: error?.message ?? text, isError: error !== undefined || result?.isError === true };
    },
  };
}
