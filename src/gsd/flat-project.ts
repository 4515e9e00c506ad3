/**
 * The flat layout: `phases/01-slug/01-ROADMAP.md`, `01-02-PLAN.md`. Phase 1 is milestone M001 and plan 2 of it slice
 * S02. Task files have no slice in their names and overwrite each other, so tasks come from the manifest, or from the
 * slice's plan where there is none. What Forge adds lies beside it in `forge/M001/`, and goes first. Pure.
 */
import type { GsdTexts } from './assemble-project.ts';
import { type GsdManifest, manifestStatus } from './gsd-manifest.ts';
import {
  type GsdMilestone,
  type GsdProject,
  type GsdRemark,
  type GsdSlice,
  openStatus,
  type SliceDocument,
} from './gsd-project.ts';
import { validationRemark } from './gsd-text.ts';
import { readRoadmap, riskLevel, type RoadmapSlice } from './roadmap.ts';
import { readSlicePlan, taskId } from './task-list.ts';

export function readFlatProject(
  texts: GsdTexts,
  manifest: GsdManifest | undefined,
  added: AddedDocuments,
): Pick<GsdProject, 'milestones' | 'remarks'> {
  const remarks: GsdRemark[] = [];
  if (manifest === undefined) {
    remarks.push({ file: 'state-manifest.json', problem: 'Without it, boxes are all that tells which tasks are done' });
  }
  const roadmaps = [...texts.keys()].filter((path) => /^phases\/\d+-[^/]*\/\d+-ROADMAP\.md$/.test(path)).sort();
  return { milestones: roadmaps.map((path) => readPhase({ texts, manifest, remarks, added }, path)), remarks };
}

/** What runs of Forge left of a milestone and of its slices. */
export interface AddedDocuments {
  readonly slice: (milestone: string, listed: RoadmapSlice) => GsdSlice;
  readonly has: (milestone: string, name: string) => boolean;
}

interface FlatReader {
  readonly added: AddedDocuments;
  readonly texts: GsdTexts;
  readonly manifest: GsdManifest | undefined;
  readonly remarks: GsdRemark[];
}

function readPhase(reader: FlatReader, file: string): GsdMilestone {
  const { texts, manifest, remarks } = reader;
  const directory = file.slice(0, file.lastIndexOf('/'));
  const number = /^phases\/(\d+)/.exec(file)?.[1] ?? '';
  const id = `M${number.padStart(3, '0')}`;
  const has = (name: string): boolean => reader.added.has(id, name) || texts.has(`${directory}/${number}-${name}.md`);
  const roadmap = readRoadmap(texts.get(file) ?? '', id);
  remarks.push(...roadmap.problems.map((problem) => ({ file, problem })));
  const known = manifest?.milestones.find((one) => one.id === id);
  const validation = `${directory}/${number}-VALIDATION.md`;
  const remark = has('SUMMARY') ? undefined : validationRemark(validation, texts.get(validation) ?? '');
  if (remark !== undefined) remarks.push(remark);
  return {
    id,
    directory,
    title: roadmap.title === '' ? (known?.title ?? '') : roadmap.title,
    vision: roadmap.vision,
    has: { roadmap: true, context: has('CONTEXT'), research: has('RESEARCH'), summary: has('SUMMARY') },
    isParked: has('PARKED'),
    status: has('SUMMARY') ? { state: 'done', evidence: 'summary' } : (manifestStatus(known?.status) ?? openStatus),
    slices: roadmap.slices.map((slice) => readFlatSlice(reader, { id, directory, number }, slice)),
  };
}

const isTaskId = new RegExp(`^${taskId}$`);

interface Phase {
  readonly id: string;
  readonly directory: string;
  readonly number: string;
}

function readFlatSlice(reader: FlatReader, phase: Phase, listed: RoadmapSlice): GsdSlice {
  const given = readGivenSlice(reader, phase, listed);
  const own = reader.added.slice(phase.id, listed);
  const ids = [...new Set([...given.tasks, ...own.tasks].map(({ id }) => id))];
  const tasks = ids.flatMap((id) => {
    const [was, is] = [given.tasks, own.tasks].map((all) => all.find((one) => one.id === id));
    const isOwn = is !== undefined && (is.hasPlan || is.status.evidence === 'summary' || was === undefined);
    const found = isOwn ? { ...is, title: is.title === '' ? (was?.title ?? '') : is.title } : was;
    return found === undefined ? [] : [found];
  });
  const both = (name: SliceDocument): boolean => own.has[name] || given.has[name];
  return {
    ...given,
    has: {
      plan: both('plan'),
      research: both('research'),
      summary: both('summary'),
      risk: both('risk'),
      continue: both('continue'),
    },
    status: own.has.summary ? own.status : given.status,
    tasks,
  };
}

function readGivenSlice(
  { texts, manifest }: FlatReader,
  phase: Phase,
  { id, title, riskText, depends, isSketch, demo, isTicked }: RoadmapSlice,
): GsdSlice {
  const stem = `${phase.directory}/${phase.number}-${id.slice(1).padStart(2, '0')}`;
  const has = (name: string): boolean => texts.has(`${stem}-${name}.md`);
  const isOfSlice = (one: { readonly milestone_id: string }): boolean => one.milestone_id === phase.id;
  const known = manifest?.slices.find((one) => isOfSlice(one) && one.id === id);
  const tasks = manifest?.tasks.filter((one) => isOfSlice(one) && one.slice_id === id && isTaskId.test(one.id)) ?? [];
  const listed = readSlicePlan(texts.get(`${stem}-PLAN.md`) ?? '', id).tasks;
  const ids = [...new Set([...tasks.map((task) => task.id), ...listed.map((task) => task.id)])];
  const marked = (isDone: boolean): GsdSlice['status'] => (isDone ? { state: 'done', evidence: 'mark' } : openStatus);
  return {
    id,
    title,
    risk: riskLevel(riskText),
    riskText,
    depends,
    isSketch,
    demo,
    has: {
      plan: has('PLAN'),
      research: has('RESEARCH'),
      summary: has('SUMMARY'),
      risk: has('RISK'),
      continue: has('CONTINUE'),
    },
    status: has('SUMMARY')
      ? { state: 'done', evidence: 'summary' }
      : (manifestStatus(known?.status) ?? marked(isTicked)),
    tasks: ids.map((task) => {
      const line = listed.find((one) => one.id === task);
      const record = tasks.find((one) => one.id === task);
      return {
        id: task,
        title: record?.title ?? line?.title ?? '',
        status: manifestStatus(record?.status) ?? marked(line?.isTicked === true),
        isInterrupted: false,
        depends: undefined,
        writes: undefined,
        hasPlan: false,
      };
    }),
  };
}
