/**
 * A program that is killed when whoever started it dies, in whichever way (Linux, where setpriv is installed). Elsewhere the
 * program is started as it is, and ends with the tree. For programs that could wait for ever on what they read.
 */
import { delimiter, join } from 'node:path';
import type { Command } from './process.ts';
import { isExecutable } from './executable.ts';

export function withDeathSignal({ program, args, env }: Pick<Command, 'program' | 'args' | 'env'>): {
  readonly program: string;
  readonly args: readonly string[];
} {
  const path = env['PATH'] ?? '';
  const [setpriv, found] = [findProgram('setpriv', path), findProgram(program, path)];
  // A program that is missing is said to be missing, not its launcher to have failed.
  if (process.platform !== 'linux' || setpriv === undefined || found === undefined) return { program, args };
  return { program: setpriv, args: ['--pdeathsig', 'KILL', '--', found, ...args] };
}

const known = new Map<string, string | undefined>();

function findProgram(name: string, path: string): string | undefined {
  const key = `${name}\0${path}`;
  if (!known.has(key)) {
    const places = path.split(delimiter).filter((directory) => directory.startsWith('/'));
    known.set(
      key,
      places.map((directory) => join(directory, name)).find((file) => isExecutable(file)),
    );
  }
  return known.get(key);
}
