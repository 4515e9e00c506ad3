/**
 * Runs that work on milestones of this repository: which one a command means, and what a person reads about one in the
 * morning. A run says itself which milestone it works on.
 */
import { z } from 'zod';
import type { RunReader, RunSummary } from '../engine/engine.ts';
import { ForgeError } from '../errors.ts';
import { isAncestor } from '../git/refs.ts';
import { type ActiveMilestone, resolveMilestone } from '../gsd/resolve-milestone.ts';
import { readGsdProject } from '../gsd/read-project.ts';
import { nextUnit } from '../gsd/next-unit.ts';
import { workflowKeeping } from '../workflows/registry.ts';
import type { MorningReport } from '../views/morning-text.ts';
import type { ApiContext } from './context.ts';
import { milestoneMorningSchema } from './display-schemas.ts';
import { isFinished, newestFirst } from './choose-run.ts';
import { readChronicle } from './find-run.ts';
import { findGsdRoot, refuseForeign } from './gsd-place.ts';
import type { Operation } from './operation.ts';

const chooseInput = z.strictObject({
  milestone: z.string().default(''),
  action: z.enum(['run', 'next', 'pause']).default('run'),
});

const chosen = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('resume'), milestone: z.string(), run: z.string() }),
  z.strictObject({ status: z.literal('start'), milestone: z.string() }),
]);

export const chooseMilestone: Operation<typeof chooseInput, typeof chosen> = {
  name: 'choose-milestone',
  kind: 'query',
  description: 'Finds out which milestone a command means, and the run that works on it.',
  input: chooseInput,
  output: chosen,
  async run(context, { milestone, action }) {
    const active = await activeMilestones(context);
    const resolved = resolveMilestone(milestone, active, action);
    switch (resolved.status) {
      case 'resume':
        return { status: 'resume', milestone: resolved.milestone, run: resolved.run };
      case 'start':
        return { status: 'start', milestone: await requireLanded(context, requireOpen(context, resolved.milestone)) };
      case 'next':
        return { status: 'start', milestone: await requireLanded(context, requireOpen(context, undefined)) };
      case 'refuse':
        throw new ForgeError('bad-input', 'Several milestones are under way', {
          hint: `Name one:\n${resolved.examples.map((one) => `  ${one}`).join('\n')}`,
        });
      case 'error':
        throw new ForgeError('bad-input', resolved.message, {
          hint: 'An id looks like M003. To start a new milestone: forge milestone "<what it should reach>"',
        });
    }
  },
};

/** The milestone that is named, or the next one that is open. */
function requireOpen({ cwd }: ApiContext, wanted: string | undefined): string {
  const root = findGsdRoot(cwd);
  const project = readGsdProject(root);
  refuseForeign(root, project);
  const next = nextUnit(project, { milestone: wanted });
  if (next.unit === 'none' || next.unit === 'done') {
    throw new ForgeError('bad-input', next.unit === 'done' ? `${next.milestone} is done` : next.reason, {
      hint: 'Add one: forge milestone new "<what it should reach>"',
    });
  }
  return next.milestone;
}

/**
 * The documents of a run that stopped say what it did, and its work is on a branch of its own. A new run from a commit
 * without that work would take it for done.
 */
async function requireLanded(context: ApiContext, milestone: string): Promise<string> {
  const { engine } = await context.runs();
  for (const { run, status, refs } of await ownRuns(engine)) {
    if ((await milestoneOf(engine, run)) !== milestone) continue;
    const result = refs.findLast(({ ref }) => ref.startsWith('refs/heads/'));
    const { repo } = await context.reader();
    const isMissing = result?.after !== undefined && !(await isAncestor(repo, result.after, repo.head));
    if (status !== 'failed' || !isMissing) return milestone;
    throw new ForgeError('bad-input', `${run} stopped, and what it built of ${milestone} is not on your branch`, {
      hint: `Try again what is open: forge retry ${run}\nOr take over what it built first: forge land ${run} --force`,
    });
  }
  return milestone;
}

async function activeMilestones(context: ApiContext): Promise<readonly ActiveMilestone[]> {
  return (await milestoneRuns(context)).map(({ milestone, summary }) => ({ milestone, run: summary.run }));
}

/** Runs on milestones that are not over. Of several on one milestone the newest counts. */
export async function milestoneRuns(
  context: ApiContext,
): Promise<readonly { readonly milestone: string; readonly summary: RunSummary }[]> {
  const { engine } = await context.runs();
  const open = (await ownRuns(engine)).filter((summary) => !isFinished(summary));
  const found = await Promise.all(
    open.map(async (summary) => {
      const milestone = await milestoneOf(engine, summary.run);
      return milestone === undefined ? [] : [{ milestone, summary }];
    }),
  );
  const byId = new Map(
    found
      .flat()
      .toReversed()
      .map((one) => [one.milestone, one] as const),
  );
  return [...byId.values()];
}

/** The run that has this slice in its schedule and is not over. */
export async function runOnSlice(context: ApiContext, milestone: string, slice: string): Promise<string | undefined> {
  const { engine } = await context.runs();
  const active = (await milestoneRuns(context)).find((one) => one.milestone === milestone);
  if (active === undefined) return undefined;
  for (const fact of await engine.facts(active.summary.run))
    if (fact.type === 'tasks.scheduled' && fact.data.scope === '' && fact.data.tasks.some(({ id }) => id === slice))
      return active.summary.run;
  return undefined;
}

async function ownRuns(engine: RunReader): Promise<readonly RunSummary[]> {
  return newestFirst((await engine.list()).filter(({ workflow }) => workflow === workflowKeeping('.gsd').name));
}

/** A run says itself what it works on, once it knows. */
async function milestoneOf(engine: RunReader, run: string): Promise<string | undefined> {
  for (const fact of await engine.facts(run)) {
    if (fact.type !== 'note.recorded' || fact.key !== 'subject') continue;
    const read = z.object({ subject: z.object({ id: z.string() }) }).safeParse(fact.data.data);
    return read.success ? read.data.subject.id : undefined;
  }
  return undefined;
}

const reportInput = z.strictObject({ milestone: z.string().default('') });

export const milestoneMorning: Operation<typeof reportInput, typeof milestoneMorningSchema> = {
  name: 'milestone-report',
  kind: 'query',
  description: 'Shows what a milestone run delivered, what it decided, what is open and what it cost.',
  input: reportInput,
  output: milestoneMorningSchema,
  async run(context, { milestone }) {
    const { engine } = await context.runs();
    for (const { run } of await ownRuns(engine)) {
      const id = await milestoneOf(engine, run);
      const isMeant = milestone === '' || run.startsWith(milestone) || id?.toLowerCase() === milestone.toLowerCase();
      if (isMeant) return { run, ...(await morningOf(engine, run)) };
    }
    throw new ForgeError(
      'bad-input',
      milestone === '' ? 'No run has worked on a milestone here' : `No run has worked on ${milestone} here`,
      {
        hint: 'forge milestone status shows the milestones of .gsd.',
      },
    );
  },
};

async function morningOf(engine: RunReader, run: string): Promise<MorningReport> {
  const { presentation } = (await workflowKeeping('.gsd').load()).program;
  if (presentation?.morning === undefined) throw new Error('the workflow has no morning report');
  return presentation.morning(await readChronicle(engine, run));
}
