/**
 * The milestone that a run works on, as the files in `.gsd` have it when the run starts: a new one, or one that somebody
 * began, with whatever is planned and done already. Files are read once, as a fact. Nothing is guessed: what cannot be
 * understood is named and left alone.
 */
import type { Bench } from '../../engine/bench.ts';
import { assembleProject } from '../../gsd/assemble-project.ts';
import {
  type GsdMilestone,
  type GsdProject,
  type GsdRemark,
  type GsdSlice,
  isOverStatus,
} from '../../gsd/gsd-project.ts';
import { newMilestoneId } from '../../gsd/milestone-id.ts';
import { unsealDocument } from '../../gsd/sealed-document.ts';
import { type GsdPaths, gsdPaths } from './gsd-paths.ts';
import { readPlannedTask } from './planned-task.ts';
import type { PlannedTask } from './role-results.ts';

export interface OpenedMilestone {
  readonly id: string;
  readonly title: string;
  readonly vision: string;
  /** Undefined: there is no roadmap yet. */
  readonly slices: readonly OpenedSlice[] | undefined;
  readonly roadmap: string;
  /** What a person wrote down when they made the milestone. */
  readonly scope: string;
  readonly context: string;
  readonly research: string;
  readonly knowledge: string;
  readonly standards: string;
  readonly state: string;
  readonly events: string;
  readonly paths: GsdPaths;
  readonly remarks: readonly GsdRemark[];
}

export interface OpenedSlice {
  readonly id: string;
  readonly title: string;
  readonly risk: 'low' | 'medium' | 'high';
  readonly depends: readonly string[];
  readonly demo: string;
  readonly isDone: boolean;
  readonly hasRisk: boolean;
  readonly research: string;
  /** What an earlier session wrote down before it stopped. */
  readonly continued: string;
  /** Undefined: there is no plan yet. */
  readonly plan: string | undefined;
  /** What came of the check of the plan. */
  readonly planCheck: string;
  readonly tasks: readonly OpenedTask[];
}

export interface OpenedTask {
  readonly planned: PlannedTask;
  readonly isDone: boolean;
  readonly isInterrupted: boolean;
  /** The plan does not say what it depends on or writes. */
  readonly isLegacy: boolean;
}

export type OpenedProject =
  | { readonly status: 'opened'; readonly milestone: OpenedMilestone }
  | { readonly status: 'refused'; readonly reason: string };

/** `round`: files are read again at the end, because a person may have added something. */
export async function openMilestone(bench: Bench, wish: string, round = 1): Promise<OpenedProject> {
  const { files, remarks } = await bench.perform('gsd.read', round === 1 ? 'gsd' : `gsd#${round}`, {});
  const texts = new Map(files.map(({ path, text }) => [path, text === undefined ? undefined : unsealDocument(text)]));
  return chooseMilestone(texts, wish, remarks);
}

/** Pure. `wish` is the id of a milestone that is there, or what a new one should reach. */
export function chooseMilestone(
  texts: ReadonlyMap<string, string | undefined>,
  wish: string,
  found: readonly GsdRemark[] = [],
): OpenedProject {
  const project = assembleProject(texts);
  if (project.layout === 'foreign') {
    return refused('Forge does not know the layout of .gsd: another tool may have made it. Nothing was changed.');
  }
  const known = project.milestones.find(({ id }) => id.toLowerCase() === wish.trim().toLowerCase());
  const remarks = [...found, ...project.remarks];
  if (known !== undefined) {
    if (isOverStatus(known)) return refused(`${known.id} is done already.`);
    return { status: 'opened', milestone: read(texts, project, { milestone: known, remarks }) };
  }
  if (/^M[\d-][\w-]*$/i.test(wish.trim())) return refused(`There is no milestone ${wish.trim()} in .gsd.`);
  const id = newMilestoneId(project.milestones.map((one) => one.id));
  const [title = ''] = wish.trim().split('\n', 1);
  const paths = gsdPaths(project.layout === 'absent' ? 'task-folders' : project.layout, id);
  const fresh = {
    id,
    title: title.slice(0, 200),
    vision: '',
    slices: undefined,
    roadmap: '',
    scope: '',
    context: '',
    research: '',
  };
  const shared = { knowledge: texts.get('KNOWLEDGE.md') ?? '', standards: texts.get('CODING-STANDARDS.md') ?? '' };
  return { status: 'opened', milestone: { ...fresh, ...shared, state: '', events: '', paths, remarks } };
}

function refused(reason: string): OpenedProject {
  return { status: 'refused', reason };
}

function read(
  texts: ReadonlyMap<string, string | undefined>,
  { layout }: GsdProject,
  { milestone, remarks }: { readonly milestone: GsdMilestone; readonly remarks: readonly GsdRemark[] },
): OpenedMilestone {
  const { id, title, vision, directory, has, slices } = milestone;
  const own = (name: string): string => documentText(texts, directory, id, name);
  return {
    id,
    title: title === '' ? id : title,
    vision,
    slices: has.roadmap && slices.length > 0 ? slices.map((slice) => readSlice(texts, directory, slice)) : undefined,
    roadmap: own('ROADMAP'),
    scope: own('SCOPE'),
    context: own('CONTEXT'),
    research: own('RESEARCH'),
    knowledge: texts.get('KNOWLEDGE.md') ?? '',
    standards: texts.get('CODING-STANDARDS.md') ?? '',
    state: own('STATE'),
    events: texts.get(`${directory}/${id}-events.jsonl`) ?? '',
    paths: gsdPaths(layout, id),
    remarks,
  };
}

function readSlice(texts: ReadonlyMap<string, string | undefined>, above: string, slice: GsdSlice): OpenedSlice {
  const { id, title, risk = 'medium', depends, demo, has, tasks } = slice;
  const directory = `${above}/slices/${id}`;
  const plan = documentText(texts, directory, id, 'PLAN');
  return {
    id,
    title,
    risk,
    depends: depends.filter((one) => /^S\d+$/.test(one)),
    demo,
    isDone: isOverStatus(slice),
    hasRisk: has.risk,
    research: documentText(texts, directory, id, 'RESEARCH'),
    continued: texts.get(`${directory}/continue.md`) ?? documentText(texts, directory, id, 'CONTINUE'),
    plan: has.plan && tasks.length > 0 ? plan : undefined,
    planCheck: documentText(texts, directory, id, 'PLAN-CHECK'),
    tasks: tasks.map((task) => ({
      planned: readPlannedTask(task, taskText(texts, directory, task.id)),
      isDone: isOverStatus(task),
      isInterrupted: task.isInterrupted,
      isLegacy: task.depends === undefined || task.writes === undefined,
    })),
  };
}

function taskText(texts: ReadonlyMap<string, string | undefined>, directory: string, id: string): string {
  return texts.get(`${directory}/tasks/${id}/${id}-PLAN.md`) ?? texts.get(`${directory}/tasks/${id}-PLAN.md`) ?? '';
}

/** With its prefix, with the short form of a milestone's id, or as tools named it before there were prefixes. */
function documentText(
  texts: ReadonlyMap<string, string | undefined>,
  directory: string,
  id: string,
  name: string,
): string {
  const short = /^M\d+/.exec(id)?.[0] ?? id;
  const wanted = [`${id}-${name}.md`, `${short}-${name}.md`, `${name.toLowerCase()}.md`];
  return wanted.map((one) => texts.get(`${directory}/${one}`)).find((text) => text !== undefined) ?? '';
}
