/** One supervisor per user on this machine. The claim of a process that died is taken over at once. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { lockDirectory } from '../files/directory-lock.ts';
import { defaultStateDir } from '../git/state-dir.ts';
import type { ApiContext } from './context.ts';

/** Gives what ends the claim. */
export async function claimSupervision(env: ApiContext['env']): Promise<() => Promise<void>> {
  const directory = join(defaultStateDir(env), 'supervisor');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    return await lockDirectory(directory, { patienceMs: 0 });
  } catch (cause) {
    throw new ForgeError('lease-held', 'A supervisor is running already', {
      hint: 'One is enough for all repositories. It may be the service: systemctl --user status forge-supervise',
      cause,
    });
  }
}
