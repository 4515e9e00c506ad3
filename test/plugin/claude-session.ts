/**
 * The real Claude Code with the plugin, once through a prompt: a home of its own, a key that opens nothing, a model that
 * says what a script says. `forge` is on its PATH, as it would be for a person. What the client printed comes back as
 * data: what was there at the start, which tools were used, how it ended.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Project } from '../cli/support.ts';
import { findClient } from '../clients/install.ts';
import type { ModelServer } from '../clients/model-server/server.ts';

export const pluginFolder = resolve(import.meta.dirname, '../../plugin');
const binary = resolve(import.meta.dirname, '../../dist/cli/main.js');

export interface ClaudeEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program inside the pinned client, which starts it the same way. */
export function claudeProgram(): string {
  const scope = join(dirname(findClient('claude')), '@anthropic-ai');
  const native = `claude-agent-sdk-${process.platform}-${process.arch}`;
  const [found] = readdirSync(scope)
    .filter((name) => name === native || name === `${native}-musl`)
    .sort();
  if (found === undefined) throw new Error(`The client has no program for ${process.platform} ${process.arch}.`);
  return join(scope, found, 'claude');
}

export function runClaude(project: Project, args: readonly string[], more: ClaudeInput = {}): Promise<ClaudeEnd> {
  const env = {
    ...project.env,
    PATH: `${forgeOnPath(project)}:${project.env['PATH'] ?? ''}`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    // A prompt that comes at once must find the server, however busy the machine is.
    MCP_CONNECTION_NONBLOCKING: '0',
    MCP_TIMEOUT: '100000',
    ANTHROPIC_API_KEY: 'sk-opens-nothing',
    ANTHROPIC_BASE_URL: more.model?.url ?? 'http://127.0.0.1:9',
  };
  const child = spawn(claudeProgram(), args, { cwd: project.root, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.end(more.prompt ?? '');
  return new Promise((settle, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      settle({ code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') });
    });
  });
}

export interface ClaudeInput {
  readonly model?: ModelServer;
  readonly prompt?: string;
}

export interface Conversation {
  readonly servers: readonly { readonly name: string; readonly status: string }[];
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  /** Tools in the order they were called, each with what the model was told. */
  readonly used: readonly { readonly tool: string; readonly failed: boolean; readonly text: string }[];
  readonly result: { readonly text: string; readonly failed: boolean; readonly denials: readonly unknown[] };
}

export interface Talk {
  readonly model: ModelServer;
  readonly prompt: string;
  /** Tools that the person lets be used when asked. */
  readonly allowed?: readonly string[];
}

/** One prompt to the end. What neither the plugin's texts nor the person allow is denied. */
export async function converse(project: Project, { model, prompt, allowed = [] }: Talk): Promise<Conversation> {
  const form = ['-p', '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-5'];
  const rules = ['--setting-sources', '', '--permission-mode', 'dontAsk', '--plugin-dir', pluginFolder];
  const granted = allowed.length === 0 ? [] : ['--allowedTools', allowed.join(',')];
  const end = await runClaude(project, [...form, ...rules, ...granted], { model, prompt });
  if (end.code !== 0) throw new Error(`Claude Code ended with ${end.code}: ${end.stderr}${end.stdout.slice(-2000)}`);
  return readEvents(end.stdout);
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}

interface Event {
  readonly type: string;
  readonly subtype?: string;
  readonly mcp_servers?: Conversation['servers'];
  readonly slash_commands?: readonly string[];
  readonly agents?: readonly string[];
  readonly message?: { readonly content: readonly Block[] | string };
  readonly result?: string;
  readonly is_error?: boolean;
  readonly permission_denials?: readonly unknown[];
}

function readEvents(stdout: string): Conversation {
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
  const blocks = events.flatMap(({ message }) => (typeof message?.content === 'object' ? message.content : []));
  const init = events.find(({ subtype }) => subtype === 'init');
  const last = events.findLast(({ type }) => type === 'result');
  return {
    servers: init?.mcp_servers ?? [],
    commands: init?.slash_commands ?? [],
    agents: init?.agents ?? [],
    used: blocks.flatMap((block) => {
      if (block.type !== 'tool_use') return [];
      const told = blocks.find(({ tool_use_id: id }) => id === block.id);
      return [{ tool: block.name ?? '', failed: told?.is_error === true, text: textOf(told?.content) }];
    }),
    result: { text: last?.result ?? '', failed: last?.is_error !== false, denials: last?.permission_denials ?? [] },
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('\n');
}

/** Whatever still runs with this project's folder in its environment: the client, its servers, a run, an agent. */
export function processesOf(project: Project): readonly string[] {
  const area = dirname(project.root);
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(area)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    });
}

function forgeOnPath(project: Project): string {
  const bin = join(dirname(project.root), 'bin');
  mkdirSync(bin, { recursive: true });
  const file = join(bin, 'forge');
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`);
  chmodSync(file, 0o755);
  return bin;
}
