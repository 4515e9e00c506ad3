/** Sprints, tasks and bugs as lines for a terminal. */
import type { RecordStatus, SprintStatus } from '../api/sprint-status.ts';
import { countText, moneyText, tokensText } from '../views/figures.ts';
import { plainLine } from '../views/terminal-text.ts';
import { tableLines } from './print.ts';

export function sprintLines(
  { id, title, status, goal, tasks, figures }: SprintStatus,
  width: number,
): readonly string[] {
  const { done, stopped, points, revisions, escalations, friction, cost, burndown } = figures;
  const rows = tasks.map((task) => [
    task.id,
    task.status,
    task.estimate || '-',
    task.usd > 0 ? moneyText(task.usd) : '-',
    task.title,
  ]);
  return [
    plainLine(`${id}: ${title} (${status})`),
    ...(goal === '' ? [] : [`  ${plainLine(goal)}`]),
    `  ${bar(figures.tasks === 0 ? 0 : done / figures.tasks)} ${done} of ${figures.tasks} done, ${stopped} stopped; ${points.done} of ${points.all} points`,
    ...(cost.count === 0
      ? []
      : [
          `  cost ${moneyText(cost.usd)}, ${tokensText(cost.tokens)} tokens, ${cost.minutes.toFixed(1)} min of agents; ${countText(revisions, 'revision')}, ${countText(escalations, 'escalation')}, friction ${friction}`,
        ]),
    ...tableLines(rows, width - 2).map((row) => `  ${row}`),
    ...costs('by phase', figures.byPhase),
    ...costs('by role', figures.byRole),
    ...(burndown.length < 2
      ? []
      : [
          '  burndown',
          ...burndown.map(
            ({ day, left, points: open }) => `    ${day}  ${'█'.repeat(Math.min(40, open))} ${left} left`,
          ),
        ]),
    '',
  ];
}

const barWidth = 20;

function bar(part: number): string {
  const full = Math.round(part * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
}

function costs(title: string, all: SprintStatus['figures']['byPhase']): readonly string[] {
  if (all.length === 0) return [];
  return [
    `  ${title}: ${plainLine(all.map(({ name, usd, count }) => `${name} ${moneyText(usd)} (${count})`).join(', '))}`,
  ];
}

export function recordLines(status: RecordStatus): readonly string[] {
  const { id, title, status: state, description, summaries, usd, byPhase } = status;
  const phases = Object.entries(summaries as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
  return [
    plainLine(`${id}: ${title} (${state})`),
    ...(description === '' ? [] : [`  ${plainLine(description)}`]),
    ...phases.flatMap(([phase, summary]) => {
      const verdict = summary['verdict'] === 'n/a' ? '' : ` ${String(summary['verdict'])}:`;
      const findings = Array.isArray(summary['findings']) ? summary['findings'] : [];
      return [
        `  ${phase}:${verdict} ${String(summary['objective'])}`,
        ...findings.map((one) => `    - ${String(one)}`),
      ];
    }),
    ...(usd > 0
      ? [`  cost ${moneyText(usd)}: ${byPhase.map((one) => `${one.name} ${moneyText(one.usd)}`).join(', ')}`]
      : []),
  ];
}
