/**
 * Reverses a decision that a milestone's run made on its own. Work that is merged stays: the opposite is added as work of
 * its own, a slice where the milestone is open, a milestone where it is done. What will be redone is said before.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { isOverStatus } from '../gsd/gsd-project.ts';
import { readGsdProject } from '../gsd/read-project.ts';
import { findGsdRoot } from './gsd-place.ts';
import { addMilestoneSlice, addMilestoneTask, newMilestone } from './milestone-edit.ts';
import { milestoneMorning } from './milestone-runs.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({
  decision: z.string(),
  milestone: z.string().default(''),
  /** Only say what it would do. */
  dry: z.boolean().default(false),
});

const output = z.strictObject({
  decision: z.string(),
  choice: z.string(),
  /** What is done again, a sentence each. */
  redo: z.array(z.string()),
  /** What was added; empty where it was only asked. */
  files: z.array(z.string()),
  /** The milestone that has to be run for it. */
  milestone: z.string(),
});

export const reverseDecision: Operation<typeof input, typeof output> = {
  name: 'reverse-decision',
  kind: 'command',
  description: 'Reverses a decision that a milestone run made on its own.',
  input,
  output,
  async run(context, { decision: wanted, milestone: name, dry }) {
    const report = await milestoneMorning.run(context, { milestone: name });
    const decision = report.decisions.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
    if (decision === undefined) {
      throw new ForgeError('bad-input', `There is no decision ${JSON.stringify(wanted)} in ${report.run}`, {
        hint: `Known: ${report.decisions.map(({ id }) => id).join(', ') || 'none'}. forge milestone report shows them.`,
      });
    }
    const { id } = report.subject;
    const root = findGsdRoot(context.cwd);
    const known = readGsdProject(root).milestones.find((one) => one.id === id);
    const isClosed = known === undefined || isOverStatus(known);
    const title = `Reverse ${decision.id}: ${decision.choice}`.slice(0, 200);
    const text = [
      `The run ${report.run} decided in ${decision.unit}: ${decision.choice}.`,
      decision.why === '' ? '' : `Its reason: ${decision.why}.`,
      `Now ${decision.redo}. Keep everything else as it is, and change the tests that expect the decision.`,
    ]
      .filter((line) => line !== '')
      .join('\n');
    const redo = [
      isClosed ? `A new milestone is made for it, because ${id} is done.` : `${id} gets a slice for it.`,
      `It will ${decision.redo}.`,
      'It is planned, built, checked and reviewed as any other slice. Nothing that is merged is taken back.',
    ];
    if (dry) return { decision: decision.id, choice: decision.choice, redo, files: [], milestone: id };
    if (isClosed) {
      const added = await newMilestone.run(context, { title, text });
      return { decision: decision.id, choice: decision.choice, redo, files: added.files, milestone: added.id };
    }
    const slice = await addMilestoneSlice.run(context, { milestone: id, title, risk: 'medium', depends: [], demo: '' });
    const task = await addMilestoneTask.run(context, {
      milestone: id,
      slice: slice.id,
      title,
      text,
      writes: [],
      depends: [],
    });
    return {
      decision: decision.id,
      choice: decision.choice,
      redo,
      files: [...slice.files, ...task.files],
      milestone: id,
    };
  },
};
