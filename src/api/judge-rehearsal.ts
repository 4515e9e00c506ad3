/** Compares what came of a rehearsal with what should have, and removes the run when it is the same, if that is wanted. */
import { z } from 'zod';
import type { RunListing } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { measureRules, readRules } from '../rehearsal/history-rules.ts';
import { askedShare, type BegunState, historyRun, isRehearsal, judgeResult, readAim } from '../rehearsal/rehearsal.ts';
import { isFinished, requireReadable } from './choose-run.ts';
import { cleanupRun } from './cleanup-run.ts';
import type { ApiContext } from './context.ts';
import { findRun, runsThat } from './find-run.ts';
import { type Operation, performOperation } from './operation.ts';
import { runName } from './run-name.ts';
import { undoRun } from './undo-run.ts';

const input = z.strictObject({
  run: runName,
  /** Remove the run if all is as it should be. */
  tidy: z.boolean().default(false),
  /** Of a history: run the project's checks on each commit, to tell what the default rules make of it. */
  measure: z.boolean().default(false),
});

const askedCommit = z.strictObject({ task: z.string(), title: z.string(), reasons: z.array(z.string()) });

const output = z.strictObject({
  run: z.string(),
  same: z.boolean(),
  tree: z.string(),
  expectedTree: z.string(),
  /** How it ended, and should have. */
  status: z.string(),
  expectedStatus: z.string(),
  reason: z.string(),
  differences: z.array(z.strictObject({ path: z.string(), what: z.enum(['missing', 'unexpected', 'differs']) })),
  /** Paths that differ because secrets were not recorded: these do not count. */
  redacted: z.array(z.string()),
  /** Work the script had nothing for, with what came near. */
  unrecorded: z.array(z.strictObject({ key: z.string(), message: z.string() })),
  removed: z.boolean(),
  /** Of a history: on how many of its commits the default rules would have asked a person, and why. */
  asked: z
    .strictObject({
      commits: z.number().int(),
      /** The project's checks have run on every commit; without that, only texts were compared. */
      measured: z.boolean(),
      /** Why they have not, where they should have. */
      problem: z.string().optional(),
      asked: z.array(askedCommit),
      /** Commits on which the project's own checks do not pass. */
      stopped: z.array(askedCommit),
    })
    .optional(),
});

export const judgeRehearsal: Operation<typeof input, typeof output> = {
  name: 'judge-rehearsal',
  kind: 'command',
  description: 'Compares the result of a rehearsal with what it should be.',
  input,
  output,
  async run(context, { run, tidy, measure }) {
    const listing = await rehearsedRun(context, run);
    requireReadable(listing);
    const { state } = listing;
    if (state?.created === undefined || !isFinished(listing)) {
      throw new ForgeError('bad-input', `The run ${listing.run} is not over (${listing.status})`, {
        hint: `Continue it: forge resume ${listing.run}`,
      });
    }
    const found = await judgeResult(await context.forge(), listing, { ...state, created: state.created });
    const judged = { ...found, ...(await askedOf(context, listing, { state, measure: measure && found.same })) };
    if (!judged.same || !tidy) return judged;
    if (state.refs.length > 0) await performOperation(undoRun, context, { run: listing.run });
    await performOperation(cleanupRun, context, { run: listing.run, force: true });
    return { ...judged, removed: true };
  },
};

/** On how many commits the default settings would have asked a person. */
async function askedOf(
  context: ApiContext,
  listing: RunListing,
  { state, measure }: { readonly state: Pick<BegunState, 'receipts'>; readonly measure: boolean },
): Promise<{ readonly asked?: ReturnType<typeof askedShare> }> {
  if (!listing.run.startsWith(historyRun)) return {};
  const { engine } = await context.reader();
  const { commits = [] } = await readAim(engine, listing.run);
  const artifacts = engine.artifacts(listing.run);
  const { worker, env } = context;
  const caller = { env, options: worker.where === 'here' ? worker.options : {} };
  const rules = measure
    ? await measureRules(await context.forge(), caller, { artifacts, commits })
    : await readRules(artifacts);
  return { asked: askedShare(state, rules) };
}

/** The newest when none is named. */
async function rehearsedRun(context: ApiContext, run: string | undefined): Promise<RunListing> {
  const { engine } = await context.reader();
  if (run !== undefined) return findRun(context, { run, what: 'of a rehearsal', fits: () => true });
  for (const one of await runsThat(context, () => true)) {
    if (await isRehearsal(engine, one.run)) return engine.read(one.run);
  }
  return findRun(context, { run, what: 'of a rehearsal', fits: () => false });
}
