/** A plan of modules as a person reads it: the page they approve, the text they may edit, and its lines in a log. Pure. */
import { planStages } from '../../plan/graph.ts';
import { type OverlappingPair, overlappingPairs } from '../../plan/overlapping-pairs.ts';
import type { Plan, Task } from '../../plan/plan.ts';
import type { PageInput } from '../../policy/page.ts';
import { countText } from '../../views/figures.ts';
import {
  editableText,
  fieldSection,
  listSection,
  planTitle,
  requirementSection,
  taskTable,
} from '../moves/plan-page.ts';

export interface ModulesProposal {
  readonly requirement: string;
  readonly plan: Plan;
  readonly warnings: readonly string[];
  /** Risks that earlier runs met. */
  readonly knownRisks: readonly string[];
  readonly knowledgeApplied: readonly string[];
  /** The user's uncommitted changes in files that the plan would change. */
  readonly dirtyOverlap: readonly string[];
  readonly lite: boolean;
  readonly parallel: number;
  readonly barriers: boolean;
}

export function proposalPage(proposal: ModulesProposal): PageInput {
  const { requirement, plan, warnings, knownRisks, knowledgeApplied, dirtyOverlap } = proposal;
  return {
    title: planTitle(requirement),
    sections: [
      ...requirementSection(requirement),
      ...fieldSection(
        'Built with',
        Object.entries(plan.techStack ?? {}).map(([name, value]) => [stackNames[name] ?? name, value]),
      ),
      { title: 'Modules', isBrief: true, blocks: [taskTable(plan.tasks)] },
      { title: 'Execution order', isBrief: true, blocks: [{ type: 'text', text: orderLines(proposal).join('\n') }] },
      ...listSection('File overlap', overlapLines(plan.tasks), true),
      ...(dirtyOverlap.length === 0
        ? []
        : [
            {
              title: 'Your uncommitted changes',
              blocks: [
                { type: 'list' as const, items: [...dirtyOverlap] },
                { type: 'text' as const, text: dirtyDanger },
              ],
            },
          ]),
      ...listSection('Warnings', warnings, true),
      ...listSection('Decisions', plan.decisions),
      ...listSection('Known risks', [...plan.risks, ...knownRisks.map((risk) => `seen before: ${risk}`)]),
      ...listSection('Lessons applied', knowledgeApplied),
    ],
  };
}

const stackNames: Readonly<Record<string, string>> = {
  testCommand: 'tests',
  buildCommand: 'build',
  lintCommand: 'lint',
};
const dirtyDanger =
  'Agents start from your last commit and do not see them, and the result cannot be landed over them. Commit them first, or sort it out when landing.';

/** For people who read along and are asked at the end, or not at all. */
export function proposalLines(proposal: ModulesProposal): string {
  const { plan, lite, dirtyOverlap, warnings, knownRisks } = proposal;
  const order = countText(planStages(plan.tasks).length, 'stage');
  return [
    `Plan ready: ${countText(plan.tasks.length, 'module')} in ${order}${lite ? ', one after the other' : ''}`,
    ...plan.tasks.map(({ id, title, complexity, depends }) => {
      const after = depends.length === 0 ? '' : `, after ${depends.join(', ')}`;
      return `  ${id}: ${title} (${complexity}${after})`;
    }),
    ...overlapLines(plan.tasks).map((line) => `Overlap: ${line}`),
    ...dirtyOverlap.map((path) => `Uncommitted: ${path} has changes of yours that agents do not see`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    ...knownRisks.map((risk) => `Known risk: ${risk}`),
  ].join('\n');
}

export function proposalDraft({ tasks }: Plan): string {
  return editableText(header, { tasks });
}

const header = `# Change the modules (tasks), save, and leave the editor. An empty file changes nothing.
# A module starts when all it depends on is merged and nobody is at work on its files (writes).
`;

function orderLines({ plan: { tasks }, lite, parallel, barriers }: ModulesProposal): string[] {
  const order = planStages(tasks);
  const stageOf = new Map(order.flatMap((stage, at) => stage.map((id) => [id, at] as const)));
  const { pairs } = overlappingPairs(tasks);
  const apartIn = pairs.filter(({ first, second }) => stageOf.get(first) === stageOf.get(second));
  const needs = new Map(tasks.map((task) => [task.id, task.depends]));
  const lines = order.map((stage, at) => {
    const after = [...new Set(stage.flatMap((id) => needs.get(id) ?? []))];
    const apart = apartIn.filter(({ first }) => stageOf.get(first) === at);
    const together = stage.length === 1 || lite || apart.length > 0 ? '' : ' at once';
    const why = after.length === 0 ? '' : ` (after ${after.join(', ')})`;
    const never = lite || apart.length === 0 ? '' : `; ${apart.map(pairText).join(', ')} never at once`;
    return `${at + 1}. ${stage.join(', ')}${together}${why}${never}`;
  });
  const how = lite
    ? 'One module after the other, in one workspace (lite).'
    : `Up to ${countText(parallel, 'module')} at once, each in its own workspace${barriers ? '; a stage waits for the one before it' : ''}.`;
  return [...lines, how];
}

function pairText({ first, second }: OverlappingPair): string {
  return `${first} and ${second}`;
}

/** A line for every two modules that may change the same file. */
function overlapLines(tasks: readonly Task[]): string[] {
  const { pairs, complete } = overlappingPairs(tasks);
  return [...pairs.map(overlapLine), ...(complete ? [] : ['More modules overlap than are listed here'])];
}

/** What two modules on one file mean: never at once, and without an order between them either may come first. */
function overlapLine({ first, second, paths, isOrdered }: OverlappingPair): string {
  const both = `${first} and ${second} both change ${paths.join(', ')}`;
  if (isOrdered) return `${both}: the later one is built on the earlier one`;
  return `${both}: they never run at once, but nothing says which comes first, and the second is built on the first`;
}
