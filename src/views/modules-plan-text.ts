/**
 * What a person approves before modules are built: objective, modules with files and checks, order, overlaps and what
 * they mean, their own uncommitted changes, risks, forecast. Nothing of it is cut: a file that is not shown was not
 * approved. Every text is made safe to print.
 */
import { type OverlappingPair, overlappingPairs } from '../plan/overlapping-pairs.ts';
import type { Task, VerifyEntry } from '../plan/plan.ts';
import type { Chronicle } from './chronicle.ts';
import { counted } from './figures.ts';
import { forecastLines } from './forecast-text.ts';
import { modulesProposal, type ModulesProposal } from './modules-proposal.ts';
import { overlapLines } from './modules-wording.ts';
import { entryText, surroundings } from './proposal.ts';
import { displayWidth, pad, plainLine, wrap } from './terminal-text.ts';
import { bulletLines, fieldLines, narrow, sectionLines, type TextOptions } from './text-block.ts';

/** Undefined while there is no plan. */
export function modulesPlanText(chronicle: Chronicle, options: TextOptions = {}): string | undefined {
  const proposal = modulesProposal(chronicle);
  if (proposal === undefined) return undefined;
  const columns = Math.max(30, options.columns ?? 80);
  const { tasks, requirement } = proposal;
  const [title = '', ...more] = requirement.trim().split('\n');
  const sections: (readonly [string, readonly string[]])[] = [
    ['Objective', more.length === 0 ? [] : bulletless(requirement, columns)],
    ['Built with', fieldsOf(proposal.techStack).flatMap(([name, value]) => fieldLines(name, value, columns))],
    ['Modules', moduleLines(tasks, columns)],
    ['Execution order', orderLines(proposal, columns)],
    ['File overlap', bulletLines(overlapLines(proposal.tasks), columns)],
    ['Your uncommitted changes', dirtyLines(proposal, columns)],
    ['Warnings', bulletLines(proposal.warnings, columns)],
    ['Decisions', bulletLines(proposal.decisions, columns)],
    ['Known risks', riskLines(proposal, columns)],
    ['Lessons applied', bulletLines(proposal.knowledgeApplied, columns)],
    ['Forecast', forecastLines(chronicle, columns)],
    ['Runs with', surroundings(chronicle).flatMap(({ name, value }) => fieldLines(name, value, columns))],
  ];
  return [...wrap(`Plan: ${title}`, columns, '  '), ...sectionLines(sections)].join('\n');
}

/** In short, for those who are not asked. */
export function modulesOverviewText(chronicle: Chronicle, options: TextOptions = {}): string | undefined {
  const proposal = modulesProposal(chronicle);
  if (proposal === undefined) return undefined;
  const columns = Math.max(30, options.columns ?? 80);
  const lines = sectionLines([
    ['Plan', proposal.tasks.flatMap(({ id, title }) => wrap(`  ${id}  ${title}`, columns, '      ').map(indented))],
    ['Execution order', orderLines(proposal, columns)],
    ['File overlap', bulletLines(overlapLines(proposal.tasks), columns)],
    ['Warnings', bulletLines(proposal.warnings, columns)],
  ]);
  return lines.slice(1).join('\n');
}

function verifyText(entries: readonly VerifyEntry[]): string {
  return entries.map(entryText).join('; ');
}

/** Existing behaviour that changes on purpose, with the tests that may change for it. */
export function behaviourText({ behaviourChanges = [] }: Task): string {
  return behaviourChanges
    .map(({ what, tests = [] }) => (tests.length === 0 ? what : `${what} (tests: ${tests.join(', ')})`))
    .join('; ');
}

/** A line each for what identifies a module; what it may change and how it is checked below, as long as they are. */
function moduleLines(tasks: readonly Task[], columns: number): string[] {
  return columns < narrow ? moduleList(tasks, columns) : moduleTable(tasks, columns);
}

/** A cell that does not fit goes on below itself. */
function moduleTable(tasks: readonly Task[], columns: number): string[] {
  const rows = tasks.map((task) =>
    [task.id, task.title, task.complexity, task.depends.join(', ') || '-'].map(plainLine),
  );
  const head = ['id', 'module', 'size', 'after'];
  const width = (at: number, limit: number): number =>
    Math.min(limit, Math.max(...[head, ...rows].map((row) => displayWidth(row[at] ?? ''))));
  const most = Math.floor(columns / 4);
  const [id, size, after] = [width(0, most), 4, width(3, most)];
  const widths = [id, Math.min(width(1, 400), columns - 2 - id - size - after - 6), size, after];
  const lines = (row: readonly string[]): string[] => {
    const cells = row.map((cell, at) => wrap(cell, widths[at] ?? 0));
    return Array.from({ length: Math.max(...cells.map((parts) => parts.length)) }, (_, at) =>
      `  ${cells.map((parts, column) => pad(parts[at] ?? '', widths[column] ?? 0)).join('  ')}`.trimEnd(),
    );
  };
  const below = ' '.repeat(id + 4);
  const detail = (name: string, value: string): string[] => {
    const text = plainLine(value);
    if (text === '') return [];
    const lead = `${below}${pad(name, 8)}`;
    return wrap(text, columns - lead.length).map((part, at) => `${at === 0 ? lead : ' '.repeat(lead.length)}${part}`);
  };
  return [
    ...lines(head),
    ...tasks.flatMap((task, at) => [
      ...lines(rows[at] ?? []),
      ...detail('does', task.objective === task.title ? '' : task.objective),
      ...detail('files', filesOf(task)),
      ...detail('verify', verifyText(task.verify)),
      ...detail('not', task.forbids.join(', ')),
      ...detail('changes', behaviourText(task)),
    ]),
  ];
}

function moduleList(tasks: readonly Task[], columns: number): string[] {
  return tasks.flatMap((task) => [
    ...wrap(`${task.id} ${task.title} (${task.complexity})`, columns - 2, '   ').map((part) => `  ${part}`),
    ...fields([
      ['does', task.objective === task.title ? '' : plainLine(task.objective)],
      ['after', task.depends.join(', ')],
      ['files', filesOf(task)],
      ['verify', verifyText(task.verify)],
      ['not', task.forbids.join(', ')],
      ['changes', behaviourText(task)],
    ]).flatMap(([name, value]) => wrap(`${name} ${value}`, columns - 4, '  ').map((part) => `    ${part}`)),
  ]);
}

function filesOf({ writes }: Task): string {
  return writes.length === 0 ? 'none declared' : writes.join(', ');
}

function orderLines(proposal: ModulesProposal, columns: number): string[] {
  const { order, tasks, lite, parallel, barriers } = proposal;
  const stageOf = new Map(order.flatMap((stage, at) => stage.map((id) => [id, at] as const)));
  const apartIn = new Map<number, OverlappingPair[]>();
  const empty = (at: number): OverlappingPair[] => {
    const list: OverlappingPair[] = [];
    apartIn.set(at, list);
    return list;
  };
  for (const pair of overlappingPairs(tasks).pairs) {
    const at = stageOf.get(pair.first);
    if (at !== undefined && at === stageOf.get(pair.second)) (apartIn.get(at) ?? empty(at)).push(pair);
  }
  const needs = new Map(tasks.map((task) => [task.id, task.depends]));
  const stages = order.flatMap((stage, at) => {
    const after = [...new Set(stage.flatMap((id) => needs.get(id) ?? []))];
    const apart = apartIn.get(at) ?? [];
    const together = stage.length === 1 || lite || apart.length > 0 ? '' : ' at once';
    const why = after.length === 0 ? '' : ` (after ${after.join(', ')})`;
    const never = lite || apart.length === 0 ? '' : `; ${pairs(apart)} never at once`;
    return wrap(`${at + 1}. ${stage.join(', ')}${together}${why}${never}`, columns - 2, '   ').map(indented2);
  });
  const how = lite
    ? 'One module after the other, in one workspace (lite).'
    : `Up to ${counted(parallel, 'module')} at once, each in its own workspace${barriers ? '; a stage waits for the one before it' : ''}.`;
  return [...stages, ...wrap(how, columns - 2).map(indented2)];
}

function pairs(overlaps: readonly OverlappingPair[]): string {
  return overlaps.map(({ first, second }) => `${first} and ${second}`).join(', ');
}

function dirtyLines({ dirtyOverlap }: ModulesProposal, columns: number): string[] {
  if (dirtyOverlap.length === 0) return [];
  const danger =
    'Agents start from your last commit and do not see them, and the result can not be landed over them. Commit them first, or sort it out when landing.';
  return [...bulletLines(dirtyOverlap, columns), ...wrap(danger, columns - 2).map(indented2)];
}

function riskLines({ risks, remembered }: ModulesProposal, columns: number): string[] {
  return [
    ...bulletLines(risks, columns),
    ...bulletLines(
      remembered.map((risk) => `seen before: ${risk}`),
      columns,
    ),
  ];
}

function fieldsOf(record: Readonly<Record<string, string>>): [string, string][] {
  const names: Readonly<Record<string, string>> = {
    testCommand: 'tests',
    buildCommand: 'build',
    lintCommand: 'lint',
  };
  return fields(Object.entries(record).map(([name, value]) => [names[name] ?? plainLine(name), value]));
}

function fields(all: readonly (readonly [string, string])[]): [string, string][] {
  return all.flatMap(([name, value]) => (value === '' ? [] : [[name, value] as [string, string]]));
}

function bulletless(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrap(line, columns - 2).map((part) => `  ${part}`.trimEnd()));
}

function indented(line: string, at: number): string {
  return at === 0 ? `  ${line}` : line;
}

function indented2(line: string): string {
  return `  ${line}`;
}
