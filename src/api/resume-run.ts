/** Goes on with a run that nobody is at work on: paused, waiting, interrupted, stopped by a failure or a limit. */
import { z } from 'zod';
import type { Forge } from '../compose.ts';
import type { RunListing } from '../engine/engine.ts';
import type { SignalInput } from '../engine/facts.ts';
import { ForgeError } from '../errors.ts';
import { requireBranch } from '../git/land.ts';
import { parseBudget } from '../policy/budget-settings.ts';
import { requireTrust } from '../trust/consent.ts';
import { isFinished, isResumable, requireReadable } from './choose-run.ts';
import type { ApiContext } from './context.ts';
import { findRun } from './find-run.ts';
import type { JsonOf, Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { suggestWord } from './suggest.ts';
import { runWorkSchema, unitLimit, workOnRun, workWishes } from './work-on-run.ts';

const input = z.strictObject({
  run: runName,
  /** Take it from a process on another host that is gone for good. */
  takeOver: z.boolean().default(false),
  budget: z.string().max(200).optional().describe('new limits for the run, such as $20, 2h'),
  /** The user's branch that is to be moved to the result, instead of the one named before. */
  into: z.string().min(1).optional(),
  /** The agent that does all the work from now on. */
  agent: z.string().min(1).optional(),
  /** Stop after so many steps of work that a workflow calls a unit. */
  units: z.number().int().positive().optional(),
  ...workWishes,
});

export type ResumedRun = JsonOf<typeof runWorkSchema>;

export const resumeRun: Operation<typeof input, typeof runWorkSchema> = {
  name: 'resume-run',
  kind: 'command',
  description: 'Continues a run that was paused, interrupted or stopped.',
  input,
  output: runWorkSchema,
  tool: { name: 'forge_resume', title: 'Continue a run', hidden: ['takeOver', 'into', 'agent', 'planOnly', 'units'] },
  async run(context, request) {
    const { run, takeOver, budget, into, agent, yes, planOnly } = request;
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
    const work = await workOnRun(context, {
      run: listing.run,
      open: (options) => engine.resume(listing.run, { ...options, ...unitLimit(request.units), takeOver, posts }),
      request: {
        operation: 'resume-run',
        input: { ...request, run: listing.run },
        yes,
        planOnly: planOnly || undefined,
      },
    });
    return { ...work, notices: [...notices] };
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
      hint: suggestWord(
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
        : `See the result: forge show ${listing.run}`,
  });
}
