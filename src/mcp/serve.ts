/**
 * The server: tools and resources over one connection, until the client leaves. It holds nothing between calls; the
 * repository, its settings and its runs are opened anew for each. Runs are worked on by processes of their own, so the
 * end of the server ends none of them.
 */

import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type ApiContext, openContext, type RunWorker } from '../api/context.ts';
import { suggestWord } from '../api/suggest.ts';
import { ForgeError, messageOf } from '../errors.ts';
import { forgeVersion } from '../version.ts';
import { answerCall } from './answer-call.ts';
import { BoundedLines } from './bounded-lines.ts';
import { documentTemplate, listResources, readResource } from './resources.ts';
import { loadTools, type ServerTool } from './tool.ts';

export interface ServeOptions {
  /** Anywhere inside the project. */
  readonly cwd: string;
  /** Who works on runs that a client starts: they have to outlive it. */
  readonly worker: RunWorker;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

const instructions = `Forge builds software from a requirement by coordinating coding agents: it plans, lets agents work in isolated workspaces, checks, reviews and merges, and ends with a branch.
To have something built: call forge_run, then forge_wait until the run asks a question or is over, then forge_report. Show the person the question and the plan, and answer with forge_answer. A run goes on when you leave; forge_list and forge_wait find it again.
To coordinate modules yourself: validate_plan, validate, iteration_state, session_state, memory_recall and memory_save.`;

/** Resolves when the client has left or the signal aborts. */
export async function serveMcp({ cwd, worker, input, output, signal }: ServeOptions): Promise<void> {
  const tools = await loadTools();
  const server = new Server(
    { name: 'forge', title: 'Forge', version: forgeVersion },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  const left = new AbortController();
  const over = AbortSignal.any([signal, left.signal]);
  const open = (): ApiContext => openContext({ cwd, worker, signal: over });

  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: tools.map(described) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw unknownTool(params.name, tools);
    const token = params['_meta']?.progressToken;
    const notify = (progress: number, message: string): void => {
      const notification = { progressToken: token ?? '', progress, message };
      void extra.sendNotification({ method: 'notifications/progress', params: notification }).catch(() => undefined);
    };
    const abort = AbortSignal.any([extra.signal, over]);
    return answerCall(tool, params.arguments, {
      open: (progress) => openContext({ cwd, worker, signal: abort, progress }),
      notify: token === undefined ? undefined : notify,
    });
  });
  server.setRequestHandler(ListResourcesRequestSchema, () =>
    explained(async () => ({ resources: await listResources(open()) })),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates: [documentTemplate] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    explained(async () => ({ contents: await readResource(open(), params.uri) })),
  );

  const lines = new BoundedLines((answer) => output.write(`${JSON.stringify(answer)}\n`));
  input.on('end', () => left.abort());
  input.on('close', () => left.abort());
  input.pipe(lines);
  await server.connect(new StdioServerTransport(lines, output, { maxBufferSize: 64 * 1024 * 1024 }));
  if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
  await server.close();
}

/** Some clients refuse what they do not know in a schema. */
function described({ name, title, description, input, hints }: ServerTool) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return {
    name,
    title,
    description,
    inputSchema: { ...schema, type: 'object' as const },
    annotations: { title, openWorldHint: false, ...hints },
  };
}

function unknownTool(name: string, tools: readonly ServerTool[]): McpError {
  const known = tools.map((tool) => tool.name);
  const hint = suggestWord(name.slice(0, 128), known, `There are: ${known.join(', ')}.`);
  return new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name.slice(0, 128))}. ${hint}`);
}

/** Resources have no answer that is a failure, so theirs are errors of the protocol, with code and hint. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ForgeError)) throw new McpError(ErrorCode.InternalError, messageOf(error));
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new McpError(ErrorCode.InvalidParams, error.message, { code: error.code, ...hint });
  }
}
