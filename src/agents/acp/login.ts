/** Where the login lies that an agent's own program made. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { AcpRecord } from './record.ts';

/** Undefined for an agent that has none. */
export function loginDirectory(
  { login }: Pick<AcpRecord, 'login'>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (login === undefined) return undefined;
  const moved = login.variable === undefined ? undefined : env[login.variable];
  return moved !== undefined && isAbsolute(moved) ? moved : join(env['HOME'] ?? homedir(), login.directory);
}
