/**
 * Every secret that a project's agents may come to know: keys of providers, variables that settings give them, values in
 * files that workspaces get a copy of. What is written is redacted of them, and no commit may hold one.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { Settings } from '../policy/settings.ts';
import { isSecret, secretValues } from '../process/copied-secrets.ts';
import { createRedactor, type Redactor } from '../process/redact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A file larger than this is data, not settings. */
const largestFile = 1024 * 1024;

export function knownSecrets(
  settings: Pick<Settings, 'agents' | 'workspace'>,
  root: string,
  env: Environment,
): readonly string[] {
  const variables = Object.values(settings.agents).flatMap((agent) => {
    const key =
      (agent.driver === 'acp' || agent.driver === 'builtin') && agent.key !== undefined ? [env[agent.key] ?? ''] : [];
    const given = agent.driver === 'acp' || agent.driver === 'command' ? agent.env : [];
    const values = given.map((name) => [name, env[name] ?? ''] as const);
    return [...key, ...values.filter(([name, value]) => isSecret(name, value)).map(([, value]) => value)];
  });
  const copied = settings.workspace.copy.flatMap((path) => secretValues(readCopied(root, path)));
  return [...new Set([...variables, ...copied])].filter((value) => value !== '');
}

/** Takes them out of text, besides what the environment and the shape of text give away. */
export function projectRedactor(
  settings: Pick<Settings, 'agents' | 'workspace'>,
  root: string,
  env: Environment,
): Redactor {
  return createRedactor(env, knownSecrets(settings, root, env));
}

/** What workspaces get is decided elsewhere; here an unreadable or oversized file gives nothing. */
function readCopied(root: string, path: string): string {
  const inside = normalize(path);
  if (inside.startsWith('..') || inside.startsWith('/')) return '';
  try {
    const file = join(root, inside);
    const entry = lstatSync(file);
    return entry.isSymbolicLink() || (entry.isFile() && entry.size <= largestFile) ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}
