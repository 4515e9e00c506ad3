/**
 * What to do next in a milestone: one table, read from top to bottom, the first row that fits counts. Pure, so that
 * whoever asks (a status, an autopilot, a single step) gets the same answer for the same files.
 */
import { nextBatch } from '../plan/batch.ts';
import { type GsdMilestone, type GsdProject, type GsdSlice, isOverStatus } from './gsd-project.ts';

export type NextUnit =
  | { readonly unit: 'none'; readonly reason: string }
  | {
      readonly unit: 'blocked';
      readonly milestone: string;
      readonly slice?: string | undefined;
      readonly reason: string;
    }
  | { readonly unit: MilestoneUnit; readonly milestone: string; readonly reason: string }
  | { readonly unit: SliceUnit; readonly milestone: string; readonly slice: string; readonly reason: string }
  | {
      readonly unit: 'execute-task';
      readonly milestone: string;
      readonly slice: string;
      /** One, or several that may be worked on side by side. */
      readonly tasks: readonly string[];
      /** Those that an earlier session began and did not finish: they start again. */
      readonly interrupted: readonly string[];
      readonly reason: string;
    };

export const milestoneUnits = [
  'plan-milestone',
  'discuss-milestone',
  'research-milestone',
  'complete-milestone',
  'done',
] as const;
type MilestoneUnit = (typeof milestoneUnits)[number];
export const sliceUnits = ['plan-slice', 'research-slice', 'complete-slice'] as const;
type SliceUnit = (typeof sliceUnits)[number];

export interface UnitPreferences {
  readonly skipDiscuss: boolean;
  readonly skipResearch: boolean;
  /** How many tasks may run at once. */
  readonly parallel: number;
}

export const usualPreferences: UnitPreferences = { skipDiscuss: false, skipResearch: false, parallel: 3 };

export function nextUnit(
  project: GsdProject,
  {
    milestone: wanted,
    preferences = usualPreferences,
  }: { readonly milestone?: string | undefined; readonly preferences?: UnitPreferences } = {},
): NextUnit {
  const milestone = chooseMilestone(project, wanted);
  if (milestone === undefined) return { unit: 'none', reason: noMilestone(project, wanted) };
  const at = { milestone: milestone.id };
  const { slices, has } = milestone;
  if (isOverStatus(milestone)) return { unit: 'done', ...at, reason: 'It has a summary' };
  if (!has.roadmap) return { unit: 'plan-milestone', ...at, reason: 'There is no roadmap' };
  if (slices.length === 0) return { unit: 'plan-milestone', ...at, reason: 'The roadmap lists no slices' };
  if (isDiscussionDue(milestone, preferences)) {
    return { unit: 'discuss-milestone', ...at, reason: 'There is a roadmap and no context' };
  }
  if (isResearchDue(milestone, preferences)) {
    return { unit: 'research-milestone', ...at, reason: 'There is no research' };
  }
  const slice = chooseSlice(milestone, project.hint);
  if (slice !== undefined) return sliceUnit(at.milestone, slice, preferences);
  const open = slices.filter((one) => !isOverStatus(one));
  if (open.length > 0) return { unit: 'blocked', ...at, reason: blockedSlices(milestone, open) };
  return { unit: 'complete-milestone', ...at, reason: 'All slices are done, and there is no summary' };
}

/** Asked by the run too, for the milestone as it found it. */
export function isDiscussionDue(
  milestone: GsdMilestone,
  { skipDiscuss }: Pick<UnitPreferences, 'skipDiscuss'>,
): boolean {
  return !milestone.has.context && !skipDiscuss && !hasBegun(milestone);
}

export function isResearchDue(
  milestone: GsdMilestone,
  { skipResearch }: Pick<UnitPreferences, 'skipResearch'>,
): boolean {
  return !milestone.has.research && !skipResearch && !hasBegun(milestone);
}

function hasBegun({ slices }: GsdMilestone): boolean {
  return slices.some((slice) => slice.has.plan || isOverStatus(slice));
}

/** Its risks are research too. */
export function isSliceResearchDue(
  { has, tasks }: Pick<GsdSlice, 'has'> & { readonly tasks: readonly { readonly isDone: boolean }[] },
  { skipResearch }: Pick<UnitPreferences, 'skipResearch'>,
): boolean {
  return !has.research && !skipResearch && !has.risk && !tasks.some(({ isDone }) => isDone);
}

/** The one that is named; else the one STATE.md names, if it is open; else the first that is open and not parked. */
function chooseMilestone({ milestones, hint }: GsdProject, wanted: string | undefined): GsdMilestone | undefined {
  if (wanted !== undefined) return milestones.find(({ id }) => id.toLowerCase() === wanted.toLowerCase());
  const open = milestones.filter((milestone) => !isOverStatus(milestone) && !milestone.isParked);
  return open.find(({ id }) => id === hint.milestone) ?? open[0];
}

function noMilestone({ milestones }: GsdProject, wanted: string | undefined): string {
  if (wanted !== undefined) return `There is no milestone ${wanted}`;
  if (milestones.length === 0) return 'There are no milestones';
  return milestones.every(isOverStatus) ? 'All milestones are done' : 'All open milestones are parked';
}

/** An open slice whose dependencies are over: the one that was being worked on, else the first listed. */
function chooseSlice({ slices }: GsdMilestone, hint: GsdProject['hint']): GsdSlice | undefined {
  const ready = slices.filter((slice) => !isOverStatus(slice) && missing(slices, slice).length === 0);
  return ready.find((slice) => slice.id === hint.slice) ?? ready.find((slice) => slice.has.plan) ?? ready[0];
}

/** What a slice waits for. Another milestone's slices are not looked for here. */
function missing(slices: readonly GsdSlice[], { depends }: GsdSlice): readonly string[] {
  return depends.filter((id) => slices.some((other) => other.id === id && !isOverStatus(other)));
}

function blockedSlices({ slices }: GsdMilestone, open: readonly GsdSlice[]): string {
  return open.map((slice) => `${slice.id} waits for ${missing(slices, slice).join(', ')}`).join('; ');
}

function sliceUnit(milestone: string, slice: GsdSlice, preferences: UnitPreferences): NextUnit {
  const at = { milestone, slice: slice.id };
  const { tasks, has } = slice;
  if (!has.plan) return { unit: 'plan-slice', ...at, reason: 'The slice has no plan' };
  if (tasks.length === 0) return { unit: 'plan-slice', ...at, reason: 'The plan lists no tasks' };
  if (isSliceResearchDue({ has, tasks: tasks.map((task) => ({ isDone: isOverStatus(task) })) }, preferences)) {
    return { unit: 'research-slice', ...at, reason: 'The slice has a plan and no research' };
  }
  const batch = nextBatch(
    tasks.map(({ id, depends, writes, status }) => ({ id, depends, writes, done: status.state !== 'open' })),
    preferences.parallel,
  );
  if (batch.mode === 'none')
    return { unit: 'complete-slice', ...at, reason: 'All tasks are done, and there is no summary' };
  if (batch.mode === 'blocked') {
    const waits = batch.pending.map(({ id, unmet }) => `${id} waits for ${unmet.join(', ')}`).join('; ');
    return { unit: 'blocked', ...at, reason: waits };
  }
  const interrupted = batch.batch.filter((id) => tasks.some((task) => task.id === id && task.isInterrupted));
  return { unit: 'execute-task', ...at, tasks: batch.batch, interrupted, reason: reasons[batch.mode] };
}

const reasons = {
  parallel: 'Several tasks are ready and write different files',
  single: 'One task is ready',
  legacy: 'A plan does not say what its task depends on or writes, so tasks run one at a time',
} as const;
