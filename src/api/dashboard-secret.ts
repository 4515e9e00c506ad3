/**
 * A secret of this user that outlives a dashboard server, so that a browser that was let in once is known again when the
 * server comes back. In the state directory, for the user alone.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readConfined, writeConfined } from '../files/confined.ts';
import { defaultStateDir } from '../git/state-dir.ts';
import type { ApiContext } from './context.ts';

const file = 'dashboard-secret';

export function dashboardSecret(env: ApiContext['env']): Buffer {
  const stateDir = defaultStateDir(env);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const found = readConfined(stateDir, file, 200);
  const known = found.status === 'read' ? Buffer.from(found.bytes.toString('utf8').trim(), 'base64url') : undefined;
  if (known?.length === 32) return known;
  const made = randomBytes(32);
  writeConfined(stateDir, file, `${made.toString('base64url')}\n`, { mode: 0o600, directoryMode: 0o700 });
  return made;
}
