/**
 * Sections that the briefs of every workflow share: the project and the requirement first, what to do now last. Pure.
 */
import type { BehaviourChange, Task } from '../../plan/plan.ts';
import type { Lesson } from '../../policy/lesson.ts';
import type { Section } from '../../policy/sections.ts';

export interface BriefSubject {
  readonly requirement: string;
  readonly slug: string;
  readonly guidance: string;
}

export function projectSections({ requirement, slug, guidance }: BriefSubject, budget: number): readonly Section[] {
  return [
    { title: "The project's own guidance for agents", text: guidance, budget: 20_000 },
    { title: `Requirement (${slug})`, text: requirement, budget },
  ];
}

export function lessonSection(title: string, lessons: readonly Lesson[]): Section {
  return {
    title,
    text: lessons.map((lesson) => `- ${lesson.id}: ${lesson.text}`).join('\n'),
    budget: 8000,
    keep: 'head',
  };
}

/** Always the last section: what to do, and for a recovery why it is asked once more. */
export function finalSection(task: string, recovery: string | undefined): readonly Section[] {
  const again =
    recovery === undefined
      ? ''
      : `\n\nThis is a recovery: an earlier attempt did not give a usable result. ${recovery} What it left is in place: look at it, finish it, and give the result.`;
  return [{ title: 'Now', text: `${task}${again}`, budget: 4000 }];
}

export function unlessEmpty(section: Section): readonly Section[] {
  return section.text === '' ? [] : [section];
}

export function taskText(task: Task): string {
  const line = (title: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${title}: ${values.join('; ')}`];
  return [
    `${task.id}: ${task.title} (${task.complexity}, ${task.kind})`,
    task.objective,
    `Files: ${task.writes.join(', ') || '(not declared)'}`,
    ...line('Must not change', task.forbids),
    ...line('Changes this behaviour on purpose', (task.behaviourChanges ?? []).map(changeText)),
    ...line('Depends on', task.depends),
    ...line('Verify', task.verify.map(verifyText)),
    ...line('Done when', task.doneWhen === '' ? [] : [task.doneWhen]),
    ...task.acceptance.map((one) => `Accept if: ${one.check}${one.expected === '' ? '' : ` → ${one.expected}`}`),
    ...line('Evidence of success', task.successEvidence === undefined ? [] : [task.successEvidence]),
    ...line('Expected steps', task.expectedTrajectory ?? []),
  ].join('\n');
}

function changeText({ what, tests = [] }: BehaviourChange): string {
  return tests.length === 0 ? what : `${what} (tests that may change: ${tests.join(', ')})`;
}

function verifyText(entry: Task['verify'][number]): string {
  if (typeof entry === 'string') return entry;
  return typeof entry.run === 'string' ? entry.run : entry.run.join(' ');
}
