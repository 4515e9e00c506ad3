/** A person who has agreed to what a repository's own files have Forge do, as `forge trust --yes` would write it down. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfinedText } from '../../src/files/confined.ts';
import { parseSettings } from '../../src/policy/settings.ts';
import { agreeTo } from '../../src/trust/consent.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that cannot be read, and places that are no repository, are not agreed to. */
export function agreeAt(root: string, env: Environment): void {
  try {
    const id = repositoryId(root, env);
    const settings = parseSettings(readConfinedText(root, '.forge/config.yaml') ?? '', 'config');
    agreeTo({ repo: { id, root }, settings }, env);
  } catch {
    // Whatever the test has made of it.
  }
}

function repositoryId(root: string, env: Environment): string {
  const ask = (...question: string[]): string =>
    execFileSync('git', ['-C', root, 'rev-parse', ...question], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  if (ask('--is-inside-work-tree') !== 'true') throw new Error('there is no checkout');
  const directory = ask('--path-format=absolute', '--git-common-dir');
  const file = join(directory, 'forge/repository-id');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `test-${randomBytes(12).toString('hex')}\n`);
  }
  return readFileSync(file, 'utf8').trim();
}
