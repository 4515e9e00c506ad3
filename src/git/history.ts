/**
 * A stretch of the user's history, read commit by commit along first parents, and which of the files it adds the
 * project's own ignore rules would hide from a snapshot. Reads refs, objects and rules; changes nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '../errors.ts';
import { objectCall, writeEngineDir } from './engine-dir.ts';
import type { Repository } from './git.ts';
import { excludeText } from './ignore-rules.ts';
import { checkIgnore, writeBaseRules } from './ignored.ts';
import { decodePath, encodePath } from './raw-path.ts';
import { git } from './run-git.ts';

export interface PastCommit {
  readonly id: string;
  /** Its first parent. */
  readonly parent: string;
  readonly isMerge: boolean;
  readonly subject: string;
  readonly body: string;
}

export interface CommitRange {
  readonly base: string;
  readonly head: string;
  /** Oldest first. */
  readonly commits: readonly PastCommit[];
}

/** `A..B`, where A lies on the line of first parents that ends in B; `A..` ends where the user stands. */
export async function readCommitRange(repo: Repository, range: string, most: number): Promise<CommitRange> {
  const [from = '', to, ...more] = range.split('..');
  if (from === '' || to === undefined || more.length > 0 || range.includes('...')) throw noRange(range);
  const base = await resolveCommit(repo, from);
  const head = await resolveCommit(repo, to || 'HEAD');
  const { stdout } = await git(['rev-list', '--first-parent', head], objectCall(repo));
  const line = stdout.toString('latin1').split('\n').filter(Boolean);
  const count = line.indexOf(base);
  if (count === -1) {
    throw new ForgeError('bad-input', `${from} is not on the line of first parents that ends in ${head.slice(0, 12)}`, {
      hint: 'Name a commit that git log --first-parent shows.',
    });
  }
  if (count > most) {
    throw new ForgeError('bad-input', `${range} has ${count} commits; ${most} is the most that is rehearsed at once`, {
      hint: `Start later, for example: ${line[most]?.slice(0, 12)}..${head.slice(0, 12)}.`,
    });
  }
  return { base, head, commits: await readCommits(repo, line.slice(0, count).toReversed()) };
}

/** The full id of what a person calls a commit. */
export async function resolveCommit(repo: Repository, name: string): Promise<string> {
  const found = await findCommit(repo, name);
  if (found !== undefined) return found;
  throw new ForgeError('bad-input', `There is no commit ${JSON.stringify(name)} in this repository`, {
    hint: 'If it is somewhere else, fetch it first.',
  });
}

export async function findCommit(repo: Repository, name: string): Promise<string | undefined> {
  const call = { cwd: repo.root, gitDir: repo.checkoutGitDir, answers: [0, 1, 128] };
  const { code, stdout } = await git(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
    call,
  );
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

async function readCommits(repo: Repository, ids: readonly string[]): Promise<readonly PastCommit[]> {
  if (ids.length === 0) return [];
  const args = ['log', '-z', '--no-walk=unsorted', '--stdin', '--format=%H%n%P%n%B'];
  const { stdout } = await git(args, { ...objectCall(repo), stdin: `${ids.join('\n')}\n` });
  const records = stdout
    .toString('utf8')
    .split('\0')
    .filter((record) => record.trim() !== '');
  return records.map((record) => {
    const [id = '', parents = '', subject = '', ...body] = record.split('\n');
    const [parent = '', ...others] = parents.split(' ');
    return { id, parent, isMerge: others.length > 0, subject, body: body.join('\n').trim() };
  });
}

/** Which of these paths any of these commits' ignore files, or the user's own rules, would hide while they are new. */
export async function hiddenPaths(
  repo: Repository,
  commits: readonly string[],
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>();
  if (paths.length === 0) return hidden;
  const place = await mkdtemp(join(tmpdir(), 'forge-rules-'));
  try {
    const gitDir = join(place, 'git');
    const rules = join(place, 'rules');
    await writeEngineDir(gitDir, {
      objectFormat: repo.objectFormat,
      bare: false,
      exclude: excludeText(repo.ignoreRules, []),
    });
    for (const commit of commits) {
      await writeBaseRules(repo, commit, rules);
      for (const path of await checkIgnore({ cwd: rules, workTree: rules, gitDir }, paths.map(encodePath)))
        hidden.add(decodePath(path));
    }
    return hidden;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function noRange(range: string): ForgeError {
  return new ForgeError('bad-input', `${JSON.stringify(range)} is not a range of commits`, {
    hint: 'Write it as two commits, such as v1.0..v1.1 or HEAD~20..HEAD.',
  });
}
