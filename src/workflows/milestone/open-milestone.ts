/**
 * The milestone that a run works on, as the files in `.gsd` have it when the run starts: a new one, or one that somebody
 * began, with whatever is planned and done already. Files are read once, as a fact. Nothing is guessed: what cannot be
 * understood is named and left alone.
 */
import type { Bench } from '../../engine/bench.ts';
import { assembleProject } from '../../gsd/assemble-project.ts';
import { GsdDocuments, newDocuments } from '../../gsd/gsd-documents.ts';
import { GsdFolder } from '../../gsd/gsd-layout.ts';
import {
  type GsdMilestone,
  type GsdProject,
  type GsdRemark,
  type GsdSlice,
  type GsdTask,
  isOverStatus,
} from '../../gsd/gsd-project.ts';
import { newMilestoneId } from '../../gsd/milestone-id.ts';
import { unsealDocument } from '../../gsd/sealed-document.ts';
import { readMustHaves } from '../../gsd/must-haves.ts';
import { readCriteria } from '../../gsd/roadmap.ts';
import { readFragments, readOwed, readReview } from './documents/read-left.ts';
import { type GsdPaths, gsdPaths } from './gsd-paths.ts';
import { readPlannedTask, unusableParts } from './planned-task.ts';
import type { PlannedTask } from './role-results.ts';
import { waitingForever } from './rules/waiting-forever.ts';
import type { SliceReview } from './slice-review.ts';

export interface OpenedMilestone {
  readonly id: string;
  readonly title: string;
  readonly vision: string;
  /** What can be observed when it is done. */
  readonly criteria: readonly string[];
  /** As its files have it; undefined for one that this run makes. */
  readonly found: GsdMilestone | undefined;
  /** Undefined: there is no roadmap yet. */
  readonly slices: readonly OpenedSlice[] | undefined;
  readonly roadmap: string;
  /** What a person wrote down when they made the milestone. */
  readonly scope: string;
  readonly context: string;
  readonly research: string;
  readonly knowledge: string;
  readonly standards: string;
  /** What the project says about itself as a whole. */
  readonly project: string;
  /** What earlier runs on this milestone learned, and what is known of the whole project. */
  readonly learned: ReturnType<typeof readFragments>;
  readonly projectMemory: ReturnType<typeof readFragments>;
  readonly state: string;
  readonly events: string;
  /** What earlier runs decided. */
  readonly decisions: string;
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
  readonly has: GsdSlice['has'];
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
  /** Somebody looked up the names it builds on. */
  readonly hasSymbolCheck: boolean;
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
  /** Its plan does not say what it depends on or writes. */
  readonly isLegacy: boolean;
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
  const paths = gsdPaths(newDocuments(project.layout, id));
  const fresh = {
    id,
    title: title.slice(0, 200),
    vision: '',
    criteria: [],
    found: undefined,
    slices: undefined,
    roadmap: '',
    scope: '',
    context: '',
    research: '',
    learned: [],
  };
  const shared = sharedDocuments(texts);
  return { status: 'opened', milestone: { ...fresh, ...shared, state: '', events: '', decisions: '', paths, remarks } };
}

function sharedDocuments(texts: ReadonlyMap<string, string | undefined>) {
  return {
    knowledge: texts.get('KNOWLEDGE.md') ?? '',
    standards: texts.get('CODING-STANDARDS.md') ?? '',
    project: ['PROJECT', 'REQUIREMENTS', 'DECISIONS'].flatMap((name) => texts.get(`${name}.md`) ?? []).join('\n\n'),
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
  const documents = new GsdDocuments(new GsdFolder([...texts.keys()]), layout, milestone);
  const own = (name: string): string => textAt(texts, documents.milestone(name));
  return {
    id,
    title: title === '' ? id : title,
    vision,
    criteria: readCriteria(own('ROADMAP')),
    found: milestone,
    slices: has.roadmap && slices.length > 0 ? slices.map((slice) => readSlice(texts, documents, slice)) : undefined,
    roadmap: own('ROADMAP'),
    scope: own('SCOPE'),
    context: own('CONTEXT'),
    research: own('RESEARCH') || textsBelow(texts, `${milestone.directory}/research/`),
    ...sharedDocuments(texts),
    learned: readFragments(own('MEMORY')),
    state: own('STATE'),
    decisions: own('DECISIONS'),
    events: textAt(texts, documents.newMilestone('events.jsonl')),
    paths: gsdPaths(documents),
    remarks,
  };
}

function readSlice(
  texts: ReadonlyMap<string, string | undefined>,
  documents: GsdDocuments,
  slice: GsdSlice,
): OpenedSlice {
  const { id, title, risk = 'medium', depends, demo, has, tasks } = slice;
  const own = (name: string): string => textAt(texts, documents.slice(id, name));
  const open = tasks.filter((task) => !isOverStatus(task)).map((task) => task.id);
  return {
    id,
    title,
    risk,
    depends: depends.filter((one) => /^S\d+$/.test(one)),
    demo,
    isDone: isOverStatus(slice),
    has,
    risks: own('RISK'),
    context: own('CONTEXT'),
    research: own('RESEARCH'),
    continued: texts.get(documents.newSlice(id, 'continue.md')) ?? own('CONTINUE'),
    plan: has.plan && tasks.length > 0 ? own('PLAN') : undefined,
    planCheck: own('PLAN-CHECK'),
    hasSymbolCheck: documents.slice(id, 'SYMBOL-CHECK') !== undefined,
    review: readReview(own('REVIEW')),
    owed: readOwed(own('VERIFICATION'), open),
    tasks: withoutStuck(
      tasks.map((task) => {
        const left = (name: string): string => textAt(texts, documents.task(id, task.id, name));
        return readTask(task, { plan: left('PLAN'), security: left('SECURITY') });
      }),
    ),
  };
}

function readTask(task: GsdTask, { plan, security }: { readonly plan: string; readonly security: string }): OpenedTask {
  const promised = readMustHaves(plan);
  const planned = readPlannedTask(task, plan);
  const faults = [...(promised.status === 'malformed' ? promised.errors : []), ...unusableParts(planned)];
  return {
    // Nothing of a plan that cannot be worked by reaches the schedule or the checks of others.
    planned: faults.length === 0 ? planned : { ...planned, writes: [], verify: [] },
    isDone: isOverStatus(task),
    isInterrupted: task.isInterrupted,
    isLegacy: task.depends === undefined || task.writes === undefined,
    security,
    fault: faults.join('; '),
  };
}

/** What waits for something that never comes is a fault of its plan, and nothing else waits for that. */
function withoutStuck(tasks: readonly OpenedTask[]): readonly OpenedTask[] {
  const open = tasks.filter(({ isDone }) => !isDone).map(({ planned }) => planned);
  const stuck = waitingForever(open, new Set(tasks.map(({ planned }) => planned.id)));
  return tasks.map((task) => {
    const why = stuck.get(task.planned.id);
    if (why === undefined) return task;
    const fault = [task.fault, why].filter((one) => one !== '').join('; ');
    return { ...task, planned: { ...task.planned, depends: [] }, fault };
  });
}

/** Older projects have a folder of them. */
function textsBelow(texts: ReadonlyMap<string, string | undefined>, directory: string): string {
  const found = [...texts].filter(([path, text]) => path.startsWith(directory) && text !== undefined);
  return found.map(([, text]) => text).join('\n\n');
}

function textAt(texts: ReadonlyMap<string, string | undefined>, path: string | undefined): string {
  return path === undefined ? '' : (texts.get(path) ?? '');
}
