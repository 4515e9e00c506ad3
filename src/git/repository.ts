/**
 * Finds the user's repository and says what is special about it. The checkout is only read. States agents
 * cannot work with (bare, no commit, partial clone, old git) are refused with a sentence and its remedy;
 * the others become notices.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { ForgeError } from '../errors.ts';
import { defaultDataDir, resolveDataDir } from './data-dir.ts';
import { writeEngineDir } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { formatVersion, isNewEnough, oldestGit, parseGitVersion } from './git-version.ts';
import { findNotices } from './notices.ts';
import { refComponent } from './ref-name.ts';
import { readRef } from './refs.ts';
import { identifyRepository } from './repository-identity.ts';
import { git, gitLine } from './run-git.ts';
import type { GitCall } from './run-git.ts';
import { defaultStateDir, resolveStateDir } from './state-dir.ts';

export interface OpenOptions {
  readonly dataDir?: string;
  /** Instead of the user's state directory. */
  readonly stateDir?: string;
}

export async function openRepository(cwd: string, options: OpenOptions = {}): Promise<Repository> {
  // The user's own settings count here: `safe.directory` is theirs to decide.
  const call: GitCall = { cwd: await directory(cwd), config: 'user' };
  await requireGit(call);
  const found = await discover(call);
  await refusePartialClone(call);
  const dataDir = await resolveDataDir(options.dataDir ?? defaultDataDir(), found.root);
  const stateDir = await resolveStateDir(options.stateDir ?? defaultStateDir(), found.root);
  const { id, folder: stateFolder } = await identifyRepository(found, stateDir);
  const engineDir = join(dataDir, 'repositories', `${id}.git`);
  await writeEngineDir(engineDir, { objectFormat: found.objectFormat, bare: true, exclude: '' });
  const repo: Repository = {
    ...found,
    dataDir,
    id,
    stateDir,
    stateFolder,
    engineDir,
    alternates: await findAlternates(found.objectsDir),
    ignoreRules: await readIgnoreRules(call, found.gitDir),
    ...(await readHooksPath(call, found)),
    notices: [],
  };
  return { ...repo, notices: await findNotices(repo) };
}

/** `forge/<run>`, unless a branch `forge` is in the way of that directory. */
export async function resultBranch(repo: Repository, run: string): Promise<string> {
  const name = refComponent(run);
  return (await readRef(repo, 'refs/heads/forge')) === undefined ? `forge/${name}` : `forge-${name}`;
}

async function directory(cwd: string): Promise<string> {
  const path = resolve(cwd);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return realpath(path);
  throw new ForgeError('not-a-repository', `${path} is not a directory`);
}

async function requireGit(call: GitCall): Promise<void> {
  const text = await gitLine(['--version'], call);
  const version = parseGitVersion(text);
  if (version !== undefined && isNewEnough(version)) return;
  const seen = version === undefined ? `"${text}"` : formatVersion(version);
  throw new ForgeError('git-too-old', `git ${seen} is too old: Forge needs ${formatVersion(oldestGit)} or newer`, {
    hint: 'Install a newer git and put it first on PATH.',
  });
}

type Found = Pick<Repository, 'root' | 'gitDir' | 'checkoutGitDir' | 'objectsDir' | 'objectFormat' | 'head' | 'branch'>;

async function discover(call: GitCall): Promise<Found> {
  const first = await git(['rev-parse', '--is-bare-repository', '--is-inside-work-tree', '--show-object-format'], {
    ...call,
    answers: [0, 128],
  });
  if (first.code !== 0) throw notFound(call.cwd, first.stderr);
  const [bare, inside, format] = first.stdout.toString('utf8').split('\n');
  if (bare === 'true') {
    throw new ForgeError(
      'repository-unsupported',
      `${call.cwd} is a bare repository: there is no checkout to work from`,
      {
        hint: 'Run Forge in a clone or worktree of it.',
      },
    );
  }
  if (inside !== 'true') {
    throw new ForgeError('repository-unsupported', `${call.cwd} is inside a git directory, not inside a checkout`, {
      hint: 'Run Forge from the top of the checkout.',
    });
  }
  // One call each: a path may hold a newline.
  const [root, gitDir, checkoutGitDir, objectsDir] = await Promise.all([
    pathAnswer(['--show-toplevel'], call),
    pathAnswer(['--git-common-dir'], call),
    pathAnswer(['--absolute-git-dir'], call),
    pathAnswer(['--git-path', 'objects'], call),
  ]);
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { ...call, answers: [0, 1, 128] });
  if (head.code !== 0) {
    throw new ForgeError('repository-unsupported', `the repository ${root} has no commit yet`, {
      hint: 'Make a first commit: git commit --allow-empty -m "Initial commit"',
    });
  }
  const symbolic = await git(['symbolic-ref', '--quiet', 'HEAD'], { ...call, answers: [0, 1] });
  const ref = symbolic.stdout.toString('utf8').trim();
  return {
    root,
    gitDir,
    checkoutGitDir,
    objectsDir,
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    head: head.stdout.toString('utf8').trim(),
    branch: ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined,
  };
}

async function pathAnswer(question: readonly string[], call: GitCall): Promise<string> {
  return realpath(await gitLine(['rev-parse', '--path-format=absolute', ...question], call));
}

function notFound(cwd: string, stderr: string): ForgeError {
  if (stderr.includes('dubious ownership')) {
    return new ForgeError(
      'repository-unsupported',
      `git does not trust the repository at ${cwd}: it belongs to someone else`,
      {
        hint: `If you trust it: git config --global --add safe.directory ${cwd}`,
      },
    );
  }
  if (stderr.includes('not a git repository')) {
    return new ForgeError('not-a-repository', `${cwd} is not in a git repository`, {
      hint: 'Create one with git init and make a first commit.',
    });
  }
  return new ForgeError('repository-unsupported', `git cannot read the repository at ${cwd}: ${stderr.slice(-500)}`);
}

/** Objects that are not there cannot be shared with a workspace that has no network. */
async function refusePartialClone(call: GitCall): Promise<void> {
  const pattern = '^(remote\\..*\\.(promisor|partialclonefilter)|extensions\\.partialclone)$';
  const { stdout } = await git(['config', '-z', '--get-regexp', pattern], { ...call, answers: [0, 1] });
  const settings = stdout.toString('utf8').split('\0').filter(Boolean);
  if (settings.length === 0) return;
  const remote = settings.map((setting) => /^remote\.(.*)\.promisor\n/.exec(setting)?.[1]).find(Boolean) ?? 'origin';
  const names = [...new Set(settings.map((setting) => setting.split('\n', 1)[0] ?? ''))];
  throw new ForgeError(
    'repository-unsupported',
    `the repository is a partial clone of ${remote}: some objects are missing here`,
    {
      hint: `Fetch them: ${[
        `git fetch --refetch --no-filter ${remote}`,
        ...names.map((name) => `git config --unset-all ${name}`),
      ].join(' && ')}`,
    },
  );
}

async function findAlternates(objectsDir: string, seen = new Set<string>()): Promise<string[]> {
  const text = await readFile(join(objectsDir, 'info', 'alternates'), 'utf8').catch(() => '');
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('"')) continue;
    const path = await realpath(isAbsolute(line) ? line : join(objectsDir, line)).catch(() => undefined);
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    await findAlternates(path, seen);
  }
  return [...seen];
}

async function readIgnoreRules(call: GitCall, gitDir: string): Promise<string> {
  const configured = await git(['config', '--type=path', '--get', 'core.excludesFile'], { ...call, answers: [0, 1] });
  const home = process.env['XDG_CONFIG_HOME'] || join(process.env['HOME'] ?? '/nonexistent', '.config');
  const file = configured.code === 0 ? configured.stdout.toString('utf8').trimEnd() : join(home, 'git', 'ignore');
  const texts = [await readText(resolve(call.cwd, file)), await readText(join(gitDir, 'info', 'exclude'))];
  return texts.map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)).join('');
}

/** Outside the checkout no commit can reach it. Our own calls turn hooks off: that is not what the person has set. */
async function readHooksPath(
  call: GitCall,
  { root, gitDir }: Pick<Repository, 'root' | 'gitDir'>,
): Promise<Pick<Repository, 'hooksPath' | 'hooksDir'>> {
  const asked = ['config', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const { stdout } = await git(asked, { ...call, answers: [0, 1] });
  const lines = stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('command\t'));
  const [, path = ''] = /^[^\t]*\t(.*)$/.exec(lines.at(-1) ?? '') ?? [];
  if (path === '') return { hooksDir: join(gitDir, 'hooks') };
  const hooksDir = resolve(root, path);
  const inside = relative(root, hooksDir);
  const isInside = inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
  return { hooksDir, ...(isInside ? { hooksPath: inside } : {}) };
}

async function readText(path: string): Promise<string> {
  // Rules may hold names that are not UTF-8; they go back out as they came in.
  return readFile(path, 'latin1').catch(() => '');
}
