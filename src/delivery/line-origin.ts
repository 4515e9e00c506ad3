/**
 * What stands behind a line of a delivery, and behind a criterion: the steps of the plan that are about a file, the criteria
 * those steps are for, and the tests that prove them. Read from what a delivery left in its plan directory. Pure.
 */
import type { TraceabilityFile } from './read-traceability.ts';
import { criteriaIn } from '../design/design-ids.ts';
import { isPathCovered } from '../plan/coverage.ts';
import { patternProblem } from '../plan/path-rules.ts';
import type { ModulePlan } from './module-plan.ts';

export interface PlanStep {
  readonly number: number;
  readonly title: string;
  readonly goal: string;
}

/** Steps that name the file; where none does, all of them, if the module owns the file at all. */
export function stepsAbout(plan: ModulePlan, path: string): readonly PlanStep[] {
  const numbered = plan.steps.map(({ title, goal, files }, at) => ({ number: at + 1, title, goal, files }));
  const named = numbered.filter(({ files }) => isAbout(files, path));
  const isOwner = isAbout(plan.files, path);
  const chosen = named.length > 0 ? named : isOwner ? numbered : [];
  return chosen.map(({ number, title, goal }) => ({ number, title, goal }));
}

/** A plan directory is untrusted: what is not a pattern is about nothing. */
function isAbout(files: readonly string[], path: string): boolean {
  return isPathCovered(
    files.filter((file) => patternProblem(file) === undefined),
    path,
  );
}

/** Criteria that the plan implements in one of these steps; where it names no steps, all that the plan maps. */
export function criteriaOfSteps(plan: ModulePlan, steps: readonly PlanStep[]): readonly string[] {
  const numbers = new Set(steps.map(({ number }) => number));
  const inSteps = plan.criteria.filter(({ step, test }) =>
    [...numbersIn(step), ...numbersIn(test)].some((number) => numbers.has(number)),
  );
  const rows = inSteps.length > 0 ? inSteps : plan.criteria;
  return [...new Set(rows.flatMap(({ criterion }) => criteriaIn(criterion)))];
}

/** Steps in which a criterion is implemented or tested. */
export function stepsFor(plan: ModulePlan, criterion: string): readonly PlanStep[] {
  const rows = plan.criteria.filter((row) => criteriaIn(row.criterion).includes(criterion));
  const numbers = new Set(rows.flatMap(({ step, test }) => [...numbersIn(step), ...numbersIn(test)]));
  return plan.steps.flatMap(({ title, goal }, at) => (numbers.has(at + 1) ? [{ number: at + 1, title, goal }] : []));
}

function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

/** The test that a line of a test file belongs to: the last one that starts above it. */
export function testAt({ tests }: TraceabilityFile, path: string, line: number) {
  return tests
    .filter((test) => test.file === path && test.line > 0 && test.line <= line)
    .toSorted((a, b) => b.line - a.line)[0];
}

/** Lines next to each other as ranges. */
export function lineRanges(lines: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && line <= last.to + 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges;
}
