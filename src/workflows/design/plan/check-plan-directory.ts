/**
 * Whether a plan directory that somebody wrote can be built on: its README says what is merged, its conventions and plans can be
 * read, and no plan breaks a rule that a planner's reply may not break. Every problem has its file and line. Pure.
 */
import { checkModulePlan } from '../../../delivery/check-module-plan.ts';
import { blocksGate } from '../../../delivery/plan-issue.ts';
import { readMarkdown } from '../../../markdown/markdown-document.ts';
import { statusTableProblems } from '../../../delivery/plan-readme-problems.ts';
import { findSection } from '../../../markdown/section-lookup.ts';
import type { Issue } from '../../../plan/refusal.ts';
import { commandFaults, planFaults } from './module-plan.ts';
import type { PlacedProblem, PlanDirectory } from './read-plan-directory.ts';

export interface DirectoryWishes {
  readonly dir: string;
  /** Ids that have to have a plan. */
  readonly needed: readonly string[];
  /** Of these, plans that are built as they stand: they have to keep every rule, too. */
  readonly built: readonly string[];
  /** Folders of the engine: the plan directory, the design, the PRD. */
  readonly ours: readonly string[];
}

export function directoryProblems(
  directory: PlanDirectory,
  { dir, needed, built, ours }: DirectoryWishes,
): readonly PlacedProblem[] {
  const isNeeded = ({ module }: PlacedProblem): boolean => module === undefined || needed.includes(module);
  const missing = needed.filter((id) => !directory.files.has(id));
  return [
    ...directory.problems.filter(isNeeded),
    ...statusTableProblems(directory.readme).map((each) => ({ file: `${dir}/README.md`, ...each })),
    ...conventionProblems(directory, `${dir}/plans/conventions.md`),
    ...missing.map((id) => ({
      file: `${dir}/plans/plan-${id}.md`,
      line: 1,
      module: id,
      problem: `There is no plan for ${id}.`,
    })),
    ...built.flatMap((id) => planProblems(directory, { id, dir, ours })),
  ];
}

function conventionProblems({ conventions, texts }: PlanDirectory, file: string): readonly PlacedProblem[] {
  const reading = readMarkdown(texts.conventions);
  if (reading.status === 'refused') return [{ file, line: reading.line, problem: `The file ${reading.why}.` }];
  const line = findSection(reading.document, 'Development Workflow')?.line ?? 1;
  return commandFaults(conventions.commands).map((fault) => ({ file, line, problem: explain(fault) }));
}

function planProblems(
  { plans, files, conventions, texts }: PlanDirectory,
  { id, dir, ours }: { readonly id: string; readonly dir: string; readonly ours: readonly string[] },
): readonly PlacedProblem[] {
  const plan = plans.get(id);
  if (plan === undefined) return [];
  const file = `${dir}/plans/${files.get(id) ?? ''}`;
  const text = texts.plans.get(id) ?? '';
  const structural = checkModulePlan(file, text).filter(blocksGate);
  return [
    ...planFaults(id, plan, { others: plans, commands: conventions.commands, ours }).map((fault) => ({
      file,
      line: lineOf(text, plan.files[Number(/\[(\d+)\]$/.exec(fault.where)?.[1])] ?? ''),
      module: id,
      problem: explain(fault),
    })),
    ...structural.map(({ rule, line, description, fix }) => ({
      file,
      line: Math.max(1, line),
      module: id,
      problem: `${rule}: ${description} ${fix}`,
    })),
  ];
}

function lineOf(text: string, part: string): number {
  const at = part === '' ? -1 : text.indexOf(part);
  return at === -1 ? 1 : text.slice(0, at).split(/\r\n|\n|\r/).length;
}

function explain({ problem, fix }: Issue): string {
  return `${problem} ${fix}`.trim();
}
