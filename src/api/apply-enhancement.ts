/**
 * Applies what a run proposed about roles, because a person asked for it: role files of the checkout are changed if they
 * are still what the proposal was made for, and the friction it settles is marked as resolved. All files or none.
 */
import { z } from 'zod';
import { readConfinedText, writeConfined } from '../files/confined.ts';
import { changeRole, roleFile } from '../pipelines/change-role.ts';
import { isOpenFriction } from '../pipelines/enrich.ts';
import { type EnhanceProposal, enhanceProposalSchema } from '../pipelines/enhance-proposal.ts';
import { writeRecord } from '../store/change-records.ts';
import { listEntries } from '../store/record-files.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { workflowKeeping } from '../workflows/registry.ts';
import type { ApiContext } from './context.ts';
import { findSummary, readChronicle, runsThat } from './find-run.ts';
import type { Operation } from './operation.ts';
import { runName } from './run-name.ts';
import { findStoreRoot, recordError } from './store-place.ts';

const input = z.strictObject({ run: runName, dryRun: z.boolean().default(false) });

const output = z.strictObject({
  run: z.string(),
  written: z.array(z.string()),
  diffs: z.array(z.string()),
  /** Friction events that count as resolved now. */
  resolved: z.array(z.string()),
});

export const applyEnhancement: Operation<typeof input, typeof output> = {
  name: 'apply-enhancement',
  kind: 'command',
  description: 'Apply the changes of roles that a run of forge enhance proposed.',
  input,
  output,
  async run(context, { run: wanted, dryRun }) {
    const { run, proposal } = await findProposal(context, wanted);
    const root = await findStoreRoot(context);
    const changed = changedFiles(root, proposal, run);
    if (!dryRun) for (const { path, text } of changed) writeConfined(root, path, text);
    const ids = proposal.changes.flatMap(({ friction }) => friction);
    const resolved = dryRun ? [] : await resolveFriction(root, ids, run);
    return { run, written: changed.map(({ path }) => path), diffs: changed.map(({ diff }) => diff), resolved };
  },
};

/** Without a name, the newest run that proposes something. */
async function findProposal(context: ApiContext, wanted: string | undefined) {
  const { engine } = await context.runs();
  const runs =
    wanted === undefined
      ? (await runsThat(context, ({ workflow }) => workflow === workflowKeeping('.forge/store').name)).map(
          ({ run }) => run,
        )
      : [(await findSummary(context, { run: wanted, what: 'here', fits: () => true })).run];
  for (const run of runs) {
    const proposal = proposalOf(await readChronicle(engine, run));
    if (proposal !== undefined) return { run, proposal };
  }
  const what =
    wanted === undefined ? 'No run proposes changes of roles' : `The run ${runs[0]} proposes no changes of roles`;
  throw recordError(what, [], 'Have some proposed: forge enhance');
}

function proposalOf({ notes }: Chronicle): EnhanceProposal | undefined {
  for (const { data } of notes.values()) {
    const read = z.object({ proposal: enhanceProposalSchema }).safeParse(data);
    if (read.success) return read.data.proposal;
  }
  return undefined;
}

function changedFiles(root: string, { changes }: EnhanceProposal, run: string) {
  return changes.map((change) => {
    const path = roleFile(change.role);
    const current = readConfinedText(root, path);
    if (current !== (change.before ?? undefined))
      throw recordError(
        `${path} is not what it was when ${run} looked at it`,
        [],
        'Nothing was changed. Run forge enhance again.',
      );
    const to = changeRole(change, current);
    if (to.status === 'faulty')
      throw recordError(`${path} cannot be changed: ${to.problem}`, [], 'Nothing was changed.');
    return to;
  });
}

async function resolveFriction(root: string, ids: readonly string[], run: string): Promise<string[]> {
  const at = new Date().toISOString();
  const open = listEntries(root, 'event').entries.filter(
    ({ id, record }) => ids.includes(id) && isOpenFriction(record),
  );
  for (const { record } of open) {
    const resolution = { status: 'resolved', proposalRef: run, resolvedAt: at, resolvedBy: 'forge enhance' };
    await writeRecord(root, { entity: 'event', value: { ...record, resolution }, options: { at } });
  }
  return open.map(({ id }) => id);
}
