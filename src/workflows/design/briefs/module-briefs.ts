/** What the developer, the tester, the reviewer and the diagnostician of a module are told. Stable parts first. Pure. */
import type { CheckReport } from '../../../policy/check-report.ts';
import type { Finding } from '../../../policy/finding.ts';
import { renderSections, type Section } from '../../../policy/sections.ts';
import { describeExpectation, type JudgedExpectation } from '../../../policy/square.ts';
import { finalSection, unlessEmpty } from '../../moves/brief-parts.ts';
import type { BuiltModule, DesignContext } from '../context.ts';
import type { ModulePlan } from '../../../delivery/module-plan.ts';
import { testerFiles } from '../plan/module-plan.ts';
import type { DiagnosisResult, ReviewResult, TesterResult } from '../role-results.ts';
import {
  conventionsSection,
  deliveryRules,
  moduleSections,
  planSection,
  sourcesSection,
  standardsSection,
} from './shared-sections.ts';

export interface ModuleSubject {
  readonly context: DesignContext;
  readonly module: BuiltModule;
  readonly plan: ModulePlan;
  readonly sources: Parameters<typeof sourcesSection>[1];
  /** What was taken back because it was not the agent's to change. */
  readonly takenBack: readonly string[];
}

export type DeveloperSituation =
  | { readonly mode: 'initial' }
  | { readonly mode: 'evolve'; readonly delivery: number }
  | { readonly mode: 'gate'; readonly output: string }
  | { readonly mode: 'tests'; readonly failures: TesterResult['failures'] }
  | {
      readonly mode: 'checks';
      readonly report: CheckReport;
      readonly findings: readonly Finding[];
      readonly reason: string;
    }
  | { readonly mode: 'discipline'; readonly issues: readonly string[] }
  | { readonly mode: 'review'; readonly findings: ReviewResult['findings'] }
  | { readonly mode: 'replan'; readonly history: readonly string[] }
  | { readonly mode: 'option'; readonly option: string }
  | { readonly mode: 'conflict'; readonly why: string; readonly diff: string };

export function developerBrief(subject: ModuleSubject, situation: DeveloperSituation, recovery?: string): string {
  return renderSections([
    ...commonSections(subject),
    ...sourcesSection('Code of the modules it needs', subject.sources),
    ...situationSections(situation),
    ...takenBackSection(subject.takenBack),
    ...finalSection(`${developerTasks[situation.mode]} ${boundaries(subject)}`, recovery),
  ]);
}

const developerTasks: Readonly<Record<DeveloperSituation['mode'], string>> = {
  initial: 'Implement this module step by step as planned, with its unit tests.',
  evolve: 'The module exists. Find what differs between its code and the revised plan, and change exactly that.',
  gate: 'The quality gate fails. Fix what it names.',
  tests: 'The tester found failures. Fix the source code, not the tests.',
  checks: 'The checks that Forge runs fail. Fix what they show.',
  discipline: 'The delivery rules are broken. Fix each place at its cause.',
  review: 'Address the required findings of the review, and nothing else.',
  replan:
    'What was tried does not get further. Step back: read the spec again, find what is fundamentally wrong with the approach, and implement another strategy.',
  option: 'Go this way:',
  conflict: 'Others changed the same places meanwhile. Bring your change into the code as it is now.',
};

function boundaries({ context, module }: ModuleSubject): string {
  const tests = testerFiles(context.conventions.commands, module.id)[0] ?? '';
  return `The tests in ${tests} are the tester's: do not change them. If the plan itself is wrong, or something it relies on is missing or broken in another module, answer plan-issue with the type and the evidence instead of working around it. Never put a stub in place of something that another module owes.`;
}

export function testerBrief(subject: ModuleSubject, about: TesterMatter, recovery?: string): string {
  const { context, module } = subject;
  const [files = ''] = testerFiles(context.conventions.commands, module.id);
  return renderSections([
    ...commonSections(subject),
    { title: 'What the developer says', text: about.notes, budget: 6000 },
    ...unlessEmpty({ title: 'What has to change in your tests', text: about.findings.join('\n'), budget: 8000 }),
    ...takenBackSection(subject.takenBack),
    ...finalSection(
      `Write integration tests for the criteria and edge cases of this module, or bring those that are there up to date, then run all tests. Your files are ${files}: Forge takes back every other change. Put the id of the criterion that a test proves into its name, such as "F-001/AC2 …". Report what fails; do not fix source code.`,
      recovery,
    ),
  ]);
}

export interface TesterMatter {
  readonly notes: string;
  readonly findings: readonly string[];
}

export function reviewerBrief(
  subject: ModuleSubject,
  about: { readonly diff: string; readonly report: string },
  recovery?: string,
): string {
  return renderSections([
    ...commonSections(subject),
    { title: 'The change', text: about.diff, budget: 80_000 },
    { title: 'What the checks say', text: about.report, budget: 4000 },
    ...finalSection(
      'Review the change against the spec: does it implement every interface and behaviour, is the code sound, do the tests cover the criteria and edge cases, does it add nothing that was not asked for? Findings that must be fixed are required, everything else is suggested. REJECT only with a required finding.',
      recovery,
    ),
  ]);
}

/** For expectations that the plan declared: does the revised plan cover what was done to the tests? */
export function expectationsBrief(
  subject: ModuleSubject,
  expectations: readonly JudgedExpectation[],
  recovery?: string,
): string {
  return renderSections([
    ...commonSections(subject),
    { title: 'Changed expectations', text: expectations.map(describeExpectation).join('\n\n'), budget: 40_000 },
    ...finalSection(
      'The tests above expect something else than before. Give a required finding for every expectation that the revised plan does not cover, or that was weakened further than it needs. APPROVE without one means that you agree with all of them.',
      recovery,
    ),
  ]);
}

export function diagnosisBrief(subject: ModuleSubject, history: readonly string[], recovery?: string): string {
  return renderSections([
    ...commonSections(subject),
    { title: 'What was tried', text: history.map((each) => `- ${each}`).join('\n'), budget: 24_000 },
    ...finalSection(
      'Find out why this does not succeed. Name the pattern, one root cause, and two or three concrete options: what to change, what it costs, which tests and criteria it affects. Say of each whether it gives up quality or part of the spec.',
      recovery,
    ),
  ]);
}

export function optionText({ title, change, tradeOffs, affects }: DiagnosisResult['options'][number]): string {
  return [
    title,
    change,
    ...(tradeOffs === '' ? [] : [`Costs: ${tradeOffs}`]),
    ...(affects === '' ? [] : [`Affects: ${affects}`]),
  ].join('\n');
}

function commonSections({ context, module, plan }: ModuleSubject): readonly Section[] {
  return [
    ...standardsSection(context.design),
    conventionsSection(context),
    deliveryRules,
    ...moduleSections(context.design, module),
    planSection(module, plan),
  ];
}

function takenBackSection(paths: readonly string[]): readonly Section[] {
  return unlessEmpty({
    title: 'Taken back last time, because it was not yours to change',
    text: paths.map((path) => `- ${path}`).join('\n'),
    budget: 4000,
  });
}

function situationSections(situation: DeveloperSituation): readonly Section[] {
  switch (situation.mode) {
    case 'initial':
    case 'evolve':
      return [];
    case 'gate':
      return [{ title: 'The quality gate', text: situation.output, budget: 16_000 }];
    case 'tests':
      return [
        {
          title: 'Failing tests',
          text: situation.failures
            .map(({ test, error, file }) => `- ${test}${file === '' ? '' : ` (${file})`}: ${error}`)
            .join('\n'),
          budget: 16_000,
        },
      ];
    case 'checks':
      return [
        {
          title: 'The checks',
          text: [
            situation.reason,
            ...situation.report.commands
              .filter(({ status }) => status !== 'passed')
              .map(({ label, output }) => `$ ${label}\n${output}`),
          ].join('\n\n'),
          budget: 24_000,
        },
        ...unlessEmpty({
          title: 'What the change does to the tests',
          text: situation.findings.map(({ path, line, claim }) => `- ${path}:${line} ${claim}`).join('\n'),
          budget: 8000,
        }),
      ];
    case 'discipline':
      return [{ title: 'Delivery rules', text: situation.issues.join('\n'), budget: 12_000 }];
    case 'review':
      return [
        {
          title: 'Required findings',
          text: situation.findings
            .filter(({ severity }) => severity === 'required')
            .map(
              ({ file, line, claim, suggestion }) =>
                `- ${file}:${line} ${claim}${suggestion === '' ? '' : ` → ${suggestion}`}`,
            )
            .join('\n'),
          budget: 16_000,
        },
      ];
    case 'replan':
      return [
        { title: 'What was tried', text: situation.history.map((each) => `- ${each}`).join('\n'), budget: 16_000 },
      ];
    case 'option':
      return [{ title: 'The way to go', text: situation.option, budget: 8000 }];
    case 'conflict':
      return [
        { title: 'Why it could not be merged', text: situation.why, budget: 4000 },
        { title: 'Your change', text: situation.diff, budget: 60_000 },
      ];
  }
}
