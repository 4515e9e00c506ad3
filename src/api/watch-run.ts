/**
 * One run as displays show it, then what changes of it, for as long as the caller stays: its head, its questions and the
 * nodes of its tree. A caller that comes back with its last position gets only what it missed. Looking changes nothing.
 */
import { z } from 'zod';
import { flatNodeSchema, runPageSchema } from './display-schemas.ts';
import { begunRun, type LiveRun, liveRun, type RunItem } from './live-run.ts';
import { openQuestionSchema } from './open-questions.ts';
import type { JsonOf, StreamOperation } from './operation.ts';
import { runName } from './run-name.ts';
import type { ItemChanges } from './versioned-items.ts';

const input = z.strictObject({
  run: runName,
  after: z.string().max(64).optional().describe('the position of what you have: only what changed since then comes'),
  follow: z.boolean().default(true).describe('keep giving it as the run changes; otherwise give it once'),
});

const output = z.strictObject({
  position: z.string(),
  /** This is all there is: forget what you had. */
  isWhole: z.boolean(),
  /** Only the beginning of a long run was read so far: the rest follows. */
  isPartial: z.boolean().optional(),
  /** On the clock of this machine, for displays that count. */
  now: z.string(),
  page: runPageSchema.optional(),
  questions: z.array(openQuestionSchema).optional(),
  nodes: z.array(flatNodeSchema),
  /** Paths of nodes that are no more. */
  removed: z.array(z.string()),
});
export type RunChange = JsonOf<typeof output>;

export const watchRun: StreamOperation<typeof input, typeof output> = {
  name: 'watch-run',
  kind: 'stream',
  description: 'Gives a run as displays show it, then whatever changes of it, and resumes from a position.',
  input,
  output,
  async *run(context, { run, after, follow }) {
    const live = follow ? await begunRun(context, run) : await liveRun(context, run);
    for (let position = after; ; ) {
      const changes = live.items.since(position);
      if (changes !== undefined) {
        yield* inPieces(asChange(changes, live));
        position = changes.position;
      }
      if (!follow || context.signal.aborted) return;
      if (!live.isPartial) await live.changed(context.signal);
      if (context.signal.aborted) return;
      await live.refresh();
    }
  },
};

/** A run as it is now. */
export function wholeRun(live: LiveRun): RunChange {
  const changes = live.items.since(undefined);
  if (changes === undefined) throw new Error('nothing was read');
  return asChange(changes, live);
}

const nodesAtOnce = 3000;

/**
 * A long run comes in pieces, so that its beginning is shown soon and no watcher holds all of it as text. Only the last
 * piece has a position: who saw fewer of them gets everything anew.
 */
function* inPieces(change: RunChange): Generator<RunChange> {
  const { nodes, position, now, isPartial } = change;
  const last = Math.max(0, Math.ceil(nodes.length / nodesAtOnce) - 1);
  for (let at = 0; at <= last; at += 1) {
    yield {
      ...(at === 0 ? change : { now, isWhole: false, removed: [], ...(isPartial === undefined ? {} : { isPartial }) }),
      nodes: nodes.slice(at * nodesAtOnce, (at + 1) * nodesAtOnce),
      position: at === last ? position : '',
    };
  }
}

function asChange(
  { position, isWhole, changed, removed }: ItemChanges<RunItem>,
  { isPartial }: Pick<LiveRun, 'isPartial'>,
): RunChange {
  const items = changed.map(([, item]) => item);
  const page = items.find((item) => item.type === 'page');
  const questions = items.find((item) => item.type === 'questions');
  return {
    position,
    isWhole,
    ...(isPartial ? { isPartial } : {}),
    now: new Date().toISOString(),
    ...(page === undefined ? {} : { page: page.page }),
    ...(questions === undefined ? {} : { questions: questions.questions }),
    nodes: items.flatMap((item) => (item.type === 'node' ? [item.node] : [])),
    removed,
  };
}
