/** The real binary's server, reached by the protocol's own client over standard input and output. */
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import type { Project } from '../cli/support.ts';

export const binary = resolve(import.meta.dirname, '../../dist/cli/main.js');

export interface Told {
  readonly text: string;
  readonly isError: boolean;
  /** The text as data. */
  json(): Readonly<Record<string, unknown>>;
}

export interface Connection {
  readonly client: Client;
  /** What the server wrote to standard error. */
  readonly printed: () => string;
  readonly call: (name: string, args?: object, onprogress?: (message: string) => void) => Promise<Told>;
  readonly close: () => Promise<void>;
}

export async function connect(
  project: Pick<Project, 'root' | 'env'>,
  args: readonly string[] = [],
): Promise<Connection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, 'mcp', ...args],
    cwd: project.root,
    env: { ...project.env },
    stderr: 'pipe',
  });
  let printed = '';
  transport.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const client = new Client({ name: 'forge-test', version: '1' });
  await client.connect(transport);
  const connection: Connection = {
    client,
    printed: () => printed,
    call: async (name, argument = {}, onprogress) => {
      const result = await client.callTool({ name, arguments: { ...argument } }, undefined, {
        timeout: 110_000,
        ...(onprogress === undefined ? {} : { onprogress: ({ message }) => onprogress(message ?? '') }),
      });
      const [first] = result.content as { readonly text: string }[];
      const text = first?.text ?? '';
      return {
        text,
        isError: result.isError === true,
        json: () => JSON.parse(text) as Readonly<Record<string, unknown>>,
      };
    },
    close: () => client.close(),
  };
  onTestFinished(() => connection.close());
  return connection;
}
