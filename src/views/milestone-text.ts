/** Where a `.gsd` project stands, as lines for a terminal: milestones, the slices of the open one, what comes next. Pure. */
import type { GsdMilestone, GsdProject, GsdSlice } from '../gsd/gsd-project.ts';
import { isOverStatus } from '../gsd/gsd-project.ts';
import type { NextUnit } from '../gsd/next-unit.ts';
import { countText } from './figures.ts';
import { fitText, plainLine, wrapText } from './terminal-text.ts';

export interface MilestoneTextOptions {
  readonly columns: number;
  /** All remarks instead of the first few. */
  readonly isVerbose: boolean;
}

const fewRemarks = 5;

export function milestoneText(
  project: GsdProject & { readonly next: NextUnit },
  { columns, isVerbose }: MilestoneTextOptions,
): readonly string[] {
  const { milestones, next, remarks } = project;
  const active = 'milestone' in next ? next.milestone : undefined;
  const lines = milestones.flatMap((milestone) => [
    milestoneLine(milestone),
    ...(milestone.id === active ? milestone.slices.map(sliceLine) : []),
  ]);
  const shown = isVerbose ? remarks : remarks.slice(0, fewRemarks);
  const more = remarks.length - shown.length;
  return [
    ...lines.map((line) => fitText(line, columns)),
    ...(lines.length === 0 ? [] : ['']),
    ...wrapText(`Next: ${plainLine(nextText(next))}`, columns, '  '),
    ...commandLine(next),
    ...(shown.length === 0 ? [] : ['', `${countText(remarks.length, 'remark')}:`]),
    ...shown.flatMap(({ file, problem }) => wrapText(`- ${plainLine(`${file}: ${problem}`)}`, columns, '  ')),
    ...(more > 0 ? [`  and ${more} more (--verbose shows them)`] : []),
  ];
}

function milestoneLine({ id, title, slices, isParked, status }: GsdMilestone): string {
  const done = slices.filter(isOverStatus).length;
  const word = isParked ? 'parked' : slices.length === 0 ? 'not planned' : `${done}/${slices.length} slices`;
  return `${sign(status.state)} ${plainLine(`${id}: ${title}`)} (${word})`;
}

function sliceLine({ id, title, risk, tasks, status }: GsdSlice): string {
  const done = tasks.filter(isOverStatus).length;
  const figures = [
    ...(tasks.length === 0 ? ['not planned'] : [`${done}/${tasks.length} tasks`]),
    ...(risk === 'high' ? ['high risk'] : []),
  ];
  return `    ${sign(status.state)} ${plainLine(`${id}: ${title}`)} (${figures.join(', ')})`;
}

function sign(state: GsdSlice['status']['state']): string {
  return { done: '✓', skipped: '⊘', open: '○' }[state];
}

function commandLine(next: NextUnit): readonly string[] {
  if (next.unit === 'none' || next.unit === 'done' || next.unit === 'blocked') return [];
  return [`  forge milestone run ${plainLine(next.milestone)}`];
}

function nextText(next: NextUnit): string {
  if (next.unit === 'none') return `nothing. ${next.reason}.`;
  const place = [next.milestone, ...('slice' in next && next.slice !== undefined ? [next.slice] : [])].join('/');
  const tasks = next.unit === 'execute-task' ? ` ${next.tasks.join(', ')}` : '';
  const again =
    next.unit === 'execute-task' && next.interrupted.length > 0
      ? ` An earlier session did not finish ${next.interrupted.join(', ')}.`
      : '';
  return `${next.unit}${tasks} in ${place}. ${next.reason}.${again}`;
}
