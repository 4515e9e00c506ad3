/**
 * Every secret that a project's agents may come to know: keys of providers, variables that settings give them, values in
 * files that workspaces get a copy of. What is written is redacted of them, and no commit may hold one.
 */
import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, relative, sep } from 'node:path';
import { readConfined } from '../files/confined.ts';
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

/**
 * What workspaces get is decided elsewhere; here an unreadable or oversized file gives nothing. Nobody has agreed to these
 * settings yet: a link is followed only to a plain file inside the checkout, as copying does, and nothing is waited for.
 */
function readCopied(root: string, path: string): string {
  try {
    const top = realpathSync(root);
    const real = relative(top, realpathSync(join(top, normalize(path))));
    if (isAbsolute(real) || real.split(sep)[0] === '..') return '';
    const found = readConfined(top, real.split(sep).join('/'), largestFile);
    return found.status === 'read' ? found.bytes.toString('utf8') : '';
  } catch {
    return '';
  }
}
