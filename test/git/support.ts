/**
 * Real repositories in temporary directories: an own HOME, an own identity, no global configuration. `fingerprint`
 * is what must not change whatever an agent does: the user's files, index, HEAD, configuration, hooks and refs.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Repository, Workspace } from '../../src/git/git.ts';
import { openRepository } from '../../src/git/repository.ts';
import { workspacePolicy } from '../../src/git/workspace.ts';
import { bubblewrapJail } from '../../src/process/bubblewrap.ts';
import type { ProcessResult } from '../../src/process/process.ts';
import { runProcess } from '../../src/process/spawn.ts';
import { tempDir } from '../support/temp.ts';

export const jail = bubblewrapJail();
export const noon = new Date('2026-11-15T12:00:00Z');

/** A new directory of this test file, with nothing beside it. */
export function scratch(name = 'dir'): string {
  const path = join(tempDir('forge-git'), name);
  mkdirSync(path, { recursive: true });
  return path;
}

export interface TestRepo {
  readonly root: string;
  readonly dataDir: string;
  /** Runs git as the user would; answers stdout without the last newline. */
  git(...args: string[]): string;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  /** Writes, adds everything, commits; answers the id. */
  commit(message: string, files?: Readonly<Record<string, string | Uint8Array>>): string;
  open(): Promise<Repository>;
}

export interface RepoOptions {
  readonly name?: string;
  readonly init?: readonly string[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export function makeRepo(options: RepoOptions = {}): TestRepo {
  const root = scratch(options.name ?? 'repo');
  const repo = repoAt(root);
  repo.git('init', '-q', '-b', 'main', ...(options.init ?? []));
  repo.commit('first', options.files ?? { 'a.txt': 'a\n', 'src/b.txt': 'b\n' });
  return repo;
}

export function repoAt(root: string): TestRepo {
  const dataDir = join(dirname(root), 'data');
  const git = (...args: string[]): string => userGit(root, args);
  const write: TestRepo['write'] = (files) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  };
  return {
    root,
    dataDir,
    git,
    write,
    commit: (message, files = {}) => {
      write(files);
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    open: () => openRepository(root, { dataDir }),
  };
}

export function userGit(cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const env = {
    ...more,
    PATH: process.env['PATH'] ?? '',
    // The code under test reads the user's settings from there too.
    HOME: process.env['HOME'] ?? '',
    LC_ALL: 'C',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(
    /\n$/,
    '',
  );
}

/** A script that can be killed, with the built sources in `./out` beside it. */
export function compiled(script: string): string {
  const directory = scratch('compiled');
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  symlinkSync(join(process.cwd(), 'dist'), join(directory, 'out'));
  writeFileSync(join(directory, 'script.js'), script);
  return join(directory, 'script.js');
}

/** What an agent does: a shell in the jail of its workspace. */
export async function inside(workspace: Workspace, script: string): Promise<ProcessResult> {
  const command = { program: 'bash', args: ['-c', script], cwd: workspace.tree, env: workspace.env };
  return runProcess(jail.wrap(command, workspacePolicy(workspace, 'loopback')));
}

/** The same, and it must have worked. */
export async function agent(workspace: Workspace, script: string): Promise<string> {
  const result = await inside(workspace, `set -e\n${script}`);
  if (result.end.status === 'exited' && result.end.code === 0) return result.stdout.text;
  throw new Error(`${JSON.stringify(result.end)} ${result.stdout.text} ${result.stderr.text}`);
}

/** Everything of the user's that must stay as it is, as one comparable value. */
export function fingerprint(repo: TestRepo): Readonly<Record<string, string>> {
  const gitDir = join(repo.root, '.git');
  const own = ['HEAD', 'index', 'config', 'ORIG_HEAD', 'hooks', 'info', 'logs', 'shallow', 'FETCH_HEAD'];
  const refs = repo.git('for-each-ref', '--format=%(objectname) %(refname)').split('\n');
  return {
    ...listTree(repo.root, ''),
    ...Object.fromEntries(own.flatMap((name) => Object.entries(listTree(gitDir, name)))),
    refs: refs.filter((line) => !line.includes(' refs/forge/')).join('\n'),
  };
}

/** Paths, modes and contents below a directory; `.git` is left out. */
export function listTree(root: string, path: string): Record<string, string> {
  let found: ReturnType<typeof lstatSync>;
  try {
    found = lstatSync(join(root, path));
  } catch {
    return {};
  }
  if (found.isSymbolicLink()) return { [path]: `link ${readlinkSync(join(root, path))}` };
  if (!found.isDirectory()) {
    const content = found.isFile()
      ? createHash('sha1')
          .update(readFileSync(join(root, path)))
          .digest('hex')
      : 'special';
    return { [path]: `${(found.mode & 0o777).toString(8)} ${content}` };
  }
  const names = readdirSync(join(root, path)).filter((name) => name !== '.git');
  return Object.assign({}, ...names.map((name) => listTree(root, path === '' ? name : `${path}/${name}`))) as Record<
    string,
    string
  >;
}

/** Files of a commit with their contents. */
export function filesOf(repo: TestRepo, commit: string): Record<string, string> {
  const lines = repo.git('ls-tree', '-r', '-z', commit).split('\0').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => {
      const [meta = '', path = ''] = line.split('\t');
      const [mode, type, id = ''] = meta.split(' ');
      return [path, `${mode} ${type === 'blob' ? userGitRaw(repo.root, ['cat-file', 'blob', id]) : id}`];
    }),
  );
}

function userGitRaw(cwd: string, args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 });
}

export function refsOf(repo: TestRepo, prefix = 'refs/forge/'): Record<string, string> {
  const lines = repo.git('for-each-ref', '--format=%(refname) %(objectname)', prefix).split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]));
}

export function makeExecutable(path: string): void {
  chmodSync(path, 0o755);
}
