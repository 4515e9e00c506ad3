/**
 * What Forge is about to do to branches and checkouts of the user's, written down before it begins: one file for each
 * operation, in the data directory, whole or absent and on disk when a call returns. Whoever finds the file of a process
 * that is gone knows what was meant and how far it may have come.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, ownIdentity, sameHost } from '../process/identity.ts';
import type { RefMove, Repository } from './git.ts';

const move = z.object({
  ref: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  reverts: z.boolean().optional(),
});

const operationSchema = z.object({
  version: z.literal(2),
  id: z.string(),
  kind: z.enum(['land', 'undo', 'publish', 'cleanup']),
  run: z.string(),
  /**
   * `preparing`: nothing was changed but for locks that carry the operation's name. `moving`: files, then refs.
   * `moved`: all of it is done, and only the run's journal does not say so yet.
   */
  phase: z.enum(['preparing', 'moving', 'moved']),
  startedAt: z.number(),
  holder: z.object({ pid: z.number(), startTime: z.string(), bootId: z.string(), host: z.string() }),
  /** Branches, as a journal records them. */
  moves: z.array(move),
  /** Refs of Forge's own that move in the same transaction. */
  ownRefs: z.array(move),
  checkouts: z.array(z.object({ root: z.string(), gitDir: z.string(), from: z.string(), to: z.string() })),
  /** How many moves the run's journal knew when this began. */
  known: z.number(),
});

export type OperationRecord = z.infer<typeof operationSchema>;
export type OperationKind = OperationRecord['kind'];

export interface NewOperation {
  readonly kind: OperationKind;
  readonly run: string;
  readonly moves: readonly RefMove[];
  readonly ownRefs?: readonly RefMove[];
  readonly checkouts?: OperationRecord['checkouts'];
  readonly known?: number;
}

export function newOperation({
  kind,
  run,
  moves,
  ownRefs = [],
  checkouts = [],
  known = 0,
}: NewOperation): OperationRecord {
  return operationSchema.parse({
    version: 2,
    id: randomUUID(),
    kind,
    run,
    phase: 'preparing',
    startedAt: Date.now(),
    holder: ownIdentity(),
    moves,
    ownRefs,
    checkouts,
    known,
  });
}

export function operationsDir(repo: Repository): string {
  return join(repo.dataDir, 'operations', repo.id);
}

export async function writeOperation(repo: Repository, operation: OperationRecord): Promise<OperationRecord> {
  const directory = operationsDir(repo);
  await mkdir(directory, { recursive: true });
  const aside = join(directory, `.${operation.id}.${process.pid}`);
  const file = await open(aside, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(operation));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(aside, fileOf(repo, operation));
  await syncDirectory(directory);
  return operation;
}

export async function removeOperation(repo: Repository, operation: OperationRecord): Promise<void> {
  await rm(fileOf(repo, operation), { force: true });
  await syncDirectory(operationsDir(repo));
}

/** Those whose process is gone, oldest first. */
export async function abandonedOperations(repo: Repository): Promise<readonly OperationRecord[]> {
  const directory = operationsDir(repo);
  const names = await readdir(directory).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^[0-9a-f-]{36}\.json$/.test(name)).map((name) => readOperation(join(directory, name))),
  );
  return found
    .flatMap((operation) => operation ?? [])
    .filter(isAbandoned)
    .sort((a, b) => a.startedAt - b.startedAt);
}

/** How long an operation of another machine counts, which cannot be asked whether it lives. */
const foreignMs = 60 * 60_000;

function isAbandoned({ holder, startedAt }: OperationRecord): boolean {
  // This process does one at a time, so an older one of its own has failed.
  if (holder.pid === process.pid) return true;
  return sameHost(holder) ? !isAlive(holder) : Date.now() - startedAt > foreignMs;
}

async function readOperation(file: string): Promise<OperationRecord | undefined> {
  try {
    return operationSchema.parse(upgrade(JSON.parse(await readFile(file, 'utf8'))));
  } catch {
    return undefined;
  }
}

/** Version 1 called the refs of Forge's own `also`. */
function upgrade(record: unknown): unknown {
  const { version, also, ...rest } = Object(record) as Readonly<Record<string, unknown>>;
  return version === 1 ? { ...rest, version: 2, ownRefs: also } : record;
}

function fileOf(repo: Repository, { id }: OperationRecord): string {
  return join(operationsDir(repo), `${id}.json`);
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
