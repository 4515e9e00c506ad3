/** A run as one line, and all runs of this repository as lines. Loads no schemas: most commands begin here. */
import type { ListedStatus, RunSummary } from '../engine/engine.ts';
import type { Usage } from '../policy/usage.ts';
import { isFinished, newestFirst, openQuestions } from './choose-run.ts';
import type { ApiContext } from './context.ts';

export interface RunLine {
  readonly run: string;
  readonly status: ListedStatus;
  readonly title: string;
  readonly reason: string;
  readonly workflow: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** What was under way last, e.g. `W2/test#1`. */
  readonly at: string;
  /** The same in words, e.g. `Wave 2/3 [T3] › Round 1 › tester, 1/3 done`; empty when it is over. */
  readonly where: string;
  readonly questions: readonly string[];
  readonly usage: Usage;
}

/** Newest first. No journal is read that was read before. */
export async function readRunLines(context: ApiContext): Promise<readonly RunLine[]> {
  const { engine } = await context.runs();
  return newestFirst(await engine.list()).map(runLine);
}

export function runLine(summary: RunSummary): RunLine {
  const { run, status, title, problem, reason, workflow, createdAt, updatedAt, standing, usage } = summary;
  const at = summary.openEffects.at(-1)?.[0] ?? summary.lastEffect;
  const questions = openQuestions(summary);
  const where = isFinished(summary) ? '' : standing || at;
  return { run, status, title, reason: problem ?? reason, workflow, createdAt, updatedAt, at, where, questions, usage };
}
