/**
 * Reads a `.gsd` folder: bounded in files, depth and size, without following a link. It only reads, so looking at a
 * project leaves it as it was, to the byte.
 */
import { listConfined, readConfined } from '../files/confined.ts';
import { assembleProject, type GsdTexts } from './assemble-project.ts';
import type { GsdProject, GsdRemark } from './gsd-project.ts';

const mostFiles = 50_000;
const deepest = 8;
const largestFile = 4 * 1024 * 1024;

/** What nobody needs to know for where a project stands. */
const passedOver = /^(?:exec|activity|journal|graphs|reports|recovery|backups|safety|runtime|worktrees)$/;
const textual =
  /(?:ROADMAP|PLAN|PLAN-CHECK|VALIDATION|VERIFICATION|SUMMARY|SCOPE|CONTEXT|RESEARCH|CONTINUE|STATE|RISK|REVIEW|SECURITY|MEMORY|DECISIONS)\.md$/i;
const eventLog = /^(?:milestones|forge)\/[^/]+\/[^/]+-events\.jsonl$/;
const general =
  /^(?:STATE|KNOWLEDGE|CODING-STANDARDS|AUTO-MEMORY|PROJECT|REQUIREMENTS|DECISIONS)\.md$|^state-manifest\.json$/;
const researched = /^milestones\/[^/]+\/research\/[^/]+\.md$/;

export function readGsdProject(root: string): GsdProject {
  const { texts, remarks } = readGsdTexts(root);
  const project = assembleProject(texts);
  return { ...project, remarks: [...remarks, ...project.remarks] };
}

/** Texts by path below `.gsd`; a path without a text was found and not read. */
export function readGsdTexts(root: string): { readonly texts: GsdTexts; readonly remarks: readonly GsdRemark[] } {
  const texts = new Map<string, string | undefined>();
  const remarks: GsdRemark[] = [];
  walk({ root, texts, remarks }, '', 0);
  return { texts, remarks };
}

interface Walk {
  readonly root: string;
  readonly texts: Map<string, string | undefined>;
  readonly remarks: GsdRemark[];
}

function walk(walking: Walk, directory: string, depth: number): void {
  const { root, texts, remarks } = walking;
  const place = directory === '' ? '.gsd' : `.gsd/${directory}`;
  const listed = listConfined(root, place);
  if (listed.status === 'refused')
    remarks.push({ file: directory === '' ? '.gsd' : directory, problem: `It ${listed.why}` });
  if (listed.status !== 'read') return;
  for (const { name, kind } of listed.entries) {
    const path = directory === '' ? name : `${directory}/${name}`;
    if (kind === 'other')
      remarks.push({ file: path, problem: 'It is neither a file nor a folder, so it is left alone' });
    if (texts.size >= mostFiles) return;
    if (kind === 'directory' && depth < deepest && !(depth === 0 && passedOver.test(name)))
      walk(walking, path, depth + 1);
    if (kind === 'file') texts.set(path, isNeeded(path) ? readText(walking, path) : undefined);
  }
}

function isNeeded(path: string): boolean {
  return (
    general.test(path) ||
    eventLog.test(path) ||
    researched.test(path) ||
    (/^(?:milestones|phases|forge\/M[^/]*)\//.test(path) && textual.test(path))
  );
}

function readText({ root, remarks }: Walk, path: string): string | undefined {
  const found = readConfined(root, `.gsd/${path}`, largestFile);
  if (found.status === 'read') return found.bytes.toString('utf8');
  if (found.status === 'refused') remarks.push({ file: path, problem: `It ${found.why}` });
  return undefined;
}
