/**
 * Takes back what Forge put on branches. Only refs that Forge moved and that still stand where it left them are put back,
 * and only as far as nobody else moved them in between; any other ref is named and left alone, so that no commit of a
 * person leaves a branch they put it on. What is undone stays reachable under refs/forge/<run>/undone/.
 * Refs are put back all together or not at all.
 */
import { ForgeError } from '../errors.ts';
import { writeCommit } from './commit.ts';
import type { RefMove, Repository } from './git.ts';
import { treeOf } from './changes.ts';
import { mergeTrees } from './merge.ts';
import { moveBranches, type MoveRequest, shortName } from './move-branches.ts';
import { lastNumber, undonePrefix } from './ref-name.ts';
import { isAncestor, listRefs, readRef } from './refs.ts';
import { gitLine } from './run-git.ts';
import { refCall } from './engine-dir.ts';
import { checkoutsOf } from './user-checkout.ts';

/** The commits by which Forge moved a ref, with nothing of anybody else in between. */
export interface LandedRange {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A ref with something of Forge's on it that cannot simply be put back. */
export interface LeftAlone {
  readonly ref: string;
  readonly at: string | undefined;
  /** Newest first. */
  readonly landed: readonly LandedRange[];
  /** `built-on`: commits were made on top. `elsewhere`: it does not hold what was landed. `gone`: it was removed. */
  readonly why: 'built-on' | 'elsewhere' | 'gone';
  /** Commits on top that are not Forge's landing. */
  readonly commits: number;
}

export interface UndoPlan {
  readonly back: readonly RefMove[];
  readonly left: readonly LeftAlone[];
}

/** What of a run's moves still stands, by ref, oldest stretch first. Pure. */
export function standingMoves(moves: readonly RefMove[]): ReadonlyMap<string, readonly LandedRange[]> {
  const standing = new Map<string, readonly LandedRange[]>();
  for (const { ref, before, after, reverts } of moves) {
    const known = standing.get(ref) ?? [];
    const top = known.at(-1);
    if (reverts === true) standing.set(ref, []);
    else if (top === undefined || top.after !== before) standing.set(ref, [...known, { before, after }]);
    // Further on, or back: what is left is the way from where the stretch began.
    else standing.set(ref, [...known.slice(0, -1), ...(top.before === after ? [] : [{ before: top.before, after }])]);
  }
  return standing;
}

/** The moves of a run in the order they happened. Changes nothing. */
export async function planUndo(repo: Repository, moves: readonly RefMove[]): Promise<UndoPlan> {
  const back: RefMove[] = [];
  const left: LeftAlone[] = [];
  for (const [ref, stretches] of standingMoves(moves)) {
    const at = await readRef(repo, ref);
    const landed = stretches.toReversed().filter(({ before }) => before !== at);
    const top = landed[0];
    if (top === undefined) continue;
    if (at === top.after) back.push({ ref, before: at, after: top.before });
    const isBack = at === top.after;
    const below = { ref, at: isBack ? top.before : at, landed: isBack ? landed.slice(1) : landed };
    const found = await lookAtLeft(repo, below);
    if (found !== undefined && (!isBack || found.why === 'built-on')) left.push(found);
  }
  return { back, left };
}

type Undoing = Pick<MoveRequest, 'run' | 'record' | 'known'>;

export async function undoRefs(repo: Repository, back: readonly RefMove[], operation: Undoing): Promise<void> {
  if (back.length === 0) return;
  const ownRefs = await keepTips(repo, operation.run, back);
  const checkouts = await checkoutsFor(repo, back);
  await moveBranches(repo, {
    ...operation,
    kind: 'undo',
    moves: back,
    ownRefs,
    checkouts,
    reason: 'forge: undo',
    refuse,
  });
}

/** Commits on top of what people built on a landing, taking its changes back. Refused where those would be lost. */
export async function revertLeft(
  repo: Repository,
  left: readonly LeftAlone[],
  operation: Undoing & { readonly date: Date },
): Promise<readonly RefMove[]> {
  const moves: RefMove[] = [];
  for (const { ref, at, landed, why } of left) {
    if (why !== 'built-on' || at === undefined) continue;
    let tree = await treeOf(repo, at);
    for (const { before, after } of landed) {
      if (before === undefined || after === undefined) continue;
      const [base, theirs] = await Promise.all([treeOf(repo, after), treeOf(repo, before)]);
      const merged = await mergeTrees(repo, { base, ours: tree, theirs });
      if (merged.status === 'conflict') {
        const files = merged.files.slice(0, 5).join(', ');
        throw refuse(
          `${shortName(ref)} cannot be reverted: commits on top changed the same places (${files})`,
          `Revert it yourself and settle the conflicts: ${revertCommand(landed)}`,
        );
      }
      tree = merged.tree;
    }
    const message = `Take back the work of ${operation.run}`;
    const { run, date } = operation;
    const after = await writeCommit(repo, { tree, parent: at, message, run, authors: [], date });
    moves.push({ ref, before: at, after, reverts: true });
  }
  if (moves.length === 0) return [];
  const checkouts = await checkoutsFor(repo, moves);
  const { date: _, ...undoing } = operation;
  await moveBranches(repo, { ...undoing, kind: 'undo', moves, checkouts, reason: 'forge: revert', refuse });
  return moves;
}

/** What a person can type instead. */
export function revertCommand(landed: readonly LandedRange[]): string {
  const ranges = landed.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [`${before.slice(0, 12)}..${after.slice(0, 12)}`],
  );
  return `git revert --no-edit ${ranges.join(' ')}`;
}

/** Nothing to say about what is not there any more: people took it back themselves. */
async function lookAtLeft(
  repo: Repository,
  { ref, at, landed }: Pick<LeftAlone, 'ref' | 'at' | 'landed'>,
): Promise<LeftAlone | undefined> {
  if (landed.length === 0) return undefined;
  if (at === undefined) return { ref, at, landed, why: 'gone', commits: 0 };
  const held: LandedRange[] = [];
  for (const stretch of landed) {
    if (stretch.after !== undefined && (await isAncestor(repo, stretch.after, at))) held.push(stretch);
  }
  const [newest] = held;
  if (newest?.after === undefined) return { ref, at, landed, why: 'elsewhere', commits: 0 };
  const count = await gitLine(['rev-list', '--count', `${newest.after}..${at}`], refCall(repo));
  return { ref, at, landed: held, why: 'built-on', commits: Number(count) };
}

async function checkoutsFor(repo: Repository, moves: readonly RefMove[]) {
  const checkouts: NonNullable<MoveRequest['checkouts']> = [];
  for (const { ref, before, after } of moves) {
    if (!ref.startsWith('refs/heads/') || before === undefined) continue;
    const found = await checkoutsOf(repo, ref);
    if (found.status === 'blocked') throw refuse(`${shortName(ref)} cannot be moved: ${found.reason}`);
    for (const checkout of found.checkouts) {
      if (after === undefined)
        throw refuse(`${shortName(ref)} is checked out in ${checkout.root}`, 'Switch to another branch first.');
      checkouts.push({ ...checkout, from: before, to: after });
    }
  }
  return checkouts;
}

async function keepTips(repo: Repository, run: string, back: readonly RefMove[]): Promise<readonly RefMove[]> {
  const prefix = undonePrefix(run);
  const kept = await listRefs(repo, prefix);
  const known = new Set(kept.map((ref) => ref.commit));
  const tips = [...new Set(back.map((move) => move.before))].filter((tip) => tip !== undefined && !known.has(tip));
  const first = lastNumber(
    kept.map((ref) => ref.ref),
    prefix,
  );
  return tips.map((after, at) => ({ ref: `${prefix}${first + at + 1}`, before: undefined, after }));
}

function refuse(message: string, hint = 'Nothing was changed.'): ForgeError {
  return new ForgeError('undo-refused', message, { hint });
}
