/**
 * Tools from the MCP servers a client names for a session: each a child of this agent, spoken to over its standard input
 * and output. What they answer is text for the model, bounded. They end with the session.
 */
import { messageOf } from '../../errors.ts';
import { turnFailure } from './provider-error.ts';

export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

export interface McpTool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Throws with the server's words when it answers with an error. */
  call(input: unknown, signal: AbortSignal): Promise<string>;
}

export interface McpConnections {
  readonly tools: readonly McpTool[];
  close(): Promise<void>;
}

const callTimeoutMs = 30 * 60 * 1000;
const maxTools = 500;
const maxAnswer = 100_000;

export async function connectMcpServers(servers: readonly McpServer[], cwd: string): Promise<McpConnections> {
  const opened: Awaited<ReturnType<typeof connect>>[] = [];
  const close = async (): Promise<void> => {
    await Promise.allSettled(opened.map(({ client }) => client.close()));
  };
  try {
    for (const server of servers) opened.push(await connect(server, cwd));
  } catch (error) {
    await close();
    throw error;
  }
  return { tools: opened.flatMap(({ tools }) => tools), close };
}

async function connect(server: McpServer, cwd: string) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const client = new Client({ name: 'forge-builtin', version: '1' });
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  try {
    // Its complaints go where ours go: standard error.
    await client.connect(new StdioClientTransport({ command: server.command, args: [...server.args], env, cwd }));
    const tools: McpTool[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor });
      tools.push(...listed.tools.map((tool) => asTool(client, server.name, tool)));
      if (tools.length > maxTools) throw new Error(`more than ${maxTools} tools`);
      cursor = listed.nextCursor;
    }
    return { client, tools };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw turnFailure('tool_missing', `the MCP server ${server.name} cannot be used: ${messageOf(error)}`);
  }
}

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

interface Caller {
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    resultSchema: undefined,
    options: { signal: AbortSignal; timeout: number },
  ): Promise<Readonly<Record<string, unknown>>>;
}

function asTool(client: Caller, server: string, tool: ListedTool): McpTool {
  return {
    server,
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    async call(input, signal) {
      const args = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
      const options = { signal, timeout: callTimeoutMs };
      const answer = await client.callTool({ name: tool.name, arguments: args }, undefined, options);
      const text = textOf(answer['content']).slice(0, maxAnswer);
      if (answer['isError'] === true) throw new Error(text === '' ? `${tool.name} failed` : text);
      return text;
    },
  };
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { type?: unknown; text?: unknown }) =>
      part.type === 'text' && typeof part.text === 'string' ? part.text : `[${String(part.type)} left out]`,
    )
    .join('\n');
}
