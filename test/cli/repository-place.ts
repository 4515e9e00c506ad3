/**
 * Repositories in states that a person may have them in, made from one small project, and the binary in them: `forge run`
 * either refuses with a sentence and a remedy or brings a branch, and either way what was there is as it was.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { agreeAt } from '../support/agreed.ts';
import { tempDir } from '../support/temp.ts';
import { type Ended, makeProject } from './support.ts';

const binary = resolve(import.meta.dirname, '../../dist/cli/main.js');

export interface Place {
  readonly root: string;
  git(...args: string[]): string;
  write(path: string, content: string): void;
  run(): Promise<Ended>;
  /** All that must stay: files but those of Forge, index, HEAD, branches and tags of the person's, operations. */
  fingerprint(): string;
  /** Branches that were published. */
  results(): readonly string[];
}

let template: { readonly root: string; readonly env: Readonly<Record<string, string>> } | undefined;

/** The project all others are clones or copies of, made once per file. */
function original(): NonNullable<typeof template> {
  template ??= makeProject();
  return template;
}

/** A copy at a path below a fresh directory. */
export function makePlace(path = 'sums'): Place {
  const root = join(tempDir('forge-place'), path);
  mkdirSync(dirname(root), { recursive: true });
  execFileSync('cp', ['-a', original().root, root]);
  rmSync(join(root, '.git/forge'), { recursive: true, force: true });
  return placeAt(root);
}

export function emptyPlace(): Place {
  return placeAt(tempDir('forge-place'));
}

export function placeAt(root: string): Place {
  const { env } = original();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, '-c', 'protocol.file.allow=always', ...args], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  return {
    root,
    git,
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    run: () =>
      new Promise((settle) => {
        if (basename(root) !== '.git') agreeAt(topOf(root), env);
        const args = [binary, 'run', 'Add a multiplication', '--yes'];
        const child = execFile(process.execPath, args, { cwd: root, env }, (_, stdout, stderr) => {
          settle({ code: child.exitCode, signal: child.signalCode, stdout, stderr });
        });
      }),
    fingerprint: () => JSON.stringify([filesOf(root), ...gitState(git)], null, 1),
    results: () => git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n').filter(isResult),
  };
}

/** What a person agrees to lies at the top of the checkout. */
function topOf(root: string): string {
  return existsSync(join(root, '.git')) ? root : dirname(root);
}

const isResult = (branch: string): boolean => /^forge[/-]add-multiplication-/.test(branch);

function gitState(git: Place['git']): readonly string[] {
  try {
    const refs = git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags', 'refs/remotes');
    return [
      refs
        .split('\n')
        .filter((line) => !isResult(line.slice('refs/heads/'.length)))
        .join('\n'),
      git('rev-parse', '--symbolic-full-name', 'HEAD'),
      git('ls-files', '--stage'),
      readdirSync(git('rev-parse', '--absolute-git-dir'))
        .filter((name) => /HEAD$|^rebase/.test(name))
        .sort()
        .join(' '),
    ];
  } catch {
    return ['no repository'];
  }
}

function filesOf(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = join(below, name);
    if (path === '.git' || path === '.forge' || name === 'objects') continue;
    if (statSync(join(root, path)).isDirectory()) Object.assign(found, filesOf(root, path));
    else found[path] = readFileSync(join(root, path), 'latin1');
  }
  return found;
}
