#!/usr/bin/env node
/**
 * The binary. Finds the command, turns failures into a sentence, a hint and an exit code; anything that is
 * not a ForgeError is a bug of ours and exits with 70.
 */
import { ForgeError } from '../errors.ts';
import { forgeVersion } from '../version.ts';
import { commands } from './commands.ts';

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return say(help());
  if (name === '--version' || name === '-v') return say(forgeVersion);
  const command = commands.find((entry) => entry.name === name);
  try {
    if (command === undefined) {
      throw new ForgeError('bad-input', `There is no command ${JSON.stringify(name)}`, { hint: 'See forge --help.' });
    }
    const { run } = await command.load();
    return await run(args);
  } catch (error) {
    return report(error);
  }
}

function help(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return ['forge <command>', '', ...lines, '', '  --help, --version'].join('\n');
}

function report(error: unknown): number {
  if (!(error instanceof ForgeError)) {
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    console.error('This is a bug in Forge. Nothing of yours was changed beyond what the run recorded.');
    return 70;
  }
  console.error(`forge: ${error.message}`);
  if (error.hint !== undefined) console.error(`  ${error.hint}`);
  return error.exitCode;
}

function say(text: string): number {
  console.log(text);
  return 0;
}
