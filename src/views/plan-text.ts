/**
 * What a person approves, on one page (of a `modules` run: modules-plan-text.ts): overview, tasks, waves, warnings, decisions, risks, forecast, and the
 * settings that matter. Wide terminals get a table, narrow ones a list. Every text is made safe to print.
 */
import type { Task } from '../plan/plan.ts';
import { complexitySum } from '../policy/waves.ts';
import { type Chronicle, isModules } from './chronicle.ts';
import { counted, duration } from './figures.ts';
import { forecastLines } from './forecast-text.ts';
import { behaviourText, modulesOverviewText, modulesPlanText } from './modules-plan-text.ts';
import { forecastMinutes, type Proposal, proposalOf, surroundings } from './proposal.ts';
import { displayWidth, fit, pad, plainLine, wrap } from './terminal-text.ts';
import { bulletLines, fieldLines, narrow, sectionLines, type TextOptions } from './text-block.ts';
import { planFigures } from './wording.ts';

/** What the plan is about, for those who are not asked. Undefined while there is no plan. */
export function overviewText(chronicle: Chronicle, options: TextOptions = {}): string | undefined {
  if (isModules(chronicle)) return modulesOverviewText(chronicle, options);
  const proposal = proposalOf(chronicle);
  if (proposal === undefined) return undefined;
  const columns = Math.max(30, options.columns ?? 80);
  const lines = sectionLines([
    ['Plan', overview(proposal, columns)],
    ['Waves', waveLines(proposal, columns)],
    ['Warnings', bulletLines(proposal.warnings, columns)],
    ['Lessons applied', bulletLines(proposal.knowledgeApplied, columns)],
  ]);
  return lines.slice(1).join('\n');
}

/** Undefined while there is no plan. */
export function planText(chronicle: Chronicle, options: TextOptions = {}): string | undefined {
  if (isModules(chronicle)) return modulesPlanText(chronicle, options);
  const proposal = proposalOf(chronicle);
  if (proposal === undefined) return undefined;
  const columns = Math.max(30, options.columns ?? 80);
  const sections: (readonly [string, readonly string[]])[] = [
    ['Overview', overview(proposal, columns)],
    ['Tasks', columns < narrow ? taskList(proposal.tasks, columns) : taskTable(proposal.tasks, columns)],
    ['What each task does', objectiveLines(proposal.tasks, columns)],
    ['Behaviour that changes on purpose', bulletLines(proposal.tasks.flatMap(changedBehaviour), columns)],
    ['Waves', waveLines(proposal, columns)],
    ['Warnings', bulletLines(proposal.warnings, columns)],
    [
      'Still to be clarified',
      bulletLines(
        proposal.clarifications.map((one) => one.question),
        columns,
      ),
    ],
    ['Decided', bulletLines(proposal.confirmedDecisions.map(decisionLine), columns)],
    ['Known risks', bulletLines(proposal.risks, columns)],
    ['Lessons applied', bulletLines(proposal.knowledgeApplied, columns)],
    ['Forecast', forecast(chronicle, proposal, columns)],
    ['Runs with', surroundings(chronicle).flatMap(({ name, value }) => fieldLines(name, value, columns))],
  ];
  const title = wrap(`Plan: ${proposal.requirement.split('\n', 1)[0] ?? ''}`, columns, '  ');
  return [...title, ...sectionLines(sections)].join('\n');
}

function overview({ overview: about }: Proposal, columns: number): string[] {
  if (about === undefined) return [];
  return [
    ...fieldLines('tech stack', about.techStack, columns),
    ...fieldLines('architecture', about.architecture, columns),
    ...fieldLines('business logic', about.businessLogic, columns),
    ...about.keyDecisions.flatMap((decision, index) =>
      fieldLines(index === 0 ? 'key decisions' : '', decision, columns),
    ),
  ];
}

function taskTable(tasks: readonly Task[], columns: number): string[] {
  const rows = tasks.map((task) => [
    task.id,
    plainLine(task.title),
    task.complexity,
    task.depends.join(' ') || '-',
    plainLine(task.writes.join(' ')) || '-',
  ]);
  const head = ['id', 'title', 'size', 'after', 'writes'];
  const widest = head.map((name, at) =>
    Math.max(displayWidth(name), ...rows.map((row) => displayWidth(row[at] ?? ''))),
  );
  const [id = 0, title = 0, size = 0, after = 0, writes = 0] = widest;
  const free = columns - 2 - Math.min(id, 10) - size - Math.min(after, 12) - 8;
  const titleRoom = Math.min(title, Math.max(Math.floor(free * 0.55), free - writes));
  const widths = [Math.min(id, 10), titleRoom, size, Math.min(after, 12), free - titleRoom];
  return [head, ...rows].map((row) =>
    `  ${row.map((cell, at) => pad(fit(cell, widths[at] ?? 0), widths[at] ?? 0)).join('  ')}`.trimEnd(),
  );
}

function taskList(tasks: readonly Task[], columns: number): string[] {
  return tasks.flatMap((task) => [
    fit(`  ${plainLine(`${task.id} ${task.title}`)} (${task.complexity})`, columns),
    ...(task.depends.length === 0 ? [] : [fit(`    after ${plainLine(task.depends.join(', '))}`, columns)]),
    ...(task.writes.length === 0 ? [] : [fit(`    writes ${plainLine(task.writes.join(' '))}`, columns)]),
  ]);
}

/** Nothing of it is cut: what is not shown was not approved. */
function objectiveLines(tasks: readonly Task[], columns: number): string[] {
  return tasks.flatMap(({ id, title, objective, doneWhen }) => {
    const parts = [objective || title, doneWhen === '' ? '' : `Done when: ${doneWhen}`].filter((part) => part !== '');
    return parts.flatMap((part, at) => fieldLines(at === 0 ? plainLine(id) : '', part, columns));
  });
}

function changedBehaviour(task: Task): readonly string[] {
  const text = behaviourText(task);
  return text === '' ? [] : [`${task.id}: ${text}`];
}

function waveLines({ waves }: Proposal, columns: number): string[] {
  return waves.map((wave, index) => fit(`  ${index + 1}  ${plainLine(wave.join(', '))}`, columns));
}

function forecast(chronicle: Chronicle, proposal: Proposal, columns: number): string[] {
  const { tasks } = proposal;
  const isGuess = tasks.some((task) => task.expectedMinutes === undefined);
  const minutes = `about ${duration(forecastMinutes(tasks) * 60_000)} for ${planFigures(proposal)}${isGuess ? ', guessed from the sizes' : ''}`;
  return [
    ...fieldLines('time', minutes, columns),
    ...forecastLines(chronicle, columns),
    ...fieldLines(
      'size',
      `complexity ${complexitySum(tasks)}, ${counted(2 * proposal.waves.length, 'session')} without fixes`,
      columns,
    ),
  ];
}

function decisionLine({ question, answer }: Proposal['confirmedDecisions'][number]): string {
  return `${question} ${answer}`;
}
