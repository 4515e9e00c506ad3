/**
 * The runs of this repository, or of every repository of this user, with what needs a person: what each asks, how far it
 * is, who does what, what it used. Then whatever changes. Of runs that are over only their index is read. Looking
 * changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { RunReader, RunSummary } from '../engine/engine.ts';
import { openReader } from '../open-reader.ts';
import { describeStanding } from '../views/step-lines.ts';
import { hasMovedBranch, isFinished } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { runPageSchema } from './display-schemas.ts';
import { runLineSchema } from './list-runs.ts';
import { begunRunOf } from './live-run.ts';
import { openQuestionSchema } from './open-questions.ts';
import type { JsonOf, StreamOperation } from './operation.ts';
import { runLine } from './run-lines.ts';
import { type UserRepository, userRepositories } from './user-repositories.ts';
import { VersionedItems } from './versioned-items.ts';

const input = z.strictObject({
  all: z.boolean().default(false).describe('of every repository of this user'),
  after: z.string().max(64).optional().describe('the position of what you have: only what changed since then comes'),
  follow: z.boolean().default(true).describe('keep giving them as runs change; otherwise give them once'),
});

const repositorySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  /** It is where it was; else its runs can only be looked at. */
  isThere: z.boolean(),
});

const listedRunSchema = z.strictObject({
  /** Unique over all repositories. */
  id: z.string(),
  repository: repositorySchema,
  line: runLineSchema,
  /** Of a run that is not over. */
  page: runPageSchema.optional(),
  questions: z.array(openQuestionSchema),
  /** Keys of tasks that ended and are not done. */
  notDone: z.array(z.string()),
  /** A branch stands where the run put it. */
  hasMovedBranch: z.boolean(),
});
export type ListedRun = JsonOf<typeof listedRunSchema>;

const output = z.strictObject({
  position: z.string(),
  /** This is all there is: forget what you had. */
  isWhole: z.boolean(),
  now: z.string(),
  runs: z.array(listedRunSchema),
  removed: z.array(z.string()),
});

export const watchRuns: StreamOperation<typeof input, typeof output> = {
  name: 'watch-runs',
  kind: 'stream',
  description: 'Gives the runs of this repository, or of all of this user, then whatever changes of them.',
  input,
  output,
  async *run(context, { all, after, follow }) {
    const lists = keptLists(context);
    const items = all ? lists.all : lists.here;
    for (let position = after; ; ) {
      const begun = performance.now();
      items.update(await lists.read(all));
      const changes = items.since(position);
      if (changes !== undefined) {
        const { isWhole, changed, removed } = changes;
        position = changes.position;
        yield { position, isWhole, now: new Date().toISOString(), runs: changed.map(([, run]) => run), removed };
      }
      if (!follow || context.signal.aborted) return;
      const cost = performance.now() - begun;
      await sleep(Math.max(shortestMs, 8 * cost), undefined, { signal: context.signal }).catch(() => undefined);
      if (context.signal.aborted) return;
    }
  },
};

/** How often directories are looked at while somebody watches; the answer leaves only when something changed. */
const shortestMs = 700;

/** Kept once, however many watch. */
interface KeptLists {
  readonly here: VersionedItems<ListedRun>;
  readonly all: VersionedItems<ListedRun>;
  read(all: boolean): Promise<readonly (readonly [string, ListedRun])[]>;
}

const kept = new WeakMap<object, KeptLists>();

function keptLists(context: ApiContext): KeptLists {
  const known = kept.get(context.cacheOwner);
  if (known !== undefined) return known;
  const readers = new Map<string, Promise<RunReader | undefined>>();
  const reading = new Map<boolean, Promise<readonly (readonly [string, ListedRun])[]>>();
  const read = async (all: boolean): Promise<readonly (readonly [string, ListedRun])[]> => {
    const found: (readonly [string, ListedRun])[] = [];
    for (const { repository, engine } of await readersFor(context, { all, readers })) {
      for (const summary of await engine.list({ withStanding: false })) {
        const run = await listed(context, { engine, repository, summary });
        found.push([run.id, run]);
      }
    }
    return found;
  };
  const lists: KeptLists = {
    here: new VersionedItems(),
    all: new VersionedItems(),
    read: (all) => {
      const under = reading.get(all) ?? read(all).finally(() => reading.delete(all));
      reading.set(all, under);
      return under;
    },
  };
  kept.set(context.cacheOwner, lists);
  return lists;
}

interface OpenRepository {
  readonly repository: UserRepository;
  readonly engine: RunReader;
}

async function readersFor(
  context: ApiContext,
  { all, readers }: { readonly all: boolean; readonly readers: Map<string, Promise<RunReader | undefined>> },
): Promise<readonly OpenRepository[]> {
  const known = userRepositories(context.env);
  if (!all) {
    const { engine, place } = await context.runs();
    const repository = known.find(({ id }) => place.includes(`/${id}/`));
    return [{ repository: repository ?? { id: '', name: '', root: context.cwd, isThere: true }, engine }];
  }
  const opened: OpenRepository[] = [];
  for (const repository of known) {
    if (!repository.isThere) continue;
    const reader = readers.get(repository.id) ?? openReader(repository.root, context.env).then((one) => one?.engine);
    readers.set(repository.id, reader);
    const engine = await reader.catch(() => undefined);
    if (engine !== undefined) opened.push({ repository, engine });
  }
  return opened;
}

async function listed(
  context: ApiContext,
  { engine, repository, summary }: OpenRepository & { readonly summary: RunSummary },
): Promise<ListedRun> {
  const base = {
    id: `${repository.id}/${summary.run}`,
    repository,
    line: runLine(summary),
    questions: [],
    notDone: [...summary.notDone],
    hasMovedBranch: hasMovedBranch(summary),
  };
  if (isFinished(summary) || summary.status === 'unreadable') return base;
  try {
    const { page, questions, chronicle, isPartial } = await begunRunOf(context, engine, summary.run);
    // The line says what is known until the rest of a long run was read.
    if (isPartial) return base;
    const line = { ...base.line, where: describeStanding(chronicle.state) };
    return { ...base, line, ...(page === undefined ? {} : { page }), questions };
  } catch {
    // It was removed a moment ago, or its journal cannot be read: the line says what is known.
    return base;
  }
}
