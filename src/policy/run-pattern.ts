/**
 * What a run that went well was like, as one line of memory, and which of them say something about a plan: runs of the
 * same workflow with about as many tasks. They know what sums over agents cannot: checks, merges, waiting for a turn,
 * how often work is tried again. Below three nothing is concluded from them. Pure.
 */
import type { EstimateSpan } from './dispatch-estimate.ts';
import { spanOf } from './dispatch-estimate.ts';
import type { RunShape } from './lesson.ts';

/** Under which memory keeps them. */
export const successCategory = 'success_pattern';

export interface RunPattern extends RunShape {
  /** In which something was under way, from the first task on. */
  readonly minutes: number;
}

export function patternText({ workflow, tasks, depth, files, retries, minutes }: RunPattern): string {
  return `${workflow}: ${tasks} tasks, ${depth} deep, ${files} files, ${retries} retries, ${minutes} min`;
}

/** Undefined for what a person put in other words: it is still theirs to read. */
export function readPattern(text: string): RunPattern | undefined {
  const found = line.exec(text.trim());
  const [, workflow, ...figures] = found ?? [];
  const [tasks, depth, files, retries, minutes] = figures.map(Number);
  if (workflow === undefined || tasks === undefined || depth === undefined || files === undefined) return undefined;
  if (retries === undefined || minutes === undefined) return undefined;
  return { workflow, tasks, depth, files, retries, minutes };
}

/** The runs behind lines of memory: runs exactly alike share one, whose uses after the first are counted. */
export function patternsOf(lessons: readonly { readonly text: string; readonly applied: number }[]): RunPattern[] {
  return lessons.flatMap(({ text, applied }) => {
    const pattern = readPattern(text);
    return pattern === undefined ? [] : Array.from({ length: 1 + Math.min(applied, mostAlike) }, () => pattern);
  });
}

/** One shape of run does not drown all others, and the number in a file is whatever a person wrote. */
const mostAlike = 20;

const line = /^(\S{1,64}): (\d{1,6}) tasks, (\d{1,6}) deep, (\d{1,6}) files, (\d{1,6}) retries, (\d{1,6}) min\.?$/;

export interface SimilarRuns {
  readonly count: number;
  /** Elapsed, for as many tasks as the plan has. */
  readonly minutes: EstimateSpan;
  /** How often a task was tried again. */
  readonly retries: EstimateSpan;
}

const enough = 3;

export function similarRuns(
  patterns: readonly RunPattern[],
  plan: { readonly workflow: string; readonly tasks: number },
): SimilarRuns | undefined {
  const like = patterns.filter(
    ({ workflow, tasks }) =>
      workflow === plan.workflow && tasks > 0 && tasks * 2 >= plan.tasks && tasks <= plan.tasks * 2,
  );
  if (like.length < enough) return undefined;
  return {
    count: like.length,
    minutes: spanOf(like.map(({ minutes, tasks }) => (minutes * plan.tasks) / tasks)),
    retries: spanOf(like.map(({ retries, tasks }) => retries / tasks)),
  };
}
