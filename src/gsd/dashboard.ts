/**
 * The overview of a `.gsd` project, `STATE.md`: every milestone and who works on it. A `STATE.md` of the older kind, which
 * held the position of one milestone, is moved into that milestone's own state document before it is replaced, once. Pure.
 */
import { type GsdProject, isOverStatus } from './gsd-project.ts';
import { isSealed } from './sealed-document.ts';
import { readStateHint } from './state-hint.ts';

export interface DashboardRun {
  readonly run: string;
  readonly milestone: string;
  /** `works`, `silent` (nobody knows), or why nobody is at work on it. */
  readonly status: string;
  readonly where: string;
}

export function dashboardText({ milestones }: GsdProject, runs: readonly DashboardRun[]): string {
  const rows = milestones.map((milestone) => {
    const { id, title, slices, isParked } = milestone;
    const run = runs.find((one) => one.milestone === id);
    const done = slices.filter(isOverStatus).length;
    const state = isOverStatus(milestone)
      ? '✅ done'
      : isParked
        ? 'parked'
        : run === undefined
          ? '⬜ open'
          : `🔄 ${run.status}`;
    const who = run === undefined ? '—' : `${run.run}${run.where === '' ? '' : `: ${run.where}`}`;
    return `| ${id} | ${cell(title)} | ${done}/${slices.length} | ${state} | ${cell(who)} |`;
  });
  return [
    '# GSD State',
    '',
    'Forge makes this overview from the milestones and the runs of this project (`forge dashboard`).',
    '',
    '| Milestone | Title | Slices | State | Run |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`).trim();
}

export type StateMigration =
  | { readonly status: 'migrated'; readonly path: string; readonly content: string }
  | { readonly status: 'kept'; readonly reason: string };

/** Where the position that an older `STATE.md` holds goes. The second time there is nothing to do. */
export function migrateState(
  state: string,
  { milestones }: GsdProject,
  has: (path: string) => boolean,
): StateMigration {
  if (state.trim() === '') return { status: 'kept', reason: 'there is no STATE.md' };
  if (isSealed(state)) return { status: 'kept', reason: 'it is the overview already' };
  const { milestone } = readStateHint(state);
  const found = milestones.find(({ id }) => id === milestone);
  if (found === undefined) return { status: 'kept', reason: 'it names no milestone of this project' };
  // A run that worked on the milestone keeps a state of its own there.
  const paths = ['STATE.md', 'STATE-before.md'].map((name) => `${found.directory}/${found.id}-${name}`);
  const path = paths.find((one) => !has(one));
  if (path === undefined) return { status: 'kept', reason: `${paths.join(' and ')} are there already` };
  return { status: 'migrated', path, content: state };
}
