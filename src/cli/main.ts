#!/usr/bin/env node
/**
 * The binary. Finds the command, and turns whatever it ends with into a sentence, a hint and an exit code.
 */
import { claimProcess } from '../api/own-process.ts';
import { ForgeError } from '../errors.ts';
import { forgeVersion } from '../version.ts';
import { commands } from './commands.ts';
import { commandHelp, help } from './help.ts';
import { findCommand, workflowCommands } from './workflow-command.ts';

/** They work on a run, which goes on when nobody reads any more; its end decides the exit code. */
const working: ReadonlySet<string> = new Set(['run', 'resume', 'retry', 'answer', 'rehearse', 'demo', 'mcp']);

claimProcess();

// A reader that has seen enough, such as `head`, is no failure of ours. Who no longer hears what went wrong is still
// told by the exit code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!working.has(process.argv[2] ?? '')) process.exit(0);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') return say(help(commands, workflowCommands));
  if (name === '--version' || name === '-v') return say(forgeVersion);
  try {
    if (name === 'help' && args[0] === undefined) return say(help(commands, workflowCommands));
    const wanted = name === 'help' ? args[0] : name;
    const command = await findCommand(wanted ?? '', args);
    if (command === undefined) throw await unknownCommand(wanted ?? '');
    const end = args.indexOf('--');
    const asked = (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
    if (name === 'help' || asked) return say(commandHelp(command, (await import('./examples.ts')).helpTextOf(command)));
    const { parseCall } = await import('./parse-call.ts');
    const call = await parseCall(command, args);
    const { run } = await command.load();
    return await run(call);
  } catch (error) {
    return await report(error);
  }
}

async function unknownCommand(name: string): Promise<ForgeError> {
  const { suggest } = await import('../api/suggest.ts');
  const known = [...commands, ...workflowCommands].map((command) => command.name);
  return new ForgeError('bad-input', `There is no command ${JSON.stringify(name)}`, {
    hint: suggest(name, known, 'See forge --help.'),
  });
}

async function report(error: unknown): Promise<number> {
  const { explainError } = await import('./explain-error.ts');
  const { lines, code } = explainError(error);
  for (const line of lines) console.error(line);
  return code;
}

function say(text: string): number {
  console.log(text);
  return 0;
}
