/** What those are told who work on the whole: setting up the project, testing a phase, accepting the software. Pure. */
import { renderSections, type Section } from '../../../policy/sections.ts';
import { finalSection, unlessEmpty } from '../../moves/brief-parts.ts';
import type { BuiltModule, DesignContext } from '../context.ts';
import { conventionsSection, deliveryRules, designSections, standardsSection } from './shared-sections.ts';

export function bootstrapBrief(context: DesignContext, problem: string, recovery?: string): string {
  return renderSections([
    ...designSections(context.design),
    ...standardsSection(context.design),
    conventionsSection(context),
    ...unlessEmpty({ title: 'What does not work yet', text: problem, budget: 12_000 }),
    ...finalSection(
      'Set up the project and nothing more: folders, manifest, build, test runner, linter, exactly as the conventions say. It has to build and lint, and the test command has to run without a test. Write a short CLAUDE.md with the commands, .env.example with every variable and its default, and a script for local set-up.',
      recovery,
    ),
  ]);
}

export interface PhaseSubject {
  readonly context: DesignContext;
  readonly phase: number;
  readonly modules: readonly BuiltModule[];
  readonly earlier: readonly BuiltModule[];
}

export function phaseTesterBrief(
  subject: PhaseSubject,
  about: { readonly isAgain: boolean },
  recovery?: string,
): string {
  const { context, phase } = subject;
  const folder = context.conventions.commands.phaseTests;
  return renderSections([
    ...phaseSections(subject),
    ...finalSection(
      `${about.isAgain ? 'The source was fixed. Bring your tests up to date if they need it, and run everything again.' : `Write integration tests for what only shows when the modules of phase ${phase} and those before work together.`} Your files are ${folder}/phase-${phase}*: Forge takes back every other change. Report what fails; do not fix source code.`,
      recovery,
    ),
  ]);
}

export function phaseFixBrief(
  subject: PhaseSubject,
  about: { readonly failures: string; readonly isNewApproach: boolean },
  recovery?: string,
): string {
  return renderSections([
    ...phaseSections(subject),
    { title: 'What fails', text: about.failures, budget: 24_000 },
    ...finalSection(
      `${about.isNewApproach ? 'The fixes so far did not help. Look at the pattern of the failures and take another approach.' : 'Fix the source code so that the tests of the phase pass.'} Change as little as you can, and no tests.`,
      recovery,
    ),
  ]);
}

function phaseSections({ context, phase, modules, earlier }: PhaseSubject): readonly Section[] {
  const texts = modules.map(({ id, name, text }) => `### ${id}: ${name}\n\n${text}`);
  return [
    ...designSections(context.design),
    ...standardsSection(context.design),
    conventionsSection(context),
    deliveryRules,
    { title: `Modules of phase ${phase}`, text: texts.join('\n\n'), budget: 60_000 },
    ...unlessEmpty({
      title: 'Modules of earlier phases',
      text: earlier.map(({ id, name, responsibility }) => `- ${id} ${name}: ${responsibility}`).join('\n'),
      budget: 6000,
    }),
  ];
}

export interface AcceptanceMatter {
  /** What the engine found out about the last round, one line each. */
  readonly open: readonly string[];
  readonly isAgain: boolean;
  readonly guidance: string;
}

export function acceptanceBrief(context: DesignContext, matter: AcceptanceMatter, recovery?: string): string {
  const { design, conventions } = context;
  const features = (design.prd?.features ?? []).map(
    ({ id, name, priority, criteria, edgeCases }) =>
      `### ${id}: ${name} (${priority})\n\n${criteria.map((each) => `- ${each.id}: ${each.text}`).join('\n')}${edgeCases.length === 0 ? '' : `\n\nEdge cases:\n${edgeCases.map((each) => `- ${each}`).join('\n')}`}`,
  );
  const journeys = (design.prd?.journeys ?? []).map(
    ({ id, name, touchpoints, scenarios }) =>
      `### ${id}: ${name}\n\n${touchpoints.map(({ text }, at) => `${at + 1}. ${text}`).join('\n')}\n\nScenarios:\n${scenarios.map((each, at) => `- ${id} E2E${at + 1} (${each.path}): ${each.name}`).join('\n')}`,
  );
  return renderSections([
    ...designSections(design),
    ...standardsSection(design),
    conventionsSection(context),
    deliveryRules,
    { title: 'Criteria', text: features.join('\n\n'), budget: 60_000 },
    { title: 'Journeys', text: journeys.join('\n\n'), budget: 40_000 },
    ...unlessEmpty({
      title: 'Not proven yet',
      text: matter.open.map((each) => `- ${each}`).join('\n'),
      budget: 16_000,
    }),
    ...unlessEmpty({ title: 'Guidance from a person', text: matter.guidance, budget: 6000 }),
    ...finalSection(
      `Write end-to-end tests in ${conventions.commands.e2eTests}/ that drive the product as a user does: every criterion and every scenario of every journey, at least one off the happy path per journey. Put the id into each test's name ("F-001/AC1 …", "J-001 E2E1 …"): Forge reads from the results which criteria are proven. Assert outcomes, not the absence of errors. Forge takes back every change outside of that folder. For what fails, say whether the implementation is wrong, the modules do not work together, the design has a gap, or the PRD is unclear.`,
      recovery,
    ),
  ]);
}

export function acceptanceFixBrief(
  context: DesignContext,
  about: {
    readonly failures: readonly string[];
    readonly modules: readonly BuiltModule[];
    readonly output: string;
    readonly isNewApproach: boolean;
    readonly guidance: string;
  },
  recovery?: string,
): string {
  return renderSections([
    ...designSections(context.design),
    ...standardsSection(context.design),
    conventionsSection(context),
    deliveryRules,
    { title: 'Modules involved', text: about.modules.map(({ text }) => text).join('\n\n'), budget: 50_000 },
    { title: 'Criteria that fail', text: about.failures.map((each) => `- ${each}`).join('\n'), budget: 16_000 },
    ...unlessEmpty({ title: 'What the checks say', text: about.output, budget: 16_000 }),
    ...unlessEmpty({ title: 'Guidance from a person', text: about.guidance, budget: 6000 }),
    ...finalSection(
      `${about.isNewApproach ? 'The fixes so far did not help: find the pattern and take another approach. ' : ''}Fix the source code so that these criteria pass. Change no tests, add no features.`,
      recovery,
    ),
  ]);
}
