/**
 * Which tasks run when. A task starts when its dependencies are done and its writes overlap no running
 * one, within a limit; one that does not say what it writes runs alone, unless all of them only read. Among ready ones
 * the longest remaining path goes first, then the lower id as people count (`T2` before `T10`), except that what an
 * earlier process had already begun comes before anything new (its base is older). One failure skips its
 * dependents and nothing else. Parallelism lives here; `work` stays a plain async function.
 */
import { ForgeError } from '../errors.ts';
import { expectedMinutes, longestRemaining, stages as stagesOf } from '../plan/graph.ts';
import { HeldPatterns } from '../plan/overlap.ts';
import { compilePatterns, type Pattern } from '../plan/path-pattern.ts';
import type { Task } from '../plan/plan.ts';
import { compareIds } from '../plan/task-id.ts';
import type { ScheduleOptions } from './bench.ts';
import type { TaskOutcome } from './facts.ts';

export interface ScheduleHooks {
  /** What an earlier process recorded: an outcome, begun but not ended, or nothing. */
  recorded(task: Task): { readonly outcome: TaskOutcome | undefined; readonly begun: number } | undefined;
  started(task: Task): void;
  ended(outcome: TaskOutcome): void;
}

export async function runSchedule(
  tasks: readonly Task[],
  options: ScheduleOptions,
  hooks: ScheduleHooks,
  work: (task: Task) => Promise<TaskOutcome>,
): Promise<readonly TaskOutcome[]> {
  const board = new Board(tasks, options, hooks);
  await new Promise<void>((resolve, reject) => {
    let failed = false;
    const fail = (error: unknown): void => {
      failed = true;
      reject(error);
    };
    const settle = (task: Task, outcome: TaskOutcome): void => {
      if (outcome.task !== task.id) throw new Error(`the work on ${task.id} answered for ${outcome.task}`);
      hooks.ended(outcome);
      // What was recorded is what counts, so that a replay goes on from the same.
      board.end(hooks.recorded(task)?.outcome ?? outcome);
      step();
    };
    const step = (): void => {
      if (failed) return;
      try {
        for (const outcome of board.skip()) hooks.ended(outcome);
        for (const task of board.next()) {
          hooks.started(task);
          work(task)
            .then((outcome) => settle(task, outcome))
            .catch(fail);
        }
        if (board.finished) resolve();
      } catch (error) {
        fail(error);
      }
    };
    step();
  });
  return board.outcomes();
}

/** What is waiting, ready, running and over. */
class Board {
  readonly #tasks: readonly Task[];
  readonly #limit: number;
  readonly #priority: ReadonlyMap<string, number>;
  readonly #begun = new Map<string, number>();
  readonly #stage = new Map<string, number>();
  readonly #dependents = new Map<string, Task[]>();
  readonly #unmet = new Map<string, number>();
  readonly #outcomes = new Map<string, TaskOutcome>();
  readonly #running = new Set<string>();
  readonly #writes = new Map<string, readonly Pattern[]>();
  /** What running tasks write. */
  readonly #held = new HeldPatterns<string>();
  readonly #readOnly: boolean;
  readonly #openInStage: number[] = [];
  /** Best first, so that a step looks only as far as there is room. */
  #ready: Task[] = [];
  readonly #doomed: Task[] = [];
  #stageNow = 0;

  constructor(tasks: readonly Task[], options: ScheduleOptions, hooks: ScheduleHooks) {
    this.#tasks = tasks;
    this.#limit = Math.max(1, options.limit);
    this.#readOnly = options.readOnly === true;
    this.#priority = longestRemaining(tasks, expectedMinutes);
    const stages = stagesOf(tasks);
    for (const [index, stage] of (options.barriers === true ? stages : [stages.flat()]).entries()) {
      this.#openInStage.push(stage.length);
      for (const id of stage) this.#stage.set(id, index);
    }
    for (const { id } of tasks) {
      if (this.#dependents.has(id)) throw new ForgeError('bad-plan', `The task ${id} is scheduled twice`);
      this.#dependents.set(id, []);
    }
    for (const task of tasks) {
      // A dependency that is not being scheduled was met before.
      const depends = [...new Set(task.depends)].filter((id) => this.#dependents.has(id));
      this.#unmet.set(task.id, depends.length);
      for (const id of depends) this.#dependents.get(id)?.push(task);
      this.#writes.set(task.id, compilePatterns(task.writes));
    }
    for (const task of tasks) {
      const known = hooks.recorded(task);
      if (known?.outcome !== undefined) this.end(known.outcome);
      else if (known !== undefined) this.#begun.set(task.id, known.begun);
    }
    const ready = tasks.filter(({ id }) => this.#unmet.get(id) === 0 && !this.#outcomes.has(id));
    this.#ready = ready.sort((a, b) => this.#compare(a, b));
  }

  get finished(): boolean {
    return this.#outcomes.size === this.#tasks.length;
  }

  outcomes(): readonly TaskOutcome[] {
    return this.#tasks.map((task) => this.#outcomes.get(task.id) as TaskOutcome);
  }

  /** Takes and returns the tasks to start now. */
  next(): readonly Task[] {
    while (this.#openInStage[this.#stageNow] === 0) this.#stageNow += 1;
    const chosen: Task[] = [];
    for (let place = 0; place < this.#ready.length && this.#running.size < this.#limit; ) {
      const task = this.#ready[place];
      if (task === undefined || !this.#mayStart(task)) {
        place += 1;
        continue;
      }
      this.#ready.splice(place, 1);
      this.#running.add(task.id);
      this.#held.hold(task.id, this.#patterns(task.id));
      chosen.push(task);
    }
    return chosen;
  }

  /** Tasks that can never start because something they depend on was not done. */
  skip(): readonly TaskOutcome[] {
    const skipped: TaskOutcome[] = [];
    for (let task = this.#doomed.pop(); task !== undefined; task = this.#doomed.pop()) {
      if (this.#outcomes.has(task.id)) continue;
      const cause = task.depends
        .map((id) => this.#outcomes.get(id))
        .find((o) => o !== undefined && o.status !== 'done');
      const outcome = {
        task: task.id,
        status: 'skipped' as const,
        reason: `depends on ${cause?.task}, which is ${cause?.status}`,
      };
      skipped.push(outcome);
      this.end(outcome);
    }
    return skipped;
  }

  end(outcome: TaskOutcome): void {
    if (this.#outcomes.has(outcome.task)) return;
    this.#outcomes.set(outcome.task, outcome);
    this.#running.delete(outcome.task);
    this.#held.release(outcome.task);
    const stage = this.#stage.get(outcome.task) ?? 0;
    this.#openInStage[stage] = (this.#openInStage[stage] ?? 1) - 1;
    for (const task of this.#dependents.get(outcome.task) ?? []) {
      if (outcome.status !== 'done') {
        this.#doomed.push(task);
        continue;
      }
      const unmet = (this.#unmet.get(task.id) ?? 1) - 1;
      this.#unmet.set(task.id, unmet);
      if (unmet === 0 && !this.#outcomes.has(task.id)) this.#enqueue(task);
    }
  }

  #enqueue(task: Task): void {
    let [low, high] = [0, this.#ready.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#ready[middle];
      if (other !== undefined && this.#compare(other, task) < 0) low = middle + 1;
      else high = middle;
    }
    this.#ready.splice(low, 0, task);
  }

  #mayStart(task: Task): boolean {
    if ((this.#stage.get(task.id) ?? 0) > this.#stageNow) return false;
    if (this.#readOnly || this.#running.size === 0) return true;
    if (this.#runsAlone(task.id) || [...this.#running].some((other) => this.#runsAlone(other))) return false;
    return this.#held.meeting(this.#patterns(task.id)) === undefined;
  }

  #runsAlone(id: string): boolean {
    return this.#patterns(id).length === 0;
  }

  #patterns(id: string): readonly Pattern[] {
    return this.#writes.get(id) ?? [];
  }

  #compare(a: Task, b: Task): number {
    const begunA = this.#begun.get(a.id) ?? Number.POSITIVE_INFINITY;
    const begunB = this.#begun.get(b.id) ?? Number.POSITIVE_INFINITY;
    if (begunA !== begunB) return begunA - begunB;
    return (this.#priority.get(b.id) ?? 0) - (this.#priority.get(a.id) ?? 0) || compareIds(a.id, b.id);
  }
}
