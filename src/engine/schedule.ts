/**
 * Which tasks run when. A task starts when its dependencies are done and its writes overlap no running
 * one, within a limit; one that does not say what it writes runs alone, unless all of them only read. Among ready ones
 * the longest remaining path goes first, then the lower id as people count (`T2` before `T10`), except that what an
 * earlier process had already begun comes before anything new (its base is older). One failure skips its
 * dependents and nothing else. A task at work may add tasks and wait for some: then it gives its place to them and goes on
 * when they are over. Parallelism lives here; `work` stays a plain async function.
 */
import type { Task } from '../plan/plan.ts';
import type { ScheduleLane, ScheduleOptions } from './bench.ts';
import type { TaskOutcome } from './facts.ts';
import { TaskBoard } from './task-board.ts';

export interface AddedTask {
  readonly task: Task;
  /** Id of the task that added it. */
  readonly by: string;
}

export interface ScheduleHooks {
  /** What an earlier process recorded: an outcome, begun but not ended, or nothing. */
  recorded(task: Task): { readonly outcome: TaskOutcome | undefined; readonly begun: number } | undefined;
  started(task: Task): void;
  ended(outcome: TaskOutcome): void;
  /** What tasks added in an earlier process. */
  readonly added: readonly AddedTask[];
  /** False: the run is suspended, and nothing goes on. */
  add(by: Task, tasks: readonly Task[]): boolean;
  /** Records that a task waits. What was recorded before counts. Undefined: the run is suspended. */
  wait(task: Task, wait: TaskWait): TaskWait | undefined;
}

export interface TaskWait {
  readonly for: readonly string[];
  /** Those that wait for this task themselves. */
  readonly refused: readonly string[];
}

export async function runSchedule(
  tasks: readonly Task[],
  options: ScheduleOptions,
  hooks: ScheduleHooks,
  work: (task: Task, lane: ScheduleLane) => Promise<TaskOutcome>,
): Promise<readonly TaskOutcome[]> {
  const board = new TaskBoard(tasks, options, hooks);
  for (const outcome of board.outcomes()) options.heard?.(outcome);
  await new Promise<void>((resolve, reject) => {
    let failed = false;
    const waiters = new Map<string, () => void>();
    const fail = (error: unknown): void => {
      failed = true;
      reject(error);
    };
    const settle = (task: Task, outcome: TaskOutcome): void => {
      if (outcome.task !== task.id) throw new Error(`the work on ${task.id} answered for ${outcome.task}`);
      hooks.ended(outcome);
      // What was recorded is what counts, so that a replay goes on from the same.
      const counted = hooks.recorded(task)?.outcome ?? outcome;
      board.end(counted);
      options.heard?.(counted);
      step();
    };
    const laneOf = (task: Task): ScheduleLane => ({
      add: async (added) => {
        const fresh = added.filter(({ id }) => !board.wasAddedBy(task.id, id));
        if (fresh.length === 0) return;
        board.requireAddable(fresh);
        if (!hooks.add(task, fresh)) return new Promise<never>(() => {});
        board.add(fresh, task.id);
        step();
      },
      waitFor: async (ids) => {
        const wait = hooks.wait(task, { for: ids, refused: board.waitingFor(task.id, ids) });
        if (wait === undefined) return new Promise<never>(() => {});
        const awaited = ids.filter((id) => !wait.refused.includes(id));
        if (!board.areOver(awaited)) {
          board.wait(task.id, awaited);
          await new Promise<void>((goOn) => {
            waiters.set(task.id, goOn);
            step();
          });
        }
        return ids.map((id) => board.outcome(id) ?? refusedWait(task.id, id));
      },
    });
    const step = (): void => {
      if (failed) return;
      try {
        for (const outcome of board.skip()) {
          hooks.ended(outcome);
          options.heard?.(outcome);
        }
        const { goingOn, starting } = board.next();
        for (const id of goingOn) {
          waiters.get(id)?.();
          waiters.delete(id);
        }
        for (const task of starting) {
          hooks.started(task);
          work(task, laneOf(task))
            .then((outcome) => settle(task, outcome))
            .catch(fail);
        }
        if (board.isFinished) resolve();
      } catch (error) {
        fail(error);
      }
    };
    step();
  });
  return board.outcomes();
}

function refusedWait(task: string, id: string): TaskOutcome {
  return { task: id, status: 'blocked', reason: `${id} waits for ${task} itself` };
}
