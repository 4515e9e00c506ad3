/**
 * How a contained agent hands in its result and calls Forge's tools: an MCP server over a unix socket, one per job,
 * reached by a small child that the agent starts. A submission is judged at once, so that the agent can fix it; the
 * last valid one counts. The agent is hostile: connections, lines and calls are bounded, and without the job's token
 * nothing is answered. The socket's directory is shown to the jail read-only, so that nobody inside can replace it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Redactor } from '../../process/redact.ts';
import type { JobTool, ResultVerdict } from '../agent.ts';
import { builtFile } from '../built-file.ts';
import { redactValue } from '../redact-value.ts';
import { readLines, type TextLine } from '../text-lines.ts';
import { answerMcp } from './mcp.ts';
import { submitTool } from './submit-tool.ts';

export interface BridgeOptions {
  readonly resultSchema: Readonly<Record<string, unknown>>;
  readonly judge?: ((result: unknown) => ResultVerdict) | undefined;
  readonly tools?: readonly JobTool[] | undefined;
  readonly redactor: Redactor;
  /** Hears of every submission as it is judged. */
  readonly onSubmission?: (verdict: ResultVerdict) => void;
}

export interface Bridge {
  /** The MCP server to name to the agent. */
  readonly server: {
    readonly name: string;
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** What the jail must show for it. */
  readonly readable: readonly string[];
  /** Of these, what was made for this job alone. */
  readonly given: readonly string[];
  /** What authenticates the agent's side; not to be shown in transcripts. */
  readonly token: string;
  /** The last submission that was found good, redacted. */
  result(): { readonly value: unknown } | undefined;
  close(): Promise<void>;
}

const maxConnections = 16;
const maxMessageLength = 4 * 1024 * 1024;
/** Answers nobody reads are not kept forever. */
const maxUnread = 4 * maxMessageLength;
/** A socket's path has to fit into 107 bytes, whatever the temporary directory is. */
const longestDirectory = 60;

export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  const child = builtFile('agents/bridge/bridge-child.js');
  const place = tmpdir().length > longestDirectory ? '/tmp' : tmpdir();
  const directory = mkdtempSync(join(realpathSync(place), 'forge-bridge-'));
  const socket = join(directory, 's');
  const token = randomBytes(24).toString('hex');
  let accepted: { readonly value: unknown } | undefined;
  const submit = submitTool(options.resultSchema, (result) => {
    const verdict = options.judge?.(result) ?? { ok: true };
    if (verdict.ok) accepted = { value: redactValue(result, options.redactor) };
    options.onSubmission?.(verdict);
    return verdict;
  });
  const closed = new AbortController();
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => {});
    connection.on('close', () => connections.delete(connection));
    serve(connection, { token, tools: [submit, ...(options.tools ?? [])], closed: closed.signal });
  });
  server.maxConnections = maxConnections;
  await listen(server, socket);
  return {
    server: {
      name: 'forge',
      command: process.execPath,
      args: [child],
      env: { FORGE_BRIDGE_SOCKET: socket, FORGE_BRIDGE_TOKEN: token },
    },
    readable: [directory, dirname(child)],
    given: [directory],
    token,
    result: () => accepted,
    async close() {
      closed.abort();
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface Serving {
  readonly token: string;
  readonly tools: readonly JobTool[];
  readonly closed: AbortSignal;
}

/** The first line is the token; every other one is a message. */
function serve(connection: Socket, { token, tools, closed }: Serving): void {
  const gone = new AbortController();
  connection.on('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closed]);
  let known = false;
  const send = (message: object) => {
    if (connection.writableLength > maxUnread) connection.destroy();
    if (connection.writable) connection.write(`${JSON.stringify(message)}\n`);
  };
  const answer = answerMcp({ tools, signal, send });
  const onLine = (line: TextLine) => {
    if (known && !line.cut) return answer(line.text);
    known = !known && !line.cut && sameText(line.text, token);
    if (!known) connection.destroy();
  };
  const reader = readLines(maxMessageLength, (lines) => {
    for (const line of lines) if (!connection.destroyed) onLine(line);
  });
  connection.on('data', (chunk) => reader.push(chunk));
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      // A connection that cannot be taken is that connection's loss.
      server.on('error', () => {});
      resolve();
    });
  });
}
