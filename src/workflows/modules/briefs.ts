/**
 * What each agent of a `modules` run is told, beyond its role's own text: pure functions from what the run knows to
 * sections with a size budget each. Stable parts come first, what changes between rounds last.
 */
import type { EffectOutput } from '../../engine/effect-map.ts';
import type { Task } from '../../plan/plan.ts';
import type { Lesson } from '../../policy/lesson.ts';
import { lessonsFor } from '../../policy/lesson-choice.ts';
import type { ReviewFinding } from '../../policy/review-finding.ts';
import { renderSections, type Section } from '../../policy/sections.ts';
import { describeExpectation, type JudgedExpectation } from '../../policy/square.ts';
import type { ToolSummary } from '../../policy/tool-summary.ts';
import { finalSection, lessonSection, projectSections, taskText, unlessEmpty } from '../moves/brief-parts.ts';
import type { PlanNote } from '../moves/plan-with-person.ts';
import type { ModulesInput } from './modules-input.ts';
import type { OverseerResult } from './role-results.ts';
import type { ModuleRole } from './roles.ts';
import type { Validation } from './validate-module.ts';

type Sources = EffectOutput<'sources.read'>;

export function architectBrief(
  about: {
    readonly input: ModulesInput;
    readonly lessons: readonly Lesson[];
    readonly risks: readonly Lesson[];
    readonly note: PlanNote<unknown> | undefined;
    /** The tasks of the plan that is to be changed. */
    readonly before: readonly Task[];
  },
  recovery?: string,
): string {
  const { input, lessons, risks, note, before } = about;
  return renderSections([
    ...projectSections(input, 60_000),
    lessonSection('Lessons from earlier runs', lessons),
    lessonSection('What went wrong in earlier runs of this kind', risks),
    ...unlessEmpty({ title: 'Your last plan', text: before.map(taskText).join('\n\n'), budget: 30_000 }),
    ...unlessEmpty({
      title: 'What to change in the plan',
      text: note === undefined ? '' : noteText(note),
      budget: 12_000,
    }),
    ...finalSection('Plan the requirement as modules.', recovery),
  ]);
}

/** What everyone who works on a module is told of it. */
export interface ModuleBrief {
  readonly input: ModulesInput;
  readonly task: Task;
  readonly plan: readonly Task[];
  /** Files of what it depends on, as they are where it starts. */
  readonly sources: Sources;
  readonly lessons: readonly Lesson[];
}

export type WorkerSituation =
  | { readonly mode: 'implement' }
  | { readonly mode: 'review'; readonly findings: readonly ReviewFinding[] }
  | { readonly mode: 'conflict'; readonly why: string; readonly diff: string };

export function workerBrief(brief: ModuleBrief, situation: WorkerSituation, recovery?: string): string {
  return renderSections([
    ...moduleSections('worker', brief),
    ...situationSections(situation),
    ...finalSection(workerTask[situation.mode], recovery),
  ]);
}

const workerTask: Readonly<Record<WorkerSituation['mode'], string>> = {
  implement:
    'Implement this module with its tests. Match the names, signatures and calling conventions of the dependency code above: it is what is really there. If something outside the module keeps you from it, answer blocked and say what is missing.',
  review: 'Fix what the reviewer found, at its cause, and nothing else.',
  conflict:
    'Your work no longer fits the code it has to be merged into, which is what you see now. Bring the change above into it, so that both intentions hold.',
};

export function reviewerBrief(
  brief: ModuleBrief,
  { diff, own }: { readonly diff: EffectOutput<'diff.read'>; readonly own: Sources },
  recovery?: string,
): string {
  return renderSections([
    ...moduleSections('reviewer', brief),
    sourceSection("The module's files", own),
    { title: 'The change', text: diff.text, budget: 60_000 },
    ...finalSection(
      'Review this change against the module and the files it depends on. Look for what does not fit between them: names set here and read differently there, state read before it is set, signatures that differ, exports that do not exist. Give findings with file and line; severity error only for what must be fixed before it is tested.',
      recovery,
    ),
  ]);
}

/** For expectations that the plan declared: does what it says cover what was done to the tests? */
export function expectationsBrief(
  brief: ModuleBrief,
  expectations: readonly JudgedExpectation[],
  recovery?: string,
): string {
  return renderSections([
    ...moduleSections('reviewer', { ...brief, sources: { files: [], omitted: [] } }),
    { title: 'Changed expectations', text: expectations.map(describeExpectation).join('\n\n'), budget: 40_000 },
    ...finalSection(
      'The tests above expect something else than before this change. For each one, compare what changed with the behaviour that the plan declares. Give an error finding for every expectation that the declaration does not cover, that was weakened further than the declaration needs, or that you cannot explain. No error means that you agree with all of them.',
      recovery,
    ),
  ]);
}

export interface ModuleFailure {
  readonly validation: Validation;
  readonly review: readonly ReviewFinding[];
  readonly history: readonly string[];
  readonly tools: ToolSummary;
}

export function overseerBrief(brief: ModuleBrief, failure: ModuleFailure, recovery?: string): string {
  return renderSections([
    ...moduleSections('overseer', { ...brief, sources: { files: [], omitted: [] } }),
    ...failureSections(failure),
    ...finalSection(
      'Say why this failed: stuck (the same approach again and again), missing_context (it works from something it has not read or that does not exist), or blocked (no attempt can succeed until something outside changes). Name the evidence.',
      recovery,
    ),
  ]);
}

export function debuggerBrief(
  brief: ModuleBrief,
  failure: ModuleFailure,
  overseer: OverseerResult | undefined,
  recovery?: string,
): string {
  return renderSections([
    ...moduleSections('debugger', brief),
    ...failureSections(failure),
    ...(overseer === undefined
      ? []
      : [
          {
            title: `Classified as ${overseer.classification}`,
            text: `${overseer.evidence}\n${overseer.suggested_unblock}\n\n${instructions[overseer.classification]}`,
            budget: 6000,
          },
        ]),
    ...finalSection(
      'Find the cause of the failures above and fix it. If nothing you can do here would, answer blocked.',
      recovery,
    ),
  ]);
}

const instructions: Readonly<Record<OverseerResult['classification'], string>> = {
  stuck: 'What was tried has failed. Take a fundamentally different way; do not repeat the same edits.',
  missing_context: 'Read the files the evidence names before you change anything.',
  blocked: 'Another attempt is unlikely to help. Confirm the blocker and answer blocked, or show that it is none.',
};

export const auditLenses = {
  A: 'Cross-cutting bugs: names and fields that differ between files, contracts between callers and callees, producers and consumers.',
  B: 'Races and state: concurrency, ordering, lazy or shared state, windows between a check and its use.',
  C: 'Compatibility: behaviour that existing callers relied on, defaults that drifted, versions that disagree, paths that are hard-coded.',
} as const;
export type AuditLens = keyof typeof auditLenses;

export function auditorBrief(
  about: { input: ModulesInput; plan: readonly Task[]; diff: EffectOutput<'diff.read'>; lens: AuditLens },
  recovery?: string,
): string {
  const { input, plan, diff, lens } = about;
  return renderSections([
    ...projectSections(input, 20_000),
    { title: 'The modules', text: plan.map(taskText).join('\n\n'), budget: 30_000 },
    { title: 'The whole change', text: diff.text, budget: 200_000 },
    { title: 'Your lens', text: auditLenses[lens], budget: 2000 },
    ...finalSection(
      'Every module passed its own review and its tests. Review the whole through your lens only, before it is released. The code is in your working directory: read it, do not trust the diff alone. Give findings with file, line, element, category and evidence.',
      recovery,
    ),
  ]);
}

export function learnerBrief(
  about: { input: ModulesInput; story: string; known: readonly Lesson[] },
  recovery?: string,
): string {
  const { input, story, known } = about;
  return renderSections([
    { title: 'Requirement', text: input.requirement, budget: 8000 },
    lessonSection('Lessons that are known already', known),
    { title: 'What happened', text: story, budget: 40_000 },
    ...finalSection(
      'Give what this run taught. Categories: test_command, convention, failure_pattern, architecture.',
      recovery,
    ),
  ]);
}

function moduleSections(role: ModuleRole, { input, task, plan, sources, lessons }: ModuleBrief): readonly Section[] {
  const others = plan
    .filter((other) => other.id !== task.id)
    .map((other) => `- ${other.id}: ${other.title} (${other.writes.join(', ')})`);
  return [
    ...projectSections(input, 20_000),
    { title: `Module ${task.id}`, text: taskText(task), budget: 20_000 },
    ...unlessEmpty({ title: 'Other modules, which are not yours to change', text: others.join('\n'), budget: 8000 }),
    ...unlessEmpty({
      title: 'Lessons from earlier runs',
      text: lessonsFor(role, lessons)
        .map((lesson) => `- ${lesson.text}`)
        .join('\n'),
      budget: 4000,
    }),
    ...(sources.files.length === 0 && sources.omitted.length === 0
      ? []
      : [sourceSection('Dependency source code', sources)]),
  ];
}

function sourceSection(title: string, { files, omitted }: Sources): Section {
  const texts = files.map(({ path, text, cut }) => `### ${path}${cut ? ' (beginning only)' : ''}\n\n${text}`);
  const left = omitted.length === 0 ? [] : [`Not shown, read them yourself: ${omitted.join(', ')}`];
  return { title, text: [...texts, ...left].join('\n\n'), budget: 100_000 };
}

function situationSections(situation: WorkerSituation): readonly Section[] {
  switch (situation.mode) {
    case 'implement':
      return [];
    case 'review':
      return [
        { title: 'What the reviewer found', text: situation.findings.map(findingText).join('\n'), budget: 16_000 },
      ];
    case 'conflict':
      return [
        { title: 'Why it could not be merged', text: situation.why, budget: 4000 },
        { title: 'Your change', text: situation.diff, budget: 60_000 },
      ];
  }
}

function failureSections({ validation, review, history, tools }: ModuleFailure): readonly Section[] {
  return [
    {
      title: `What failed (score ${validation.verdict.score.toFixed(2)})`,
      text: validation.failures.join('\n\n'),
      budget: 24_000,
    },
    ...unlessEmpty({ title: 'What the reviewer found', text: review.map(findingText).join('\n'), budget: 8000 }),
    ...unlessEmpty({ title: 'Earlier attempts', text: history.join('\n'), budget: 8000 }),
    { title: 'What the last attempt did, counted', text: JSON.stringify(tools, null, 1), budget: 6000 },
  ];
}

function findingText({ file, line, severity, claim, evidence, suggestion }: ReviewFinding): string {
  return `- [${severity}] ${file}:${line} ${claim}${evidence === '' ? '' : ` (${evidence})`}${suggestion === '' ? '' : ` → ${suggestion}`}`;
}

function noteText(note: PlanNote<unknown>): string {
  switch (note.kind) {
    case 'faults':
      return `The plan cannot be used as it is:\n${note.issues.map((issue) => `- ${issue.where}: ${issue.problem} ${issue.fix}`).join('\n')}`;
    case 'changes':
      return `The person who reads your plan asks for this:\n${note.text}`;
    case 'judged':
      return note.reasons.map((reason) => `- ${reason}`).join('\n');
    case 'decisions':
      return '';
  }
}
