/**
 * Tries tasks of a run again that were not done, one or all that failed, and goes on with the run from there, even if it
 * was over. Plan and approval stand; what was skipped because of a task is tried with it. What the earlier try left
 * stays captured.
 */
import { z } from 'zod';
import type { RunListing, RunSummary } from '../engine/engine.ts';
import { tasksToRetry } from '../engine/reopen.ts';
import { ForgeError } from '../errors.ts';
import { holderOf } from '../views/task-names.ts';
import { isFinished, isHeld } from './choose-run.ts';
import { findRun, readChronicle } from './find-run.ts';
import type { ApiContext } from './context.ts';
import type { Operation } from './operation.ts';
import { agentSignals, landingSignals } from './resume-run.ts';
import { runName } from './run-name.ts';
import { runWorkSchema, workOnRun, workWishes } from './work-on-run.ts';
import { requireTrust } from '../trust/consent.ts';

const input = z.strictObject({
  run: runName,
  task: z.string().min(1).max(256).optional().describe('without it, everything that failed'),
  /** Take it from a process on another host that is gone for good. */
  takeOver: z.boolean().default(false),
  /** The user's branch that is to be moved to the result, instead of the one named before. */
  into: z.string().min(1).optional(),
  /** The agent that does all the work from now on. */
  agent: z.string().min(1).optional(),
  yes: workWishes.yes,
});

const output = runWorkSchema.extend({
  /** What is tried again; none: everything that rests on commits that are gone. */
  tasks: z.array(z.string()),
});

export const retryRun: Operation<typeof input, typeof output> = {
  name: 'retry-run',
  kind: 'command',
  description: 'Tries a task that was not done again, or everything that failed, and continues the run.',
  input,
  output,
  tool: { name: 'forge_retry', title: 'Try again what failed', hidden: ['takeOver', 'into', 'agent'] },
  async run(context, request) {
    const { run, task, takeOver, into, agent, yes } = request;
    const forge = await context.forge();
    const { engine, notices, repo } = forge;
    const { listing, tasks } = await retryableRun(context, run, task);
    requireTrust(forge, context.env);
    const posts = [...(await landingSignals(repo, into)), ...agentSignals(forge, listing, agent)];
    const work = await workOnRun(context, {
      run: listing.run,
      open: (options) => engine.retry(listing.run, tasks, { ...options, takeOver, posts }),
      request: { operation: 'retry-run', input: { ...request, run: listing.run }, yes },
    });
    return { ...work, notices: [...notices], tasks: [...tasks] };
  },
};

export interface Retryable {
  readonly listing: RunListing;
  readonly tasks: readonly string[];
}

/** The run and what to try again in it, unless a process is at work on it or there is nothing that failed. */
export async function retryableRun(
  context: ApiContext,
  run: string | undefined,
  task: string | undefined,
): Promise<Retryable> {
  const listing = await findRun(context, { run, what: 'in which a task failed', fits: hasFailures });
  if (isHeld(listing)) {
    const pid = listing.state?.opened?.holder.pid;
    throw new ForgeError('lease-held', `A process is at work on the run ${listing.run} (pid ${pid})`, {
      hint: `Wait until it ends (forge attach ${listing.run}), or pause it first: forge pause ${listing.run}`,
    });
  }
  const chronicle = await readChronicle((await context.runs()).engine, listing.run);
  // None: everything that rests on commits that are gone.
  if (task === undefined && listing.state?.code === 'commit-gone') return { listing, tasks: [] };
  if (task === undefined) return { listing, tasks: allFailed(listing) };
  const holder = holderOf(chronicle.state, task);
  if (holder === undefined) return { listing, tasks: [task] };
  throw new ForgeError('bad-input', `${task} is part of ${holder}, which is retried as a whole`, {
    hint: `forge retry ${listing.run} ${holder}`,
  });
}

function hasFailures(run: RunSummary): boolean {
  if (isHeld(run) || run.status === 'unreadable') return false;
  return run.code === 'commit-gone' || (run.status !== 'cancelled' && run.notDone.length > 0);
}

function allFailed({ run, status, state }: RunListing): readonly string[] {
  const tasks = state === undefined ? [] : tasksToRetry(state);
  if (tasks.length > 0) return tasks;
  if (status === 'cancelled') {
    throw new ForgeError('bad-input', `The run ${run} was cancelled, for good`, {
      hint: 'Start another one: forge run',
    });
  }
  const hint =
    status === 'failed'
      ? `See why the run failed: forge show ${run}. Then start another one: forge run`
      : isFinished({ status })
        ? `See the result: forge show ${run}`
        : `Continue it: forge resume ${run}`;
  throw new ForgeError('bad-input', `No task of the run ${run} failed (${status})`, { hint });
}
