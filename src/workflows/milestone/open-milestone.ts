/**
 * The milestone that a run works on, as the files in `.gsd` have it when the run starts: a new one, or one that somebody
 * began, with whatever is planned and done already. Files are read once, as a fact. Nothing is guessed: what cannot be
 * understood is named and left alone.
 */
import type { Bench } from '../../engine/bench.ts';
import { assembleProject } from '../../gsd/assemble-project.ts';
import {
  type GsdLayout,
  type GsdMilestone,
  type GsdProject,
  type GsdRemark,
  type GsdSlice,
  isOverStatus,
} from '../../gsd/gsd-project.ts';
import { newMilestoneId } from '../../gsd/milestone-id.ts';
import { unsealDocument } from '../../gsd/sealed-document.ts';
import { readMustHaves } from '../../gsd/must-haves.ts';
import { readFragments, readOwed, readReview } from './documents/read-left.ts';
import { type GsdPaths, gsdPaths } from './gsd-paths.ts';
import { readPlannedTask } from './planned-task.ts';
import type { PlannedTask } from './role-results.ts';
import type { SliceReview } from './slice-review.ts';

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
  /** What earlier runs on this milestone learned, and what is known of the whole project. */
  readonly learned: ReturnType<typeof readFragments>;
  readonly projectMemory: ReturnType<typeof readFragments>;
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
  /** What was found out about its risks. */
  readonly risks: string;
  readonly context: string;
  readonly research: string;
  /** What an earlier session wrote down before it stopped. */
  readonly continued: string;
  /** Undefined: there is no plan yet. */
  readonly plan: string | undefined;
  /** What came of the check of the plan. */
  readonly planCheck: string;
  /** Undefined: nobody has reviewed it yet. */
  readonly review: SliceReview | undefined;
  /** What its finished tasks promised and did not deliver. */
  readonly owed: readonly string[];
  readonly tasks: readonly OpenedTask[];
}

export interface OpenedTask {
  readonly planned: PlannedTask;
  readonly isDone: boolean;
  readonly isInterrupted: boolean;
  /** The security checklist, where there is one already. */
  readonly security: string;
  /** Why its plan cannot be worked by: a gate is never switched off by a mistake in a document. */
  readonly fault: string;
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
    learned: [],
  };
  const shared = sharedDocuments(texts);
  return { status: 'opened', milestone: { ...fresh, ...shared, state: '', events: '', paths, remarks } };
}

function sharedDocuments(texts: ReadonlyMap<string, string | undefined>) {
  return {
    knowledge: texts.get('KNOWLEDGE.md') ?? '',
    standards: texts.get('CODING-STANDARDS.md') ?? '',
    projectMemory: readFragments(texts.get('AUTO-MEMORY.md') ?? ''),
  };
}

function refused(reason: string): OpenedProject {
  return { status: 'refused', reason };
}

function read(
  texts: ReadonlyMap<string, string | undefined>,
  { layout }: GsdProject,
  { milestone, remarks }: { readonly milestone: GsdMilestone; readonly remarks: readonly GsdRemark[] },
): OpenedMilestone {
  const { id, title, vision, has, slices } = milestone;
  const places = placesOf(layout, milestone);
  const own = (name: string): string => documentText(texts, places.milestone, name);
  return {
    id,
    title: title === '' ? id : title,
    vision,
    slices:
      has.roadmap && slices.length > 0
        ? slices.map((slice) => readSlice(texts, places.slice(slice.id), slice))
        : undefined,
    roadmap: own('ROADMAP'),
    scope: own('SCOPE'),
    context: own('CONTEXT'),
    research: own('RESEARCH'),
    ...sharedDocuments(texts),
    learned: readFragments(own('MEMORY')),
    state: own('STATE'),
    events: texts.get(`${places.milestone[0]?.directory}/${id}-events.jsonl`) ?? '',
    paths: gsdPaths(layout, id),
    remarks,
  };
}

function readSlice(
  texts: ReadonlyMap<string, string | undefined>,
  places: readonly DocumentPlace[],
  slice: GsdSlice,
): OpenedSlice {
  const { id, title, risk = 'medium', depends, demo, has, tasks } = slice;
  const directory = places[0]?.directory ?? '';
  const own = (name: string): string => documentText(texts, places, name);
  const open = tasks.filter((task) => !isOverStatus(task)).map((task) => task.id);
  return {
    id,
    title,
    risk,
    depends: depends.filter((one) => /^S\d+$/.test(one)),
    demo,
    isDone: isOverStatus(slice),
    risks: own('RISK'),
    context: own('CONTEXT'),
    research: own('RESEARCH'),
    continued: texts.get(`${directory}/continue.md`) ?? own('CONTINUE'),
    plan: has.plan && tasks.length > 0 ? own('PLAN') : undefined,
    planCheck: own('PLAN-CHECK'),
    review: readReview(own('REVIEW')),
    owed: readOwed(own('VERIFICATION'), open),
    tasks: tasks.map((task) => {
      const source = taskText(texts, directory, task.id, 'PLAN');
      const promised = readMustHaves(source);
      return {
        planned: readPlannedTask(task, source),
        isDone: isOverStatus(task),
        isInterrupted: task.isInterrupted,
        security: taskText(texts, directory, task.id, 'SECURITY'),
        fault: promised.status === 'malformed' ? promised.errors.join('; ') : '',
      };
    }),
  };
}

function taskText(texts: ReadonlyMap<string, string | undefined>, directory: string, id: string, name: string): string {
  const file = `${id}-${name}.md`;
  return texts.get(`${directory}/tasks/${id}/${file}`) ?? texts.get(`${directory}/tasks/${file}`) ?? '';
}

/** A folder, and the prefix that documents have in it. */
interface DocumentPlace {
  readonly directory: string;
  readonly id: string;
}

/** What Forge wrote goes first where a layout keeps it apart. */
function placesOf(layout: GsdLayout, { id, directory }: GsdMilestone) {
  if (layout !== 'flat') {
    const slice = (one: string): readonly DocumentPlace[] => [{ directory: `${directory}/slices/${one}`, id: one }];
    return { milestone: [{ directory, id }], slice };
  }
  const number = /^phases\/(\d+)/.exec(directory)?.[1] ?? '';
  const added = `forge/${id}`;
  return {
    milestone: [
      { directory: added, id },
      { directory, id: number },
    ],
    slice: (one: string): readonly DocumentPlace[] => [
      { directory: `${added}/slices/${one}`, id: one },
      { directory, id: `${number}-${one.slice(1).padStart(2, '0')}` },
    ],
  };
}

/** With its prefix, with the short form of a milestone's id, or as tools named it before there were prefixes. */
function documentText(
  texts: ReadonlyMap<string, string | undefined>,
  places: readonly DocumentPlace[],
  name: string,
): string {
  const paths = places.flatMap(({ directory, id }) => {
    const short = /^M\d+/.exec(id)?.[0] ?? id;
    const plain = directory.startsWith('phases/') ? [] : [`${name.toLowerCase()}.md`];
    return [`${id}-${name}.md`, `${short}-${name}.md`, ...plain].map((file) => `${directory}/${file}`);
  });
  return paths.map((path) => texts.get(path)).find((text) => text !== undefined) ?? '';
}
