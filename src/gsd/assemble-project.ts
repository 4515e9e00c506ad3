/**
 * The whole of a `.gsd` folder as one project, from its texts. Pure. What decides is, in this order: a summary that is
 * no stub, the manifest, a mark in a plan or a ticked box. Where these disagree, the project says so and changes nothing.
 */
import { compareIds } from '../plan/task-id.ts';
import { type AddedDocuments, readFlatProject } from './flat-project.ts';
import { detectLayout, GsdFolder } from './gsd-layout.ts';
import { type GsdManifest, manifestStatus, readManifest } from './gsd-manifest.ts';
import type { GsdMilestone, GsdProject, GsdRemark, GsdSlice, GsdStatus, GsdTask } from './gsd-project.ts';
import { isOverStatus, openStatus } from './gsd-project.ts';
import { type GsdLine, readGsdDocument, readList, titleWithout, validationRemark } from './gsd-text.ts';
import { isMilestoneId } from './milestone-id.ts';
import { readMustHaves } from './must-haves.ts';
import { type RoadmapSlice, readRoadmap, riskLevel } from './roadmap.ts';
import { readStateHint } from './state-hint.ts';
import { readSlicePlan, taskId } from './task-list.ts';

/** Texts by path below `.gsd`; a path with no text was found and not read. */
export type GsdTexts = ReadonlyMap<string, string | undefined>;

export function assembleProject(texts: GsdTexts): GsdProject {
  const paths = [...texts.keys()];
  const layout = detectLayout(paths);
  const hint = readStateHint(texts.get('STATE.md') ?? '');
  const manifest = readManifest(texts.get('state-manifest.json') ?? '');
  const folder = new GsdFolder(paths);
  if (layout === 'flat') {
    // What Forge added lies in folders of its own. The roadmap that people read stays the one of the phases.
    const own: Reader = { texts, folder, manifest, remarks: [] };
    const added: AddedDocuments = {
      slice: (milestone, listed) => readSlice(own, { milestone, directory: `forge/${milestone}`, listed }),
      has: (milestone, name) => folder.document(`forge/${milestone}`, milestone, name) !== undefined,
    };
    const { milestones, remarks } = readFlatProject(texts, manifest, added);
    const known = new Set(milestones.map(({ id }) => id));
    const more = folder.folders('forge').filter((name) => isMilestoneId(name) && !known.has(name));
    const all = [...milestones, ...more.sort(compareIds).map((id) => readMilestone(own, id, `forge/${id}`))];
    return { layout, hint, milestones: all, remarks };
  }
  if (layout === 'absent' || layout === 'foreign') return { layout, milestones: [], hint, remarks: [] };
  const remarks: GsdRemark[] = [];
  const reader: Reader = { texts, folder, manifest, remarks };
  const names = reader.folder.folders('milestones').filter((name) => /^M[\d-]/.test(name));
  const ids = names.filter(isMilestoneId);
  for (const name of names)
    if (!ids.includes(name))
      remarks.push({
        file: `milestones/${name}`,
        problem: 'Its name is not the id of a milestone, so it is left alone',
      });
  const milestones = [...ids].sort(compareIds).map((id) => readMilestone(reader, id));
  return { layout, milestones, hint, remarks };
}

interface Reader {
  readonly texts: GsdTexts;
  readonly folder: GsdFolder;
  readonly manifest: GsdManifest | undefined;
  readonly remarks: GsdRemark[];
}

function readMilestone(reader: Reader, id: string, directory = `milestones/${id}`): GsdMilestone {
  const { folder, texts, remarks, manifest } = reader;
  const has = (name: string): boolean => folder.document(directory, id, name) !== undefined;
  const file = folder.document(directory, id, 'ROADMAP');
  const roadmap = readRoadmap(textOf(texts, file), id);
  if (file !== undefined) remarks.push(...roadmap.problems.map((problem) => ({ file, problem })));
  const slices = roadmap.slices.map((listed) => readSlice(reader, { milestone: id, directory, listed }));
  const known = new Set(slices.map((slice) => slice.id));
  for (const name of folder.folders(`${directory}/slices`)) {
    if (/^S\d+$/.test(name) && !known.has(name)) {
      remarks.push({ file: `${directory}/slices/${name}`, problem: 'The roadmap does not list this slice' });
    }
  }
  const summary = summaryStatus(reader, folder.document(directory, id, 'SUMMARY'));
  const status = summary ?? manifestStatus(manifest?.milestones.find((one) => one.id === id)?.status) ?? openStatus;
  const open = slices.filter((slice) => !isOverStatus(slice)).map((slice) => slice.id);
  if (isOverStatus({ status }) && open.length > 0) {
    remarks.push({ file: directory, problem: `It has a summary, but these slices are open: ${open.join(', ')}` });
  }
  const validation = folder.document(directory, id, 'VALIDATION');
  const remark =
    validation === undefined || isOverStatus({ status })
      ? undefined
      : validationRemark(validation, textOf(texts, validation));
  if (remark !== undefined) remarks.push(remark);
  return {
    id,
    directory,
    title:
      roadmap.title === '' ? scopeTitle(textOf(texts, folder.document(directory, id, 'SCOPE')), id) : roadmap.title,
    vision: roadmap.vision,
    has: {
      roadmap: file !== undefined,
      context: has('CONTEXT'),
      research: has('RESEARCH') || folder.hasAny(`${directory}/research`),
      summary: has('SUMMARY'),
    },
    isParked: has('PARKED'),
    status,
    slices,
  };
}

/** The heading of the scope, where the roadmap names none. */
function scopeTitle(scope: string, id: string): string {
  return titleWithout(id, /^# (.*)$/m.exec(scope)?.[1] ?? '');
}

interface SlicePlace {
  readonly milestone: string;
  readonly directory: string;
  readonly listed: RoadmapSlice;
}

function readSlice(reader: Reader, { milestone, directory: above, listed }: SlicePlace): GsdSlice {
  const { folder, texts, manifest, remarks } = reader;
  const { id, title, riskText, depends, isSketch, demo, isTicked } = listed;
  const directory = `${above}/slices/${id}`;
  const file = (name: string): string | undefined => folder.document(directory, id, name);
  const plan = readSlicePlan(textOf(texts, file('PLAN')), id);
  const ids = taskIds(
    reader,
    directory,
    plan.tasks.map((task) => task.id),
  );
  const tasks = ids.map((task) =>
    readTask(reader, { milestone, slice: id, directory, id: task, listed: plan.tasks.find((one) => one.id === task) }),
  );
  const known = manifest?.slices.find((one) => one.milestone_id === milestone && one.id === id);
  const summary = summaryStatus(reader, file('SUMMARY'));
  const status = summary ?? manifestStatus(known?.status) ?? (isTicked ? markedDone : openStatus);
  if (summary !== undefined && !isTicked) {
    remarks.push({ file: directory, problem: 'It has a summary, but its box in the roadmap is open' });
  }
  if (isTicked && summary === undefined && known === undefined) {
    remarks.push({ file: directory, problem: 'Its box in the roadmap is ticked, but it has no summary' });
  }
  return {
    id,
    title: title === '' ? plan.title : title,
    risk: riskLevel(riskText),
    riskText,
    depends,
    isSketch,
    demo,
    has: {
      plan: file('PLAN') !== undefined,
      research: file('RESEARCH') !== undefined,
      summary: file('SUMMARY') !== undefined,
      risk: file('RISK') !== undefined,
      continue: file('CONTINUE') !== undefined,
    },
    status,
    tasks,
  };
}

const markedDone: GsdStatus = { state: 'done', evidence: 'mark' };

const taskFile = new RegExp(String.raw`^(${taskId})(?:-|/)`);

/** Those of the plan in its order, then those that only have files. */
function taskIds({ folder, texts, remarks }: Reader, directory: string, listed: readonly string[]): readonly string[] {
  const prefix = `${directory}/tasks/`;
  const files = [...texts.keys()].filter((path) => path.startsWith(prefix));
  const found = files.flatMap((path) => taskFile.exec(path.slice(prefix.length))?.[1] ?? []);
  const known = new Set(listed);
  const extra = [...new Set(found)].filter((id) => !known.has(id)).sort(compareIds);
  if (extra.length > 0 && listed.length > 0) {
    remarks.push({
      file: folder.document(directory, directory.slice(directory.lastIndexOf('/') + 1), 'PLAN') ?? directory,
      problem: `It does not list these tasks: ${extra.join(', ')}`,
    });
  }
  return [...listed, ...extra];
}

interface TaskPlace {
  readonly milestone: string;
  readonly slice: string;
  readonly directory: string;
  readonly id: string;
  readonly listed: { readonly title: string; readonly isTicked: boolean } | undefined;
}

function readTask(reader: Reader, { milestone, slice, directory, id, listed }: TaskPlace): GsdTask {
  const { folder, texts, manifest, remarks } = reader;
  const file = (name: string): string | undefined => folder.taskDocument(`${directory}/tasks`, id, name);
  const plan = file('PLAN');
  const source = textOf(texts, plan);
  const { front, lines } = readGsdDocument(source);
  const word = statusWord(front?.['status'], lines);
  const isMarked = listed?.isTicked === true || word === 'DONE';
  const known = manifest?.tasks.find(
    (one) => one.milestone_id === milestone && one.slice_id === slice && one.id === id,
  );
  const summary = summaryStatus(reader, file('SUMMARY'));
  const status = summary ?? manifestStatus(known?.status) ?? (isMarked ? markedDone : openStatus);
  if (plan !== undefined) {
    const reading = readMustHaves(source);
    if (reading.status === 'malformed') remarks.push(...reading.errors.map((problem) => ({ file: plan, problem })));
  }
  const depends = readList(front?.['depends']);
  const writes = readList(front?.['writes']);
  return {
    id,
    title: listed?.title ?? (typeof front?.['title'] === 'string' ? front['title'] : ''),
    status,
    isInterrupted: word === 'RUNNING' && status.state === 'open',
    depends: front !== undefined && 'depends' in front ? depends : undefined,
    writes: front !== undefined && 'writes' in front ? writes : undefined,
    hasPlan: plan !== undefined,
  };
}

/** In the front matter, or on a line of its own below the title. */
function statusWord(field: unknown, lines: readonly GsdLine[]): string {
  const line = lines.find(({ text }) => /^status:\s*\S/.test(text))?.text.slice('status:'.length);
  return (typeof field === 'string' ? field : (line ?? '')).trim().toUpperCase();
}

/** Done by a summary, unless it is a stub that a tool wrote because a box was ticked, or says that it is not complete. */
function summaryStatus({ texts, remarks }: Reader, file: string | undefined): GsdStatus | undefined {
  if (file === undefined) return undefined;
  const { front } = readGsdDocument(textOf(texts, file));
  if (front?.['doctor_generated'] === true) {
    remarks.push({ file, problem: 'A tool wrote this summary because a box was ticked, so it is not evidence' });
    return markedDone;
  }
  if (front?.['status'] === 'in-progress') return undefined;
  return { state: 'done', evidence: 'summary' };
}

function textOf(texts: GsdTexts, path: string | undefined): string {
  return path === undefined ? '' : (texts.get(path) ?? '');
}
