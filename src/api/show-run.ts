/** What came of a run, or of one of its tasks: the plan, the outcomes, the receipts of every merge, where the result is. */
import { z } from 'zod';
import type { TaskOutcome } from '../engine/facts.ts';
import type { Plan, Task } from '../plan/plan.ts';
import type { Receipt } from '../policy/receipt.ts';
import type { Chronicle } from '../views/chronicle.ts';
import { belongsTo, taskKey, unknownTask } from '../views/task-names.ts';
import { findSummary, readChronicle } from './find-run.ts';
import { type RunLine, runLine } from './run-lines.ts';
import type { Operation } from './operation.ts';

const input = z.strictObject({ run: z.string().optional(), task: z.string().optional() });

export interface TaskReport {
  /** As it was named: a scheduled task, or one of the plan. */
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
      task: task === undefined ? undefined : taskReport(chronicle, listing.run, task),
      chronicle,
    };
  },
};

function taskReport({ state }: Chronicle, run: string, task: string): TaskReport {
  const planned = state.plan?.tasks.find((one) => one.id === task);
  const key = taskKey(state, task);
  const isMeant = belongsTo(state, task);
  const effects = [...state.effects].filter(([effect]) => isMeant(effect));
  if (planned === undefined && key === undefined && effects.length === 0) throw unknownTask(state, task, run);
  const record = key === undefined ? undefined : state.tasks.get(key);
  return {
    task,
    planned,
    outcome: record?.outcome,
    receipts: state.receipts.filter((receipt) => receipt.task === (record?.task ?? task)),
    effects: effects.map(([effect, { kind, result }]) => ({ key: effect, kind, finished: result !== undefined })),
  };
}
