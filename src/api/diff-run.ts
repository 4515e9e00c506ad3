/**
 * What a run changed, or one of its tasks: from where it started to what came of it. Of a task that was merged it is what
 * each of its merges changed; of one that was not, what was captured of it. Reads the journal and git, changes nothing.
 */
import { z } from 'zod';
import type { EffectOutput } from '../engine/effect-map.ts';
import type { RunSummary } from '../engine/engine.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import type { Repository } from '../git/git.ts';
import { type CommitRange, countChanges, forkPoint, pageDiff, plainDiff } from '../git/show-diff.ts';
import { resultOf } from '../views/landing.ts';
import { belongsTo, holderOf, knownNames, taskKey, unknownTask } from '../views/task-names.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle } from './find-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';

const input = z.strictObject({
  run: runName,
  task: z.string().min(1).max(256).optional(),
  text: z.enum(['none', 'stat', 'patch']).default('none').describe('also the difference as text'),
});

const output = z.strictObject({
  run: z.string(),
  task: z.string().optional(),
  /** It is in the result; else it was only captured. */
  merged: z.boolean(),
  /** Several where a task was merged in several steps. */
  ranges: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  files: z.array(
    z.strictObject({
      path: z.string(),
      status: z.string(),
      /** Lines; left out for files that are not text. */
      added: z.number().int().optional(),
      removed: z.number().int().optional(),
    }),
  ),
  text: z.string().optional(),
});
type RunDiff = JsonOf<typeof output>;

export const diffRun: Operation<typeof input, typeof output> = {
  name: 'diff-run',
  kind: 'query',
  description: 'Shows what a run or one of its tasks changed: the commits, the files, and the difference as text.',
  input,
  output,
  async run(context, { run, task, text }) {
    const { repo, engine } = await context.reader();
    const listing = await findSummary(context, { run, what: 'here', fits: () => true });
    const { state } = await readChronicle(engine, listing.run);
    const named = task === undefined ? undefined : (holderOf(state, task) ?? task);
    const found = named === undefined ? ofRun(listing, state) : await ofTask(repo, listing, { state, task: named });
    const { ranges } = found;
    const files = (await Promise.all(ranges.map((range) => countChanges(repo, range)))).flat();
    const written = text === 'none' ? {} : { text: (await rangesText(repo, ranges, text === 'stat')).toString('utf8') };
    return { run: listing.run, task: named, ...found, files, ...written };
  },
};

async function rangesText(repo: Repository, ranges: readonly CommitRange[], stat: boolean): Promise<Buffer> {
  return Buffer.concat(await Promise.all(ranges.map((range) => plainDiff(repo, range, stat))));
}

/** For a skin on a terminal: gives it to git and the person's pager, or writes the very bytes. */
export async function showRanges(
  context: ApiContext,
  ranges: readonly CommitRange[],
  options: {
    readonly stat: boolean;
    readonly page?: { readonly color: boolean };
    readonly write: (bytes: Buffer) => void;
  },
): Promise<void> {
  const { repo } = await context.reader();
  const { stat, page, write } = options;
  if (page === undefined) return write(await rangesText(repo, ranges, stat));
  for (const range of ranges) await pageDiff(repo, range, { stat, color: page.color, env: context.env });
}

type Found = Pick<RunDiff, 'merged' | 'ranges'>;

function ofRun({ run, status }: RunSummary, state: Readonly<RunState>): Found {
  const to = resultOf(state);
  if (state.created !== undefined && to !== undefined) {
    return { merged: true, ranges: [{ from: state.created.base, to }] };
  }
  const tasks = [...state.tasks.keys()];
  throw new ForgeError('bad-input', `The run ${run} has merged nothing (${status})`, {
    hint:
      tasks.length === 0
        ? `See where it stands: forge status ${run}`
        : `See what was captured of a task: ${tasks.map((task) => `forge diff ${run} ${task}`).join(', ')}`,
  });
}

async function ofTask(
  repo: Repository,
  { run }: RunSummary,
  { state, task }: { readonly state: Readonly<RunState>; readonly task: string },
): Promise<Found> {
  const merges = state.receipts.filter((receipt) => receipt.task === task);
  if (merges.length > 0) {
    return { merged: true, ranges: merges.map(({ before, after }) => ({ from: before, to: after })) };
  }
  const to = capturedOf(state, task);
  if (to !== undefined) {
    const base = state.integration ?? state.created?.base ?? to;
    return { merged: false, ranges: [{ from: (await forkPoint(repo, base, to)) ?? base, to }] };
  }
  const known = knownNames(state);
  if (!known.includes(task)) throw unknownTask(state, task, run);
  throw new ForgeError('bad-input', `${task} has changed nothing yet in the run ${run}`, {
    hint: `Tasks: ${known.join(', ')}.`,
  });
}

/** The last commit of a task's work, whether or not it was good enough. */
function capturedOf(state: Readonly<RunState>, task: string): string | undefined {
  const isMeant = belongsTo(state, task);
  const outcome = state.tasks.get(taskKey(state, task) ?? '')?.outcome;
  if (outcome?.commit !== undefined) return outcome.commit;
  const works = [...state.effects].flatMap(([key, { kind, result }]) =>
    kind === 'agent.run' && result !== undefined && isMeant(key) ? [result.output as EffectOutput<'agent.run'>] : [],
  );
  return works.at(-1)?.commit;
}
