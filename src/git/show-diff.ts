/**
 * The difference between two commits for a person: as git itself shows it, in their colours and through their pager, or
 * as plain text, or counted per file. Agents wrote the content, so no program that attributes select (an external diff,
 * a text conversion) takes part. The pager is the person's own, as git finds it: GIT_PAGER, core.pager, PAGER, less.
 */
import { ForgeError } from '../errors.ts';
import { runForeground } from '../process/foreground.ts';
import { listChanges } from './changes.ts';
import { objectCall } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { git, gitLine } from './run-git.ts';

export interface CommitRange {
  readonly from: string;
  readonly to: string;
}

export interface FileCount {
  readonly path: string;
  readonly status: string;
  /** Undefined for files that are not text. */
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

const plain = ['--no-ext-diff', '--no-textconv'];

/** The terminal is git's and the pager's until the person has seen enough. */
export async function pageDiff(
  repo: Repository,
  { from, to }: CommitRange,
  options: {
    readonly stat: boolean;
    readonly color: boolean;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Promise<void> {
  const fixed = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const color = options.color ? [] : ['--no-color'];
  const args = [...fixed, 'diff', ...plain, ...color, ...statOf(options.stat), from, to];
  const code = await runForeground({ program: 'git', args, cwd: repo.root, env: ownEnvironment(options.env) });
  // A pager that is left early ends git with a broken pipe.
  if (code === 0 || code === 141 || code === null) return;
  throw new ForgeError('git-failed', `git diff failed (exit ${code})`);
}

/** Without colour, pager or anything of the person's taste: for pipes and files. */
export async function plainDiff(repo: Repository, { from, to }: CommitRange, stat: boolean): Promise<Buffer> {
  const fixed = ['--no-color', '--src-prefix=a/', '--dst-prefix=b/'];
  const { stdout } = await git(['diff', ...plain, ...fixed, ...statOf(stat), from, to], objectCall(repo));
  return stdout;
}

/** The same of one file. Every path is taken literally: see run-git.ts. */
export async function fileDiff(repo: Repository, { from, to }: CommitRange, path: string): Promise<Buffer> {
  const fixed = ['--no-color', '--no-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = ['diff', ...plain, ...fixed, from, to, '--', path];
  return (await git(args, objectCall(repo))).stdout;
}

export async function countChanges(repo: Repository, { from, to }: CommitRange): Promise<readonly FileCount[]> {
  const args = ['diff-tree', '-r', '-z', '--numstat', '--no-renames', ...plain, from, to];
  const { stdout } = await git(args, objectCall(repo));
  // Both list the same files in the same order.
  const counts = stdout.toString('latin1').split('\0');
  return (await listChanges(repo, from, to)).map(({ path, status }, at) => {
    const [added = '-', removed = '-'] = (counts[at] ?? '').split('\t');
    return { path, status, added: numberOf(added), removed: numberOf(removed) };
  });
}

/** Where two lines of work parted; undefined when they have nothing in common. */
export async function forkPoint(repo: Repository, one: string, other: string): Promise<string | undefined> {
  const line = await gitLine(['merge-base', one, other], { ...objectCall(repo), answers: [0, 1] });
  return line === '' ? undefined : line;
}

function statOf(stat: boolean): readonly string[] {
  return stat ? ['--stat'] : [];
}

function numberOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Theirs, but for what would lead git to another repository. */
function ownEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const kept = new Set([
    'GIT_PAGER',
    'GIT_PAGER_IN_USE',
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_SYSTEM',
    'GIT_CONFIG_NOSYSTEM',
  ]);
  const own = Object.entries(env).filter(([name]) => !name.startsWith('GIT_') || kept.has(name));
  return { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' };
}
