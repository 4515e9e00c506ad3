/** Goes on with a run that nobody is at work on: paused, waiting, interrupted, stopped by a failure or a limit. */
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import type { RunHandle, RunListing } from '../engine/engine.ts';
import type { SignalInput } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { requireBranch } from '../git/land.ts';
import { parseBudget } from '../policy/budget-settings.ts';
import { isFinished, isResumable, requireReadable } from './choose-run.ts';
import { findRun } from './find-run.ts';
import type { ApiContext, Operation } from './operation.ts';
import { suggest } from './suggest.ts';
import { requireTrust } from '../trust/consent.ts';

const input = z.strictObject({
  run: z.string().optional(),
  /** Take it from a process on another host that is gone for good. */
  takeOver: z.boolean().default(false),
  /** New limits for the run, such as `$20, 2h`; a process that is at work on it keeps those it has. */
  budget: z.string().optional(),
  /** The user's branch that is to be moved to the result, instead of the one named before. */
  into: z.string().min(1).optional(),
  /** The agent that does all the work from now on. */
  agent: z.string().min(1).optional(),
});

export interface Resumed {
  readonly handle: RunHandle;
  readonly notices: readonly string[];
}

export const resumeRun: Operation<typeof input, Resumed> = {
  name: 'resume-run',
  summary: 'go on with a run',
  input,
  async run(context, { run, takeOver, budget, into, agent }) {
    const limit = budget === undefined ? undefined : parseBudget(budget);
    const forge = await context.forge();
    const { engine, notices, repo } = forge;
    const listing = await resumableRun(context, run);
    requireTrust(forge, context.env);
    const posts = [
      ...(await landingSignals(repo, into)),
      ...(limit === undefined ? [] : [{ type: 'budget' as const, limit }]),
      ...agentSignals(forge, listing, agent),
    ];
    return { handle: await engine.resume(listing.run, { ...context.watcher, takeOver, posts }), notices };
  },
};

/** What tells a run that from now on it lands there, whoever works on it. */
export async function landingSignals(repo: Forge['repo'], into: string | undefined): Promise<readonly SignalInput[]> {
  if (into === undefined) return [];
  await requireBranch(repo, into);
  return [{ type: 'land', into }];
}

/** What gives the rest of a run to another agent, if that agent is configured and may do it. */
export function agentSignals(
  { settings }: Pick<Forge, 'settings'>,
  { run, state }: RunListing,
  agent: string | undefined,
): readonly SignalInput[] {
  if (agent === undefined) return [];
  const known = Object.keys(settings.agents);
  if (!known.includes(agent)) {
    throw new ForgeError('bad-input', `There is no agent ${JSON.stringify(agent)}`, {
      hint: suggest(
        agent,
        known,
        known.length === 0 ? 'Configure one: forge init' : `Configured: ${known.join(', ')}.`,
      ),
    });
  }
  if ((state?.created?.settings as { rehearsal?: unknown } | null)?.rehearsal === true) {
    throw new ForgeError('bad-input', `The run ${run} replays recorded work, so no other agent can do it`, {
      hint: `forge resume ${run}`,
    });
  }
  return [{ type: 'agent', agent }];
}

export async function resumableRun(context: ApiContext, run: string | undefined): Promise<RunListing> {
  const listing = await findRun(context, { run, what: 'to resume', fits: isResumable });
  requireReadable(listing);
  if (!isFinished(listing)) return listing;
  throw new ForgeError('bad-input', `The run ${listing.run} is over (${listing.status})`, {
    hint:
      listing.status === 'failed'
        ? `Try what failed again: forge retry ${listing.run}`
        : `See what came of it: forge show ${listing.run}`,
  });
}
