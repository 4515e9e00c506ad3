/**
 * Results of earlier runs, on disk, by everything that decides them. The key is made by the engine from commits and
 * settings, never from anything the code under test says, and no jail exposes the directory, so a repository cannot
 * put a result here. Only results that would come again are kept. An entry is written aside and renamed; one that can
 * not be read is as good as none.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { VerifyCommand } from '../plan/command-line.ts';
import { testCountsSchema } from '../policy/check-report.ts';
import { isGreen } from '../policy/check-verdict.ts';
import type { CommandRun } from './check.ts';

/** Everything that decides what a list of commands comes to. */
export interface CacheScope {
  /** The tree that is checked out, the judge's files included. */
  readonly tree: string;
  /** Commands see what those before them made, so the list counts from its beginning. */
  readonly commands: readonly VerifyCommand[];
  readonly env: Readonly<Record<string, string>>;
  readonly network: string;
  readonly jail: string;
  readonly readable: readonly string[];
  readonly outputBytes: number | undefined;
  readonly setup: string | undefined;
}

/** A command's first run and, where that failed and it mattered, the second. */
export interface CachedRuns {
  readonly first: CommandRun;
  readonly rerun: CommandRun | undefined;
}

export async function readCachedRuns(
  directory: string | undefined,
  scope: CacheScope,
): Promise<readonly CachedRuns[] | undefined> {
  if (directory === undefined) return undefined;
  const read = scope.commands.map((_, place) => readEntry(join(directory, cacheKey(scope, place))));
  const found = (await Promise.all(read)).filter((entry) => entry !== undefined);
  return found.length === scope.commands.length ? found : undefined;
}

export async function writeCachedRuns(
  directory: string | undefined,
  scope: CacheScope,
  results: readonly CachedRuns[],
): Promise<void> {
  if (directory === undefined) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const [place, result] of results.entries()) {
    if (isRepeatable(result)) await writeEntry(join(directory, cacheKey(scope, place)), result);
  }
}

/** Would the same tree give the same result again? Not after a timeout, with a program missing, or when flaky. */
function isRepeatable({ first, rerun }: CachedRuns): boolean {
  const runs = rerun === undefined ? [first] : [first, rerun];
  if (runs.some((run) => run.end !== 'exited' || run.missing !== undefined)) return false;
  return rerun === undefined || isGreen(first) === isGreen(rerun);
}

/** Raised whenever entries of older versions can no longer be trusted to mean the same. */
const cacheVersion = 4;

function cacheKey(scope: CacheScope, place: number): string {
  const machine = [process.platform, process.arch, process.version];
  const commands = scope.commands
    .slice(0, place + 1)
    .map(({ argv, cwd, env, timeoutMs }) => [argv, cwd, pairs(env), timeoutMs]);
  const parts = [cacheVersion, machine, scope.tree, commands, pairs(scope.env), scope.network, scope.jail];
  const text = JSON.stringify([...parts, [...scope.readable].sort(), scope.outputBytes ?? null, scope.setup ?? null]);
  return createHash('sha256').update(text).digest('hex');
}

function pairs(env: Readonly<Record<string, string>>): readonly [string, string][] {
  return Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
}

const runSchema = z.strictObject({
  exit: z.number().int(),
  durationMs: z.number().nonnegative(),
  counts: testCountsSchema.optional(),
  reader: z.string().optional(),
  output: z.string(),
  rewrote: z.array(z.string()).optional(),
});
const entrySchema = z.strictObject({ first: runSchema, rerun: runSchema.optional() });

async function readEntry(file: string): Promise<CachedRuns | undefined> {
  try {
    const { first, rerun } = entrySchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return { first: toRun(first), rerun: rerun === undefined ? undefined : toRun(rerun) };
  } catch {
    return undefined;
  }
}

async function writeEntry(file: string, { first, rerun }: CachedRuns): Promise<void> {
  const aside = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(aside, JSON.stringify({ first: stored(first), rerun: rerun && stored(rerun) }), { mode: 0o600 });
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
}

function stored({ exit, durationMs, counts, reader, output, rewrote }: CommandRun): z.input<typeof runSchema> {
  return { exit: exit ?? 1, durationMs, counts, reader, output, rewrote: rewrote && [...rewrote] };
}

/** What only a run that has just ended has. */
const fromCache = {
  end: 'exited',
  reason: undefined,
  missing: undefined,
  counts: undefined,
  reader: undefined,
  printed: { stdout: '', stderr: '' },
} as const;

function toRun(entry: z.output<typeof runSchema>): CommandRun {
  return { ...fromCache, ...entry };
}
