/**
 * A program that has the terminal for a while: the person's editor. It inherits their environment and their streams,
 * because it is theirs; nothing of an agent's is ever started here.
 */
import { spawn } from 'node:child_process';
import { ForgeError, messageOf } from '../errors.ts';

export interface ForegroundRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Its exit code; null when a signal ended it. */
export function runForeground({ program, args, cwd, env }: ForegroundRequest): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env: { ...env }, stdio: 'inherit', shell: false });
    child.once('error', (error) => {
      reject(new ForgeError('program-missing', `cannot start ${program}: ${messageOf(error)}`, { cause: error }));
    });
    child.once('exit', resolve);
  });
}
