/**
 * The built-in agent's process: an ACP agent on standard input and output, configured by its HOME and environment. It is
 * started in the jail like every other agent. It ends when its input ends or when it is told to, and takes what it
 * started with it.
 */
import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk/unstable';
import { ForgeError, messageOf } from '../../errors.ts';
import { readSetup } from './configuration.ts';
import { serveBuiltinAgent } from './serve.ts';

// Standard output belongs to the protocol, whatever a library has to say.
for (const name of ['log', 'info', 'debug'] as const) console[name] = console.error;

process.exitCode = await main();
// Sockets kept alive for a next model call are no reason to stay.
process.exit();

async function main(): Promise<number> {
  try {
    const setup = readSetup(process.env);
    const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
    const stopped = new Promise<void>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    const stream = ndJsonStream(Writable.toWeb(process.stdout), input);
    await serveBuiltinAgent(stream, { setup, stopped });
    return 0;
  } catch (error) {
    const hint = error instanceof ForgeError && error.hint !== undefined ? `\n${error.hint}` : '';
    process.stderr.write(`${messageOf(error)}${hint}\n`);
    return 1;
  }
}
