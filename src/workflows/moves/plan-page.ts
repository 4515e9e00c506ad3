/** Parts of the page on which a person approves a plan: the table of tasks, and the text they may edit. Pure. */
import { stringify } from 'yaml';
import { quoteCommand } from '../../plan/quote-command.ts';
import type { Task } from '../../plan/plan.ts';
import type { PageBlock, PageInput } from '../../policy/page.ts';

type Section = PageInput['sections'][number];

/** Left out when there is nothing to list. */
export function listSection(title: string, items: readonly string[], isBrief = false): Section[] {
  return items.length === 0 ? [] : [{ title, isBrief, blocks: [{ type: 'list', items: [...items] }] }];
}

/** A field without a value is left out. */
export function fieldSection(
  title: string,
  fields: readonly (readonly [string, string])[],
  isBrief = false,
): Section[] {
  const shown = fields.filter(([, value]) => value !== '').map(([name, value]) => ({ name, value }));
  return shown.length === 0 ? [] : [{ title, isBrief, blocks: [{ type: 'fields', fields: shown }] }];
}

/** Nothing of it is cut: what is not shown was not approved. */
export function taskTable(tasks: readonly Task[]): PageBlock {
  const field = (name: string, value: string) => (value === '' ? [] : [{ name, value }]);
  return {
    type: 'table',
    head: ['id', 'title', 'size', 'after'],
    rows: tasks.map((task) => ({
      cells: [task.id, task.title, task.complexity, task.depends.join(', ') || '-'],
      fields: [
        ...field('does', task.objective === task.title ? '' : task.objective),
        ...field('done', task.doneWhen),
        ...field('files', task.writes.join(', ') || 'none declared'),
        ...field('verify', verifyText(task)),
        ...field('not', task.forbids.join(', ')),
        ...field('changes', behaviourText(task)),
      ],
    })),
  };
}

/** The first line of a requirement names the page; the rest is shown when there is more. */
export function requirementSection(requirement: string): Section[] {
  const isLong = requirement.trim().includes('\n');
  return isLong ? [{ title: 'Objective', blocks: [{ type: 'text', text: requirement }] }] : [];
}

export function planTitle(requirement: string): string {
  return `Plan: ${requirement.trim().split('\n', 1)[0] ?? ''}`;
}

/** The part of a plan that a person may change, with a comment on top. */
export function editableText(header: string, value: unknown): string {
  return `${header}${stringify(value, { lineWidth: 100, aliasDuplicateObjects: false })}`;
}

export function verifyText({ verify }: Pick<Task, 'verify'>): string {
  return verify
    .map((entry) => {
      if (typeof entry === 'string') return entry;
      const line = typeof entry.run === 'string' ? entry.run : quoteCommand(entry.run);
      return entry.cwd === undefined ? line : `${line} (in ${entry.cwd})`;
    })
    .join('; ');
}

/** Existing behaviour that changes on purpose, with the tests that may change for it. */
export function behaviourText({ behaviourChanges = [] }: Task): string {
  return behaviourChanges
    .map(({ what, tests = [] }) => (tests.length === 0 ? what : `${what} (tests: ${tests.join(', ')})`))
    .join('; ');
}
