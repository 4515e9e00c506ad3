/**
 * What a person adds to a `.gsd` project by a command: a milestone, what was agreed about one, a slice, a task. Files of
 * others are never written over as a whole: lines are added, and everything else stays as it is.
 */
import { z } from 'zod';
import { ForgeError } from '../errors.ts';
import { writeConfined } from '../files/confined.ts';
import { assembleProject } from '../gsd/assemble-project.ts';
import {
  addAgreement,
  addMilestone,
  addSlice,
  addTask,
  type EditedDocument,
  type GsdEdit,
} from '../gsd/edit-project.ts';
import { GsdDocuments } from '../gsd/gsd-documents.ts';
import { GsdFolder } from '../gsd/gsd-layout.ts';
import { isOverStatus } from '../gsd/gsd-project.ts';
import { readGsdTexts } from '../gsd/read-project.ts';
import { nearestWord } from '../plan/task-id.ts';
import { findGsdAbove, findGsdRoot, refuseForeign, requireMilestone } from './gsd-place.ts';
import { milestoneRuns, runOnSlice } from './milestone-runs.ts';
import type { Operation } from './operation.ts';

const edited = z.strictObject({
  root: z.string(),
  id: z.string(),
  files: z.array(z.string()),
  /** What follows from it that a person may not expect. */
  note: z.string().optional(),
});
const title = z.string().trim().min(1).max(300);

const newInput = z.strictObject({ title, text: z.string().max(200_000).default('') });

export const newMilestone: Operation<typeof newInput, typeof edited> = {
  name: 'new-milestone',
  kind: 'command',
  description: 'Adds a milestone to .gsd, to be planned and built later.',
  input: newInput,
  output: edited,
  async run(context, { title: name, text }) {
    const root = findGsdAbove(context.cwd) ?? (await context.reader()).repo.root;
    const project = assembleProject(readGsdTexts(root).texts);
    refuseForeign(root, project);
    return write(root, addMilestone(project, name, text));
  },
};

const discussInput = z.strictObject({ milestone: z.string(), text: z.string().trim().min(1).max(20_000) });

export const discussMilestone: Operation<typeof discussInput, typeof edited> = {
  name: 'discuss-milestone',
  kind: 'command',
  description: 'Writes down what was agreed about a milestone. Agents keep to it.',
  input: discussInput,
  output: edited,
  async run(context, { milestone: wanted, text }) {
    const { root, milestone, documents, textOf: document } = openMilestone(context.cwd, wanted);
    const agreements = document(documents.milestone('CONTEXT'), documents.newMilestone('CONTEXT.md'));
    const added = write(root, addAgreement(milestone, agreements, text));
    const active = (await milestoneRuns(context)).find((one) => one.milestone === milestone.id);
    if (active === undefined) return added;
    return { ...added, note: `${active.summary.run} keeps to it from the next slice that it begins.` };
  },
};

const sliceInput = z.strictObject({
  milestone: z.string(),
  title,
  risk: z.enum(['low', 'medium', 'high']).default('medium'),
  depends: z.array(z.string()).default([]),
  demo: z.string().max(1000).default(''),
});

export const addMilestoneSlice: Operation<typeof sliceInput, typeof edited> = {
  name: 'add-slice',
  kind: 'command',
  description: 'Adds a slice to the roadmap of a milestone.',
  input: sliceInput,
  output: edited,
  async run({ cwd }, { milestone: wanted, ...slice }) {
    const { root, milestone, documents, textOf: document } = openMilestone(cwd, wanted);
    const roadmap = document(documents.milestone('ROADMAP'), documents.newMilestone('ROADMAP.md'));
    const note = `${milestone.id} had no roadmap: this slice is all of it now, and no agent plans others.`;
    const added = write(root, addSlice(milestone, roadmap, slice));
    return roadmap.before === '' ? { ...added, note } : added;
  },
};

const taskInput = z.strictObject({
  milestone: z.string(),
  slice: z.string(),
  title,
  text: z.string().max(100_000).default(''),
  writes: z.array(z.string()).default([]),
  depends: z.array(z.string()).default([]),
});

export const addMilestoneTask: Operation<typeof taskInput, typeof edited> = {
  name: 'add-task',
  kind: 'command',
  description: 'Adds a task to a slice of a milestone.',
  input: taskInput,
  output: edited,
  async run(context, { milestone: wanted, slice: name, ...task }) {
    const { root, milestone, documents, textOf: document } = openMilestone(context.cwd, wanted);
    const ids = milestone.slices.map(({ id }) => id);
    const slice = milestone.slices.find(({ id }) => id.toLowerCase() === name.toLowerCase());
    if (slice === undefined) {
      const meant = nearestWord(name, ids);
      throw new ForgeError('bad-input', `${milestone.id} has no slice ${JSON.stringify(name)}`, {
        hint: meant === undefined ? `Slices: ${ids.join(', ') || 'none'}.` : `Did you mean ${meant}?`,
      });
    }
    if (isOverStatus(slice)) {
      throw new ForgeError('bad-input', `${slice.id} is done already: nobody would build the task`, {
        hint: `Add a slice instead: forge milestone add-slice ${milestone.id} "<title>"`,
      });
    }
    const run = await runOnSlice(context, milestone.id, slice.id);
    if (run !== undefined) {
      throw new ForgeError('bad-input', `${run} works on ${slice.id} already and does not see new tasks`, {
        hint: `Add a slice; the run builds it before it ends: forge milestone add-slice ${milestone.id} "<title>"`,
      });
    }
    const plan = document(documents.slice(slice.id, 'PLAN'), documents.newSlice(slice.id, 'PLAN.md'));
    const note = `${slice.id} had no plan: this task is all of it now, and no agent plans others.`;
    const place = (id: string): string => documents.newTask(slice.id, id, 'PLAN.md');
    const added = write(root, addTask({ milestone, slice, plan, place }, task));
    return plan.before === '' ? { ...added, note } : added;
  },
};

/** The milestone that is changed. One that is done is nobody's to build any more. */
function openMilestone(cwd: string, wanted: string) {
  const root = findGsdRoot(cwd);
  const { texts } = readGsdTexts(root);
  const project = assembleProject(texts);
  refuseForeign(root, project);
  const milestone = requireMilestone(project, wanted);
  if (isOverStatus(milestone)) {
    throw new ForgeError('bad-input', `${milestone.id} is done already`, {
      hint: 'Add a milestone for what is new: forge milestone new "<what it should reach>"',
    });
  }
  const documents = new GsdDocuments(new GsdFolder([...texts.keys()]), project.layout, milestone);
  const textOf = (found: string | undefined, fresh: string): EditedDocument => {
    if (found === undefined) return { path: fresh, before: '' };
    const before = texts.get(found);
    if (before === undefined)
      throw new ForgeError('bad-input', `.gsd/${found} cannot be read, so nothing is added to it`);
    return { path: found, before };
  };
  return { root, milestone, documents, textOf };
}

function write(root: string, { id, files }: GsdEdit): z.output<typeof edited> {
  for (const { path, content } of files) writeConfined(root, `.gsd/${path}`, content, { isDurable: true });
  return { root, id, files: files.map(({ path }) => `.gsd/${path}`) };
}
