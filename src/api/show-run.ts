/** What came of a run, or of one of its tasks: the plan, the outcomes, the receipts of every merge, where the result is. */
import { z } from 'zod';
import type { TaskOutcome } from '../engine/facts.ts';
import { namesOf, ownerOf } from '../engine/reopen.ts';
import { ForgeError } from '../errors.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { nearestWord } from '../plan/task-id.ts';
import type { Receipt } from '../policy/receipt.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { type RunLine, runLine } from './run-lines.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional(), task: z.string().optional() });

export interface TaskReport {
  /** A wave, or a task of the plan. */
  readonly task: string;
  readonly planned: Task | undefined;
  readonly outcome: TaskOutcome | undefined;
  readonly receipts: readonly Receipt[];
  /** What was done for it, in order. */
  readonly effects: readonly { readonly key: string; readonly kind: string; readonly finished: boolean }[];
}

export interface RunShown {
  readonly line: RunLine;
  readonly plan: Plan | undefined;
  readonly receipts: readonly Receipt[];
  readonly output: unknown;
  readonly task: TaskReport | undefined;
  readonly chronicle: Chronicle;
}

export const showRun: Operation<typeof input, RunShown> = {
  name: 'show-run',
  summary: 'what came of a run or of one of its tasks',
  input,
  async run(context, { run, task }) {
    const { engine } = await context.runs();
    const listing = await findSummary(context, { run, what: 'here', fits: () => true });
    const chronicle = await readChronicle(engine, listing.run);
    const { state } = chronicle;
    return {
      line: runLine(listing),
      plan: state.plan,
      receipts: state.receipts,
      output: state.output ?? null,
      task: task === undefined ? undefined : taskReport(chronicle, task),
      chronicle,
    };
  },
};

function taskReport({ state, waves }: Chronicle, task: string): TaskReport {
  const planned = (state.plan?.tasks ?? waves?.tasks ?? []).find((one) => one.id === task);
  const record = [...state.tasks].find(([key, one]) => key === task || one.task === task);
  const names = namesOf(task, state.tasks);
  const effects = [...state.effects].filter(([key]) => ownerOf(key, names) !== undefined);
  if (planned === undefined && record === undefined && effects.length === 0) {
    const known = [...state.tasks.keys(), ...(state.plan?.tasks ?? []).map((one) => one.id)];
    const meant = nearestWord(task, known);
    throw new ForgeError('bad-input', `There is no task ${JSON.stringify(task)} in this run`, {
      hint: meant === undefined ? `Known: ${known.join(', ') || '(none yet)'}.` : `Did you mean ${meant}?`,
    });
  }
  return {
    task,
    planned,
    outcome: record?.[1].outcome,
    receipts: state.receipts.filter((receipt) => receipt.task === task),
    effects: effects.map(([key, { kind, result }]) => ({ key, kind, finished: result !== undefined })),
  };
}
