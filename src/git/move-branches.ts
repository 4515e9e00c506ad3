/**
 * Moves branches of the user's together with their checkouts: all of them or none, also when the process is killed at any
 * moment. What is meant is on disk first; then the index of each checkout is locked, its files move, the refs move in one
 * transaction, and last the journal records it. Whoever comes next finishes what was cut off: forward once a ref has moved,
 * back before that. Refs that somebody else has moved since are left as they are.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '../errors.ts';
import { longWork, whileLocked } from '../files/directory-lock.ts';
import { processesWithVariable } from '../process/process-table.ts';
import type { RefMove, Repository } from './git.ts';
import {
  type CheckoutMove,
  copyOwnIndex,
  installIndex,
  lockIndex,
  moveFiles,
  operationVariable,
  restoreCheckout,
  unlockIndex,
} from './move-checkout.ts';
import {
  abandonedOperations,
  type NewOperation,
  newOperation,
  type OperationRecord,
  operationsDir,
  removeOperation,
  writeOperation,
} from './operation-file.ts';
import { releaseAbandonedLocks } from './ref-locks.ts';
import { moveRefs, readRef } from './refs.ts';
import { findObstacle, isCheckoutAt } from './user-checkout.ts';

export interface MoveRequest extends NewOperation {
  readonly reason: string;
  readonly refuse: (message: string, hint?: string) => ForgeError;
  /** Called when everything has moved. If it fails, the operation is kept until `recordSettled` succeeds. */
  readonly record?: (moves: readonly RefMove[]) => Promise<void>;
}

export async function moveBranches(repo: Repository, request: MoveRequest): Promise<void> {
  await runExclusively(repo, async () => {
    await settle(repo);
    const begun = await writeOperation(repo, newOperation(request));
    const operation = await prepared(repo, begun, request);
    const moved = await carryOut(repo, operation, request);
    await request.record?.(operation.moves.map(asMove));
    await removeOperation(repo, moved);
  });
}

/**
 * Finishes or takes back whatever a process that is gone left half-done, then tells the journal of the run about it.
 * Every command that moves branches calls this first.
 */
export async function settleOperations(
  repo: Repository,
  record: (operation: Pick<OperationRecord, 'run' | 'moves' | 'known'>) => Promise<void>,
): Promise<void> {
  if ((await abandonedOperations(repo)).length === 0) return;
  await runExclusively(repo, async () => {
    await settle(repo);
    for (const operation of await abandonedOperations(repo)) {
      if (operation.phase !== 'moved') continue;
      await record(operation);
      await removeOperation(repo, operation);
    }
  });
}

/** One operation at a time in a repository. */
export async function runExclusively<T>(repo: Repository, work: () => Promise<T>): Promise<T> {
  await mkdir(operationsDir(repo), { recursive: true });
  return whileLocked(operationsDir(repo), work, longWork);
}

/** Everything is locked and looked at; only then does the operation say that files may have changed. */
async function prepared(repo: Repository, begun: OperationRecord, request: MoveRequest): Promise<OperationRecord> {
  try {
    const moving: CheckoutMove[] = [];
    for (const checkout of begun.checkouts) {
      // A checkout that is there already needs no move, and is not taken back either.
      if (await isCheckoutAt(checkout, checkout.to)) continue;
      if (!(await lockIndex(checkout, begun.id))) {
        const message = `another git command is at work in ${checkout.root} (${join(checkout.gitDir, 'index.lock')})`;
        throw request.refuse(message, 'Wait until it has finished. If no git is running, remove that file.');
      }
      moving.push(checkout);
      const indexFile = await copyOwnIndex(checkout, begun.id);
      const reason = await findObstacle(repo, checkout, { ...checkout, indexFile });
      if (reason !== undefined) throw request.refuse(reason, 'Commit, stash or move these files, then try again.');
    }
    return await writeOperation(repo, { ...begun, checkouts: moving, phase: 'moving' });
  } catch (error) {
    await release(begun);
    await removeOperation(repo, begun);
    throw error;
  }
}

async function carryOut(repo: Repository, operation: OperationRecord, request: MoveRequest): Promise<OperationRecord> {
  const { id, checkouts } = operation;
  try {
    for (const checkout of checkouts) await moveFiles(checkout, id);
    const stale = await moveRefs(repo, refsOf(operation), { reason: request.reason, env: { [operationVariable]: id } });
    if (stale !== undefined) throw request.refuse(`${shortName(stale.ref)} was moved by somebody else just now`);
  } catch (error) {
    await takeBack(repo, operation);
    throw error;
  }
  for (const checkout of checkouts) await installIndex(checkout, id);
  await release(operation);
  return writeOperation(repo, { ...operation, phase: 'moved' });
}

async function settle(repo: Repository): Promise<void> {
  for (const operation of await abandonedOperations(repo)) {
    if (operation.phase === 'moved') continue;
    await untilChildrenEnded(operation);
    await releaseAbandonedLocks(repo, operation);
    await settleOne(repo, operation);
  }
}

async function settleOne(repo: Repository, operation: OperationRecord): Promise<void> {
  const { phase, kind, checkouts, id } = operation;
  const refs = await Promise.all(
    refsOf(operation).map(async (move) => ({ ...move, actual: await readRef(repo, move.ref) })),
  );
  const isOthers = refs.some(({ before, after, actual }) => actual !== before && actual !== after);
  if (phase === 'preparing' || kind === 'cleanup' || isOthers) {
    await release(operation);
    return removeOperation(repo, operation);
  }
  if (!refs.some(({ after, actual }) => actual === after)) return takeBack(repo, operation);
  const missing = refs.filter(({ after, actual }) => actual !== after);
  if (missing.length > 0) await moveRefs(repo, missing, { reason: 'forge: finished' });
  for (const checkout of checkouts) await restoreCheckout(repo, checkout, { id, target: 'to' });
  await release(operation);
  if (kind === 'publish') return removeOperation(repo, operation);
  await writeOperation(repo, { ...operation, phase: 'moved' });
}

async function takeBack(repo: Repository, operation: OperationRecord): Promise<void> {
  for (const checkout of operation.checkouts) {
    await restoreCheckout(repo, checkout, { id: operation.id, target: 'from' });
  }
  await release(operation);
  await removeOperation(repo, operation);
}

async function release({ id, checkouts }: OperationRecord): Promise<void> {
  for (const checkout of checkouts) await unlockIndex(checkout, id);
}

/** A git that outlived the process that started it is let finish: it knows what it does. */
async function untilChildrenEnded({ id, run }: OperationRecord): Promise<void> {
  const deadline = performance.now() + childWaitMs;
  for (;;) {
    const [pid] = processesWithVariable(operationVariable, id);
    if (pid === undefined) return;
    if (performance.now() > deadline) {
      throw new ForgeError(
        'git-failed',
        `A git command of an interrupted Forge is still at work on ${run} (pid ${pid})`,
        {
          hint: 'Wait until it has finished, then run the same command again.',
        },
      );
    }
    await sleep(50);
  }
}

const childWaitMs = 60_000;

function refsOf({ moves, ownRefs }: OperationRecord): readonly RefMove[] {
  return [...moves, ...ownRefs].map(asMove);
}

function asMove({ ref, before, after, reverts }: OperationRecord['moves'][number]): RefMove {
  return { ref, before, after, ...(reverts === true ? { reverts } : {}) };
}

export function shortName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}
