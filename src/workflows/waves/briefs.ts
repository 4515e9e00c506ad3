/**
 * What each agent of a `waves` run is told, beyond its role's own text: pure functions from what the run knows
 * to sections with a size budget. Stable parts come first, what changes between rounds last.
 */
import type { Issue } from '../../plan/refusal.ts';
import type { Task } from '../../plan/plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Finding } from '../../policy/finding.ts';
import type { Lesson } from '../../policy/lesson.ts';
import type { Bug, Handoff } from '../../policy/role-results.ts';
import { renderSections, type Section } from '../../policy/sections.ts';
import type { WavesInput } from './waves-input.ts';

export interface Decision {
  readonly question: string;
  readonly answer: string;
}

/** Why the planner is asked again. */
export type PlannerNote =
  | { readonly kind: 'faults'; readonly issues: readonly Issue[] }
  | { readonly kind: 'decisions' }
  | { readonly kind: 'fewer-waves'; readonly reasons: readonly string[] };

export function plannerBrief(about: {
  input: WavesInput;
  lessons: readonly Lesson[];
  decisions: readonly Decision[];
  note: PlannerNote | undefined;
}): string {
  const { input, lessons, decisions, note } = about;
  return renderSections([
    guidance(input),
    { title: 'Requirement', text: input.requirement, budget: 60_000 },
    {
      title: 'Lessons from earlier runs',
      text: lessons.map((lesson) => `- ${lesson.id}: ${lesson.text}`).join('\n'),
      budget: 8000,
    },
    {
      title: 'Confirmed decisions',
      text: decisions.map(({ question, answer }) => `- ${question} ${answer}`).join('\n'),
      budget: 8000,
    },
    { title: 'What to change in the plan', text: note === undefined ? '' : noteText(note), budget: 12_000 },
  ]);
}

export interface WaveBrief {
  readonly input: WavesInput;
  readonly wave: Task;
  readonly tasks: readonly Task[];
  readonly total: number;
  readonly handoffs: readonly { readonly wave: string; readonly handoff: Handoff }[];
}

export type DeveloperSituation =
  | { readonly mode: 'implement' }
  | {
      readonly mode: 'fix';
      readonly bugs: readonly Bug[];
      readonly report: CheckReport | undefined;
      readonly findings: readonly Finding[];
    }
  | { readonly mode: 'recovery'; readonly why: string };

export function developerBrief(brief: WaveBrief, situation: DeveloperSituation): string {
  return renderSections([...waveSections(brief), { title: 'Now', text: developerNow(situation), budget: 24_000 }]);
}

export type TesterSituation =
  | { readonly mode: 'wave' | 'integration' }
  | { readonly mode: 'retest'; readonly bugs: readonly Bug[] }
  | { readonly mode: 'recovery'; readonly why: string };

export function testerBrief(brief: WaveBrief, situation: TesterSituation): string {
  return renderSections([...waveSections(brief), { title: 'Now', text: testerNow(situation), budget: 16_000 }]);
}

export function learnerBrief(input: WavesInput, story: string): string {
  return renderSections([
    { title: 'Requirement', text: input.requirement, budget: 8000 },
    { title: 'What happened', text: story, budget: 40_000 },
  ]);
}

function waveSections({ input, wave, tasks, total, handoffs }: WaveBrief): readonly Section[] {
  return [
    guidance(input),
    { title: 'Requirement', text: input.requirement, budget: 20_000 },
    { title: `Tasks of ${wave.id} (of ${total} waves)`, text: tasks.map(taskText).join('\n\n'), budget: 40_000 },
    { title: 'Handed over by earlier waves', text: handoffs.map(handoffText).join('\n\n'), budget: 16_000 },
  ];
}

function guidance({ guidance: text }: WavesInput): Section {
  return { title: "The project's own guidance for agents", text, budget: 20_000 };
}

function taskText(task: Task): string {
  return [
    `${task.id}: ${task.title} (${task.complexity}, ${task.kind})`,
    task.objective,
    `Writes: ${task.writes.join(', ') || '(not declared)'}`,
    ...(task.forbids.length === 0 ? [] : [`Must not change: ${task.forbids.join(', ')}`]),
    ...(task.doneWhen === '' ? [] : [`Done when: ${task.doneWhen}`]),
    ...task.acceptance.map((one) => `Accept if: ${one.check}${one.expected === '' ? '' : ` → ${one.expected}`}`),
  ].join('\n');
}

function handoffText({ wave, handoff }: WaveBrief['handoffs'][number]): string {
  const part = (title: string, lines: readonly string[]): string => `${title}: ${lines.join('; ') || '(none)'}`;
  return [
    wave,
    part('Files modified', handoff.filesModified),
    part('Key interfaces', handoff.keyInterfaces),
    part('State dependencies', handoff.stateDependencies),
    part('Deviations from the plan', handoff.deviations),
  ].join('\n');
}

function noteText(note: PlannerNote): string {
  switch (note.kind) {
    case 'faults':
      return `The plan can not be used as it is:\n${note.issues.map((issue) => `- ${issue.where}: ${issue.problem} ${issue.fix}`).join('\n')}`;
    case 'decisions':
      return 'The questions are answered above. Revise the plan and its waves accordingly, and ask nothing more.';
    case 'fewer-waves':
      return `Plan again with fewer waves:\n${note.reasons.map((reason) => `- ${reason}`).join('\n')}`;
  }
}

function developerNow(situation: DeveloperSituation): string {
  switch (situation.mode) {
    case 'implement':
      return 'Implement these tasks with their unit tests, then give your result with the handoff.';
    case 'recovery':
      return `An earlier attempt did not give a usable result: ${situation.why} What it wrote is in place: look at it, finish it, and give the result.`;
    case 'fix':
      return [
        'Mend the following, at its cause, and update the handoff if an interface changes.',
        ...situation.bugs.map(bugText),
        ...situation.findings.map((finding) => `- ${finding.path}:${finding.line} ${finding.claim}`),
        ...(situation.report === undefined ? [] : [`The checks say:\n${reportText(situation.report)}`]),
      ].join('\n');
  }
}

function testerNow(situation: TesterSituation): string {
  switch (situation.mode) {
    case 'wave':
      return 'Test this wave: unit tests, and integration tests of what it touches.';
    case 'integration':
      return 'All waves are merged. Test the whole: interfaces between waves and the business flows from end to end.';
    case 'retest':
      return `These bugs were reported as mended. Test them again, and that nothing else broke:\n${situation.bugs.map(bugText).join('\n')}`;
    case 'recovery':
      return `An earlier attempt did not give a usable result: ${situation.why} Look at what it left, finish the test, and give the result.`;
  }
}

function bugText(bug: Bug): string {
  const detail = [
    bug.reproduction,
    bug.expected && `expected ${bug.expected}`,
    bug.actual && `got ${bug.actual}`,
  ].filter(Boolean);
  return `- [${bug.severity}] ${bug.title}${bug.files.length === 0 ? '' : ` (${bug.files.join(', ')})`}${detail.length === 0 ? '' : `: ${detail.join('; ')}`}`;
}

function reportText(report: CheckReport): string {
  return report.commands
    .filter((command) => command.status !== 'passed')
    .map((command) => `${command.label}: ${command.reason}\n${command.output}`)
    .join('\n');
}
