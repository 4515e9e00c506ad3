/** `forge mcp`: serves this project to an MCP client on standard input and output, until the client leaves. */
import { resolve } from 'node:path';
import { backgroundWorker } from './background.ts';
import type { CommandCall } from './commands.ts';

export async function run({ values }: CommandCall): Promise<number> {
  const { serveMcp } = await import('../mcp/serve.ts');
  const leave = new AbortController();
  const stop = (): void => leave.abort();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await serveMcp({
    cwd: resolve(values['project'] ?? '.'),
    worker: backgroundWorker,
    input: process.stdin,
    output: process.stdout,
    signal: leave.signal,
  });
  // What still hangs on to the connection belongs to nobody now.
  process.exit(0);
}
