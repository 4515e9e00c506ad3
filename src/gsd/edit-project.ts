/**
 * Changes that a person makes to a `.gsd` project by a command: a new milestone, a slice, a task, an agreement. Each gives
 * whole new texts by path; nothing is written here. Texts that were changed by a person lose Forge's mark, so that no run
 * writes over them. Pure.
 */
import { stringify } from 'yaml';
import { ForgeError } from '../errors.ts';
import { compareIds } from '../plan/task-id.ts';
import { newDocuments } from './gsd-documents.ts';
import type { GsdMilestone, GsdProject, GsdSlice } from './gsd-project.ts';
import { newMilestoneId } from './milestone-id.ts';
import { unsealDocument } from './sealed-document.ts';

export interface GsdEdit {
  readonly id: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

export function addMilestone({ layout, milestones }: GsdProject, title: string, text: string): GsdEdit {
  const id = newMilestoneId(milestones.map((one) => one.id));
  const path = newDocuments(layout, id).newMilestone('SCOPE.md');
  const content = `# ${id}: ${oneLine(title)}\n\n${text.trim() === '' ? oneLine(title) : text.trim()}\n`;
  return { id, files: [{ path, content }] };
}

/** A document that is changed: where it lies or will lie, and its text; empty where there is none yet. */
export interface EditedDocument {
  readonly path: string;
  readonly before: string;
}

export function addAgreement({ id }: GsdMilestone, { path, before }: EditedDocument, text: string): GsdEdit {
  const known = unsealDocument(before).trimEnd();
  const start =
    known === ''
      ? `# ${id}: context\n\n## Decisions`
      : known.includes('## Decisions')
        ? known
        : `${known}\n\n## Decisions`;
  const gap = start.endsWith('## Decisions') ? '\n\n' : '\n';
  return { id, files: [{ path, content: `${start}${gap}- ${oneLine(text)}\n` }] };
}

export interface NewSlice {
  readonly title: string;
  readonly risk: string;
  readonly depends: readonly string[];
  readonly demo: string;
}

export function addSlice(milestone: GsdMilestone, { path, before }: EditedDocument, slice: NewSlice): GsdEdit {
  const { id: owner, slices, title } = milestone;
  const id = nextId(
    'S',
    slices.map((one) => one.id),
  );
  const unknown = slice.depends.find((one) => !slices.some((known) => known.id === one));
  if (unknown !== undefined) {
    throw new ForgeError('bad-input', `${owner} has no slice ${unknown}`, {
      hint: `Slices: ${slices.map((one) => one.id).join(', ') || 'none'}.`,
    });
  }
  const demo = slice.demo === '' ? '' : `\n  > After this: ${oneLine(slice.demo)}`;
  const line = `- [ ] **${id}: ${oneLine(slice.title)}** \`risk:${slice.risk}\` \`depends:[${slice.depends.join(',')}]\`${demo}`;
  const known = unsealDocument(before).trimEnd();
  const start = known === '' ? `# ${owner}: ${title}\n\n## Slices\n` : known;
  if (/^\s*\|/m.test(start) && !/^\s*[-*] \[/m.test(start)) {
    throw new ForgeError('bad-input', `The roadmap of ${owner} lists its slices in a table`, {
      hint: 'Add a row to the table yourself; Forge adds only to lists.',
    });
  }
  return { id, files: [{ path, content: `${insertAfterBoxes(start, line)}\n` }] };
}

export interface NewTask {
  readonly title: string;
  readonly text: string;
  readonly writes: readonly string[];
  readonly depends: readonly string[];
}

export function addTask(
  about: {
    readonly milestone: GsdMilestone;
    readonly slice: GsdSlice;
    readonly plan: EditedDocument;
    /** Where the plan of a task goes. */
    readonly place: (task: string) => string;
  },
  task: NewTask,
): GsdEdit {
  const { milestone, slice, plan, place } = about;
  const id = nextId(
    'T',
    slice.tasks.map((one) => one.id.replace(/\..*$/, '')),
  );
  const unknown = task.depends.find((one) => !slice.tasks.some((known) => known.id === one));
  if (unknown !== undefined) {
    throw new ForgeError('bad-input', `${slice.id} has no task ${unknown}`, {
      hint: `Tasks: ${slice.tasks.map((one) => one.id).join(', ') || 'none'}.`,
    });
  }
  const line = `- [ ] **${id}: ${oneLine(task.title)}**`;
  const known = unsealDocument(plan.before).trimEnd();
  const start = known === '' ? `# ${slice.id}: ${slice.title}\n\n## Tasks\n` : known;
  const front = {
    id,
    slice: slice.id,
    milestone: milestone.id,
    title: task.title,
    status: 'planned',
    depends: task.depends,
    writes: task.writes,
  };
  const content = `---\n${stringify(front).trimEnd()}\n---\n# ${id}: ${oneLine(task.title)}\n\n${task.text.trim()}\n`;
  return {
    id,
    files: [
      { path: plan.path, content: `${insertAfterBoxes(start, line)}\n` },
      { path: place(id), content },
    ],
  };
}

/** Below the last box and what belongs to it, or at the end. */
function insertAfterBoxes(text: string, line: string): string {
  const lines = text.split('\n');
  let at = lines.findLastIndex((one) => /^\s*[-*] \[[ xX]\]/.test(one));
  if (at === -1) return `${text.trimEnd()}\n\n${line}`;
  while (/^\s+\S/.test(lines[at + 1] ?? '')) at += 1;
  return [...lines.slice(0, at + 1), line, ...lines.slice(at + 1)].join('\n').trimEnd();
}

function nextId(letter: 'S' | 'T', known: readonly string[]): string {
  const numbers = known.flatMap((id) => new RegExp(`^${letter}(\\d+)`).exec(id)?.[1] ?? []);
  const highest = [...numbers].sort(compareIds).at(-1) ?? '00';
  return `${letter}${String(Number(highest) + 1).padStart(Math.max(2, highest.length), '0')}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
