/**
 * A program that goes on when this one ends: in a session of its own, with its output in a file. For Forge itself,
 * started by a person who does not want to wait; everything an agent or a check runs goes through spawn.ts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { ForgeError, messageOf } from '../errors.ts';

export interface DetachRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it reads from its standard input; nothing when left out. */
  readonly input?: string;
  /** Both streams; made anew, for its owner only. */
  readonly logFile: string;
}

export interface Detached {
  readonly pid: number;
  /** Its exit code, if it ends while this process is there; null for a signal. */
  readonly ended: Promise<number | null>;
}

export async function startDetached(request: DetachRequest): Promise<Detached> {
  const log = openSync(request.logFile, 'w', 0o600);
  try {
    const child = spawn(request.program, [...request.args], {
      cwd: request.cwd,
      env: { ...request.env },
      stdio: [request.input === undefined ? 'ignore' : 'pipe', log, log],
      detached: true,
      shell: false,
    });
    const ended = new Promise<number | null>((resolve) => {
      child.once('exit', resolve);
    });
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [unknown];
      throw new ForgeError('program-missing', `cannot start ${request.program}: ${messageOf(error)}`);
    }
    // One that ends before it has read says why in its log.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(request.input);
    child.unref();
    return { pid: child.pid, ended };
  } finally {
    closeSync(log);
  }
}
