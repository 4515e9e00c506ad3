/**
 * Refs of the user's repository: read, and moved by compare-and-swap only. Somebody else having moved a ref
 * first is an answer, not a failure. Several refs move in one transaction or not at all.
 */
import { Buffer } from 'node:buffer';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '../errors.ts';
import { readLine } from './commit-object.ts';
import { objectCall, refCall } from './engine-dir.ts';
import type { RefMove, Repository } from './git.ts';
import { readRefFiles } from './ref-files.ts';
import { moveInSession } from './ref-session.ts';
import { git, lastLines } from './run-git.ts';

export type MoveOutcome =
  | ({ readonly status: 'moved' } & RefMove)
  /** The ref is not where the caller saw it. */
  | { readonly status: 'stale'; readonly ref: string; readonly actual: string | undefined }
  | { readonly status: 'not-fast-forward'; readonly ref: string; readonly actual: string };

export async function readRef(repo: Repository, ref: string): Promise<string | undefined> {
  // Not rev-parse, which would also find refs/heads/<ref> for a name that does not exist.
  const { code, stdout } = await git(['show-ref', '--verify', '--hash', '--', ref], {
    ...refCall(repo),
    answers: [0, 1, 128],
  });
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

export interface Ref {
  readonly ref: string;
  readonly commit: string;
}

/** Refs whose names begin with a prefix that ends in a slash. */
export async function listRefs(repo: Repository, prefix: string): Promise<readonly Ref[]> {
  const known = prefix.startsWith('refs/forge/') ? await readRefFiles(repo, prefix) : undefined;
  return known ?? listRefsWithGit(repo, prefix);
}

async function listRefsWithGit(repo: Repository, prefix: string): Promise<readonly Ref[]> {
  const { stdout } = await git(['for-each-ref', '--format=%(objectname) %(refname)', prefix], refCall(repo));
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }));
}

/**
 * Moves a ref forward, if it still is at `from` (undefined: must not exist yet). A ref that already is at
 * `to` counts as moved: the caller may have been killed before it could write that down.
 */
export async function moveRef(
  repo: Repository,
  ref: string,
  step: { readonly from: string | undefined; readonly to: string },
): Promise<MoveOutcome> {
  const { from, to } = step;
  if (from !== undefined && !(await isAncestor(repo, from, to)))
    return { status: 'not-fast-forward', ref, actual: from };
  const refused = await moveRefs(repo, [{ ref, before: from, after: to }]);
  if (refused === undefined) return { status: 'moved', ref, before: from, after: to };
  return refused.actual === to
    ? { status: 'moved', ref, before: from, after: to }
    : { status: 'stale', ref, actual: refused.actual };
}

/** All or none. The first ref that is not where it should be comes back; undefined when all have moved. */
export async function moveRefs(
  repo: Repository,
  moves: readonly RefMove[],
  { reason = 'forge', env = {} }: { readonly reason?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly ref: string; readonly actual: string | undefined } | undefined> {
  const instructions = moves.map((move) => instruction(move, zeroId(repo))).join('');
  const isOurs = Object.keys(env).length === 0 && moves.every(({ ref }) => ref.startsWith('refs/forge/'));
  if (isOurs && (await moveInSession(repo, { instructions, reason, env: identityEnv }))) {
    for (const move of moves) notePlaced(repo, move);
    return undefined;
  }
  const stdin = Buffer.from(instructions);
  const deadline = performance.now() + lockWaitMs;
  for (;;) {
    const { code, stderr } = await git(['update-ref', '-z', '-m', reason, '--stdin'], {
      ...refCall(repo),
      stdin,
      env: { ...identityEnv, ...env },
      answers: [0, 1, 128],
    });
    if (code === 0) {
      for (const move of moves) notePlaced(repo, move);
      return undefined;
    }
    for (const { ref, before } of moves) {
      const actual = await readRef(repo, ref);
      if (actual !== before) return { ref, actual };
    }
    // Nobody has moved them, so somebody holds a lock: git itself has waited a little already.
    const lock = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
    if (lock === undefined || performance.now() > deadline) {
      throw new ForgeError('git-failed', `git update-ref failed: ${lastLines(stderr)}`);
    }
    await releaseDeadLock(repo, lock);
    await sleep(lockPauseMs);
  }
}

/** Has this process put the commit under a ref of the run? Such refs go only with the run, and only move forward. */
export function wasPlaced(repo: Repository, prefix: string, commit: string): boolean {
  return placed.get(repo.gitDir)?.get(prefix)?.has(commit) === true;
}

const placed = new Map<string, Map<string, Set<string>>>();
const runOfRef = /^refs\/forge\/[^/]+\//;

function notePlaced({ gitDir }: Repository, { ref, after }: RefMove): void {
  const [prefix] = runOfRef.exec(ref) ?? [];
  if (prefix === undefined) return;
  const runs = placed.get(gitDir) ?? new Map<string, Set<string>>();
  placed.set(gitDir, runs);
  // Refs that are being removed hold nothing that can be relied on.
  if (after === undefined) runs.delete(prefix);
  else runs.set(prefix, (runs.get(prefix) ?? new Set()).add(after));
}

export async function isAncestor(repo: Repository, ancestor: string, commit: string): Promise<boolean> {
  if (ancestor === commit || (await readLine(repo, ancestor, commit)) !== undefined) return true;
  const { code } = await git(['merge-base', '--is-ancestor', ancestor, commit], {
    ...objectCall(repo),
    answers: [0, 1],
  });
  return code === 0;
}

/** Who appears in reflogs: never the user, who did not type this. */
const identityEnv = { GIT_COMMITTER_NAME: 'Forge', GIT_COMMITTER_EMAIL: 'forge@localhost' };
const lockPauseMs = 50;
/** A ref is locked for milliseconds; a lock this old was left by a git that was killed. */
const deadLockMs = 5000;
const lockWaitMs = 2 * deadLockMs;

/** Only refs/forge is ours to clear. */
async function releaseDeadLock(repo: Repository, lock: string): Promise<void> {
  if (!lock.startsWith(join(repo.gitDir, 'refs', 'forge', '/'))) return;
  const found = await stat(lock).catch(() => undefined);
  if (found !== undefined && Date.now() - found.mtimeMs > deadLockMs) await rm(lock, { force: true });
}

function instruction({ ref, before, after }: RefMove, zero: string): string {
  if (after === undefined) return `delete ${ref}\0${before ?? zero}\0`;
  return `update ${ref}\0${after}\0${before ?? zero}\0`;
}

function zeroId(repo: Repository): string {
  return '0'.repeat(repo.objectFormat === 'sha256' ? 64 : 40);
}
