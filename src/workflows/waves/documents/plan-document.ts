/** `{slug}-plan.md` and `{slug}-waves.json`. */
import type { Task } from '../../../plan/plan.ts';
import type { Chronicle } from '../../../views/chronicle.ts';
import { markdownList, markdownPage, markdownProse, markdownSection } from '../../../views/markdown.ts';
import { plainLine } from '../../../views/terminal-text.ts';
import { behaviourText, verifyText } from '../../moves/plan-page.ts';
import type { Proposal } from './wave-record.ts';

export function planDocument({ state }: Chronicle, proposal: Proposal): string {
  const { overview, warnings, risks } = proposal;
  return markdownPage(`Plan: ${state.created?.title ?? ''}`, [
    markdownSection('Requirement', markdownProse(proposal.requirement) || '(none)'),
    ...(overview === undefined ? [] : [markdownSection('Plan Overview', overviewText(overview))]),
    markdownSection('Tasks', proposal.tasks.map(taskText).join('\n\n')),
    markdownSection(
      'Waves',
      markdownList(proposal.waves.map((wave, index) => `Wave ${index + 1}: ${wave.join(', ')}`)),
    ),
    ...(warnings.length === 0 ? [] : [markdownSection('Warnings', markdownList(warnings))]),
    ...(risks.length === 0 ? [] : [markdownSection('Risks', markdownList(risks))]),
    decisions(proposal),
    markdownSection('Knowledge Applied', markdownList(proposal.knowledgeApplied)),
  ]);
}

export function wavesDocument({ tasks, waves }: Proposal): unknown {
  return {
    tasks: tasks.map(({ id, title, depends, complexity }) => ({ id, title, dependencies: depends, complexity })),
    suggested_waves: waves.map((members, index) => ({ wave: index + 1, tasks: members })),
  };
}

function overviewText(overview: NonNullable<Proposal['overview']>): string {
  const { techStack, architecture, businessLogic, keyDecisions } = overview;
  return [
    `- Tech Stack: ${plainLine(techStack)}`,
    `- Architecture: ${plainLine(architecture)}`,
    `- Business Logic: ${plainLine(businessLogic)}`,
    keyDecisions.length === 0 ? '- Key Decisions: (none)' : '- Key Decisions:',
    ...keyDecisions.map((decision) => `  - ${plainLine(decision)}`),
  ].join('\n');
}

function taskText(task: Task): string {
  const facts = [
    `Complexity: ${task.complexity}`,
    `Depends on: ${task.depends.join(', ') || '(none)'}`,
    `Writes: ${task.writes.join(', ') || '(not declared)'}`,
    ...(task.forbids.length === 0 ? [] : [`Must not change: ${task.forbids.join(', ')}`]),
    ...(behaviourText(task) === '' ? [] : [`Changes behaviour: ${behaviourText(task)}`]),
    ...(task.verify.length === 0 ? [] : [`Verify: ${verifyText(task)}`]),
    ...(task.doneWhen === '' ? [] : [`Done when: ${task.doneWhen}`]),
    ...task.acceptance.map(({ check, expected }) => `Accept if: ${check}${expected === '' ? '' : ` → ${expected}`}`),
  ];
  const title = `### ${plainLine(`${task.id}: ${task.title}`)}`;
  return [title, ...(task.objective === '' ? [] : [markdownProse(task.objective)]), markdownList(facts)].join('\n\n');
}

function decisions({ confirmedDecisions: decided }: Proposal): string {
  if (decided.length === 0) return '';
  return markdownSection(
    'Confirmed Decisions',
    markdownList(decided.map(({ question, answer }) => `${question} → ${answer}`)),
  );
}
