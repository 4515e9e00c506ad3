/** A plan in waves as a person reads it: the page they approve, the text they may edit, and its lines in a log. Pure. */
import { expectedMinutes } from '../../plan/graph.ts';
import type { Plan } from '../../plan/plan.ts';
import type { PageInput } from '../../policy/page.ts';
import { countText, durationText } from '../../views/figures.ts';
import {
  editableText,
  fieldSection,
  listSection,
  planTitle,
  requirementSection,
  taskTable,
} from '../moves/plan-page.ts';
import type { PlannerResult } from './role-results.ts';
import { complexitySum } from './wave-rules.ts';
import { planFigures } from './wave-wording.ts';

export interface WaveProposal {
  readonly requirement: string;
  readonly plan: Plan;
  readonly waves: readonly (readonly string[])[];
  readonly overview: PlannerResult['overview'];
  readonly warnings: readonly string[];
  readonly confirmedDecisions: readonly { readonly question: string; readonly answer: string }[];
  readonly knowledgeApplied: readonly string[];
}

export function proposalPage(proposal: WaveProposal): PageInput {
  const { requirement, plan, waves, overview, warnings, confirmedDecisions, knowledgeApplied } = proposal;
  return {
    title: planTitle(requirement),
    sections: [
      ...requirementSection(requirement),
      ...fieldSection(
        'Overview',
        [
          ['tech stack', overview.techStack],
          ['architecture', overview.architecture],
          ['business logic', overview.businessLogic],
          ...overview.keyDecisions.map((decision, at) => [at === 0 ? 'key decisions' : '', decision] as const),
        ],
        true,
      ),
      { title: 'Tasks', blocks: [taskTable(plan.tasks)] },
      ...fieldSection(
        'Waves',
        waves.map((wave, at) => [`wave ${at + 1}`, wave.join(', ')]),
        true,
      ),
      ...listSection('Warnings', warnings, true),
      ...listSection(
        'Decided',
        confirmedDecisions.map(({ question, answer }) => `${question} ${answer}`),
      ),
      ...listSection('Known risks', plan.risks),
      ...listSection('Lessons applied', knowledgeApplied, true),
      ...fieldSection('Size', [
        ['time', expectedTime(proposal)],
        [
          'sessions',
          `complexity ${complexitySum(plan.tasks)}, ${countText(2 * waves.length, 'session')} without fixes`,
        ],
      ]),
    ],
  };
}

/** Waves run one after the other, so their minutes add up. */
function expectedTime({ plan: { tasks }, waves }: WaveProposal): string {
  const minutes = Math.round(tasks.reduce((sum, task) => sum + expectedMinutes(task), 0));
  const isGuess = tasks.some((task) => task.expectedMinutes === undefined);
  return `about ${durationText(minutes * 60_000)} for ${planFigures({ tasks, waves })}${isGuess ? ', guessed from the sizes' : ''}`;
}

/** For people who read along and are asked at the end, or not at all. */
export function proposalLines({ plan, waves, overview, ...rest }: WaveProposal): string {
  return [
    `Plan ready: ${planFigures({ tasks: plan.tasks, waves })}`,
    `  Tech stack: ${overview.techStack}`,
    `  Architecture: ${overview.architecture}`,
    `  Business logic: ${overview.businessLogic}`,
    ...overview.keyDecisions.map((decision) => `  Key decision: ${decision}`),
    ...rest.confirmedDecisions.map(({ question, answer }) => `  Confirmed: ${question} ${answer}`),
    ...waves.map((wave, at) => `  Wave ${at + 1}: ${wave.join(', ')}`),
    ...rest.warnings.map((warning) => `Warning: ${warning}`),
  ].join('\n');
}

export function proposalDraft({ plan, waves }: Pick<WaveProposal, 'plan' | 'waves'>): string {
  return editableText(header, { waves, tasks: plan.tasks });
}

const header = `# Change the tasks and their waves, save, and leave the editor. An empty file changes nothing.
# Each wave is a list of task ids; waves are worked on in order.
`;
