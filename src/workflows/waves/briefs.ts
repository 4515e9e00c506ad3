/**
 * What each agent of a `waves` run is told, beyond its role's own text: pure functions from what the run knows
 * to sections with a size budget each. Stable parts come first, what changes between rounds last. A recovery is told
 * everything its forerunner was told, and why there is one: it has no memory of its own.
 */
import type { Task } from '../../plan/plan.ts';
import type { CheckReport } from '../../policy/check-report.ts';
import type { Finding } from '../../policy/finding.ts';
import type { Lesson } from '../../policy/lesson.ts';
import { renderSections, type Section } from '../../policy/sections.ts';
import { finalSection, lessonSection, projectSections, taskText, unlessEmpty } from '../moves/brief-parts.ts';
import type { ConfirmedDecision, PlanNote } from '../moves/plan-with-person.ts';
import type { WaveProposal } from './proposal-page.ts';
import type { Bug, DeveloperResult, Handoff } from './role-results.ts';
import type { WavesInput } from './waves-input.ts';

export interface PlannerBrief {
  readonly input: WavesInput;
  readonly lessons: readonly Lesson[];
  readonly decisions: readonly ConfirmedDecision[];
  readonly note: PlanNote<WaveProposal> | undefined;
}

export function plannerBrief({ input, lessons, decisions, note }: PlannerBrief, recovery?: string): string {
  return renderSections([
    ...projectSections(input, 60_000),
    lessonSection('Lessons from earlier runs', lessons),
    {
      title: 'Confirmed decisions',
      text: decisions.map(({ question, answer }) => `- ${question} ${answer}`).join('\n'),
      budget: 8000,
    },
    ...unlessEmpty({
      title: 'Your plan so far',
      text: note?.kind === 'changes' ? planText(note.shown) : '',
      budget: 40_000,
    }),
    { title: 'What to change in the plan', text: note === undefined ? '' : noteText(note), budget: 12_000 },
    ...finalSection('Plan the requirement.', recovery),
  ]);
}

/** What a developer or a tester works on: one wave, or for the whole all that were merged. */
export interface WaveBrief {
  readonly input: WavesInput;
  readonly waves: readonly { readonly id: string; readonly tasks: readonly Task[] }[];
  /** How many waves the plan has. */
  readonly total: number;
  readonly handoffs: readonly { readonly wave: string; readonly handoff: Handoff }[];
  /** Waves that are not part of the tree, with the reason. */
  readonly missing: readonly { readonly wave: string; readonly reason: string }[];
}

export type DeveloperSituation =
  | { readonly mode: 'implement' }
  | {
      readonly mode: 'fix';
      readonly bugs: readonly Bug[];
      readonly report?: CheckReport | undefined;
      readonly findings?: readonly Finding[];
      /** What the developer itself called unfinished. */
      readonly unfinished?: string | undefined;
    };

export function developerBrief(brief: WaveBrief, situation: DeveloperSituation, recovery?: string): string {
  if (situation.mode === 'implement') {
    const task = 'Mode: implement. Do these tasks with their unit tests, then give your result with the handoff.';
    return renderSections([...waveSections(brief), ...finalSection(task, recovery)]);
  }
  const { bugs, report, findings = [], unfinished = '' } = situation;
  const task =
    'Mode: bug fix. Fix what is named above, at its cause. Give the handoff in full, brought up to date where a fix changes an interface or state that later waves rely on.';
  return renderSections([
    ...waveSections(brief),
    ...unlessEmpty({ title: 'Bugs to fix', text: bugs.map(bugText).join('\n'), budget: 16_000 }),
    ...unlessEmpty({ title: 'What you left unfinished', text: unfinished, budget: 4000 }),
    ...unlessEmpty({
      title: 'What your change does to the tests',
      text: findings.map(findingText).join('\n'),
      budget: 8000,
    }),
    ...unlessEmpty({
      title: 'What the checks say',
      text: report === undefined ? '' : reportText(report),
      budget: 16_000,
    }),
    ...finalSection(task, recovery),
  ]);
}

export type TesterSituation =
  | { readonly mode: 'wave'; readonly developed: DeveloperResult }
  | { readonly mode: 'integration' }
  | { readonly mode: 'retest'; readonly bugs: readonly Bug[]; readonly developed?: DeveloperResult };

export function testerBrief(brief: WaveBrief, situation: TesterSituation, recovery?: string): string {
  const developed = situation.mode === 'integration' ? undefined : situation.developed;
  const bugs = situation.mode === 'retest' ? situation.bugs : [];
  return renderSections([
    ...waveSections(brief),
    ...unlessEmpty({
      title: 'What the developer reports',
      text: developed === undefined ? '' : developedText(developed),
      budget: 8000,
    }),
    ...unlessEmpty({ title: 'Bugs reported as fixed', text: bugs.map(bugText).join('\n'), budget: 16_000 }),
    ...finalSection(testerTask[situation.mode], recovery),
  ]);
}

export function learnerBrief(
  { input, story, known }: { input: WavesInput; story: string; known: readonly Lesson[] },
  recovery?: string,
): string {
  return renderSections([
    { title: 'Requirement', text: input.requirement, budget: 8000 },
    lessonSection('Lessons that are known already', known),
    { title: 'What happened', text: story, budget: 40_000 },
    ...finalSection(`Give what this run taught. Its documents begin with \`${input.slug}-\`.`, recovery),
  ]);
}

const testerTask: Readonly<Record<TesterSituation['mode'], string>> = {
  wave: 'Mode: wave test. Test this wave: unit tests, and integration tests of what it touches.',
  integration:
    'Mode: full integration test. The waves above are merged. Test the whole: interfaces between them and the business flows from end to end. Give each bug its wave.',
  retest: 'Mode: re-test. Test again what was reported as fixed, and that nothing else broke.',
};

function waveSections({ input, waves, total, handoffs, missing }: WaveBrief): readonly Section[] {
  return [
    ...projectSections(input, 20_000),
    ...waves.map(({ id, tasks }) => ({
      title: `Tasks of ${id} (of ${total} waves)`,
      text: tasks.map(taskText).join('\n\n'),
      budget: 40_000,
    })),
    ...unlessEmpty({
      title: 'Not part of the code you see',
      text: missing.map(({ wave, reason }) => `- ${wave}: ${reason}`).join('\n'),
      budget: 4000,
    }),
    { title: 'Handed over by the waves before', text: handoffs.map(handoffText).join('\n\n'), budget: 16_000 },
  ];
}

function handoffText({ wave, handoff }: WaveBrief['handoffs'][number]): string {
  return `${wave}\n${handoffParts(handoff)}`;
}

function handoffParts(handoff: Handoff): string {
  const part = (title: string, lines: readonly string[]): string => `${title}: ${lines.join('; ') || '(none)'}`;
  return [
    part('Files modified', handoff.filesModified),
    part('Key interfaces', handoff.keyInterfaces),
    part('State dependencies', handoff.stateDependencies),
    part('Deviations from the plan', handoff.deviations),
  ].join('\n');
}

function developedText({ status, summary, unitTests, handoff }: DeveloperResult): string {
  return [
    `${status}: ${summary}`,
    ...(unitTests === '' ? [] : [`Unit tests: ${unitTests}`]),
    handoffParts(handoff),
  ].join('\n');
}

/** For the planner, who has no memory of it. */
function planText({ plan, waves }: WaveProposal): string {
  return JSON.stringify({ tasks: plan.tasks, waves }, null, 1);
}

function noteText(note: PlanNote<WaveProposal>): string {
  switch (note.kind) {
    case 'faults':
      return `The plan cannot be used as it is:\n${note.issues.map((issue) => `- ${issue.where}: ${issue.problem} ${issue.fix}`).join('\n')}`;
    case 'decisions':
      return 'The questions are answered above. Revise the plan and its waves accordingly, and ask nothing more.';
    case 'changes':
      return `The person who reads your plan asks for this:\n${note.text}`;
    case 'judged':
      return `Plan again with fewer waves:\n${note.reasons.map((reason) => `- ${reason}`).join('\n')}`;
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

function findingText({ path, line, claim }: Finding): string {
  return `- ${path}:${line} ${claim}`;
}

function reportText(report: CheckReport): string {
  return report.commands
    .filter((command) => command.status !== 'passed')
    .map((command) => `${command.label}: ${command.reason}\n${command.output}`)
    .join('\n');
}
