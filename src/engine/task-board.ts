/**
 * The tasks of one schedule: what is waiting, ready, running, given up for a while, and over. It decides who may start
 * or go on next; it starts nothing itself and records nothing.
 * Invariants: every task gets exactly one outcome; a task that waits for others holds neither a place nor its writes.
 */
import { ForgeError } from '../errors.ts';
import { expectedMinutes, longestRemaining, planStages as stagesOf } from '../plan/graph.ts';
import { HeldPatterns } from '../plan/overlap.ts';
import { compilePatterns, type Pattern } from '../plan/path-pattern.ts';
import type { Task } from '../plan/plan.ts';
import { compareIds } from '../plan/task-id.ts';
import type { ScheduleOptions } from './bench.ts';
import type { TaskOutcome } from './facts.ts';
import type { ScheduleHooks } from './schedule.ts';

export class TaskBoard {
  readonly #tasks = new Map<string, Task>();
  readonly #addedBy = new Map<string, string>();
  readonly #limit: number;
  readonly #recorded: ScheduleHooks['recorded'];
  #priority: ReadonlyMap<string, number> = new Map();
  readonly #begun = new Map<string, number>();
  readonly #stage = new Map<string, number>();
  readonly #dependents = new Map<string, Task[]>();
  readonly #unmet = new Map<string, number>();
  readonly #outcomes = new Map<string, TaskOutcome>();
  readonly #running = new Set<string>();
  readonly #writes = new Map<string, readonly Pattern[]>();
  /** What running tasks write. */
  readonly #held = new HeldPatterns<string>();
  readonly #mayOverlap: boolean;
  readonly #openInStage: number[] = [];
  /** Best first, so that a step looks only as far as there is room. */
  #ready: Task[] = [];
  readonly #doomed: Task[] = [];
  #stageNow = 0;
  /** Tasks that gave up their place, with what they still wait for. */
  readonly #waiting = new Map<string, Set<string>>();
  /** What somebody waits for, and what that needs: it goes first, and no barrier holds it. */
  readonly #wanted = new Set<string>();

  constructor(tasks: readonly Task[], options: ScheduleOptions, hooks: Pick<ScheduleHooks, 'recorded' | 'added'>) {
    this.#limit = Math.max(1, options.limit);
    this.#mayOverlap = options.readOnly === true || options.overlap === true;
    this.#recorded = hooks.recorded;
    const stages = stagesOf(tasks);
    for (const [index, stage] of (options.barriers === true ? stages : [stages.flat()]).entries())
      for (const id of stage) this.#stage.set(id, index);
    this.#insert(tasks);
    for (const { task, by } of hooks.added) this.add([task], by);
  }

  get isFinished(): boolean {
    return this.#outcomes.size === this.#tasks.size;
  }

  /** Of the tasks that are over, in the order of the schedule. */
  outcomes(): readonly TaskOutcome[] {
    return [...this.#tasks.keys()].flatMap((id) => this.#outcomes.get(id) ?? []);
  }

  outcome(id: string): TaskOutcome | undefined {
    return this.#outcomes.get(id);
  }

  areOver(ids: readonly string[]): boolean {
    return ids.every((id) => this.#outcomes.has(id));
  }

  wasAddedBy(by: string, id: string): boolean {
    return this.#addedBy.get(id) === by;
  }

  requireAddable(tasks: readonly Task[]): void {
    const ids = tasks.map(({ id }) => id);
    const twice = ids.find((id, place) => this.#tasks.has(id) || ids.indexOf(id) !== place);
    if (twice !== undefined) throw scheduledTwice(twice);
  }

  /** In the stage of the task that adds them. */
  add(tasks: readonly Task[], by: string): void {
    for (const { id } of tasks) {
      this.#stage.set(id, this.#stage.get(by) ?? this.#stageNow);
      this.#addedBy.set(id, by);
    }
    this.#insert(tasks);
  }

  /** Those of `ids` that cannot end before this task does. */
  waitingFor(task: string, ids: readonly string[]): readonly string[] {
    const unknown = ids.find((id) => !this.#tasks.has(id));
    if (unknown !== undefined) {
      throw new ForgeError('bad-plan', `${task} waits for ${unknown}, which is not in its schedule`, {
        hint: 'Add the task to the schedule first.',
      });
    }
    return ids.filter((id) => this.#neededBy([id]).has(task));
  }

  /** The task gives up its place until those are over. */
  wait(task: string, ids: readonly string[]): void {
    this.#running.delete(task);
    this.#held.release(task);
    this.#waiting.set(task, new Set(ids.filter((id) => !this.#outcomes.has(id))));
    for (const id of this.#neededBy(ids)) this.#wanted.add(id);
    this.#ready.sort((a, b) => this.#compare(a, b));
  }

  /** Takes the tasks that go on or start now. */
  next(): { readonly goingOn: readonly string[]; readonly starting: readonly Task[] } {
    while (this.#openInStage[this.#stageNow] === 0) this.#stageNow += 1;
    const goingOn = [...this.#waiting.keys()].filter((id) => {
      if (this.#waiting.get(id)?.size !== 0 || this.#running.size >= this.#limit || !this.#fits(id)) return false;
      this.#waiting.delete(id);
      this.#run(id);
      return true;
    });
    const starting: Task[] = [];
    for (let place = 0; place < this.#ready.length && this.#running.size < this.#limit; ) {
      const task = this.#ready[place];
      if (task === undefined || !this.#mayStart(task)) {
        place += 1;
        continue;
      }
      this.#ready.splice(place, 1);
      this.#run(task.id);
      starting.push(task);
    }
    return { goingOn, starting };
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
    for (const awaited of this.#waiting.values()) awaited.delete(outcome.task);
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

  #insert(tasks: readonly Task[]): void {
    for (const task of tasks) {
      const { id } = task;
      if (this.#tasks.has(id)) throw scheduledTwice(id);
      this.#tasks.set(id, task);
      this.#dependents.set(id, []);
      this.#writes.set(id, compilePatterns(task.writes));
      const stage = this.#stage.get(id) ?? 0;
      this.#openInStage[stage] = (this.#openInStage[stage] ?? 0) + 1;
    }
    this.#priority = longestRemaining([...this.#tasks.values()], expectedMinutes);
    for (const task of tasks) {
      // A dependency that is not being scheduled was met before.
      const depends = [...new Set(task.depends)].filter((id) => this.#tasks.has(id));
      const open = depends.filter((id) => !this.#outcomes.has(id));
      this.#unmet.set(task.id, open.length);
      for (const id of open) this.#dependents.get(id)?.push(task);
      if (depends.some((id) => (this.#outcomes.get(id)?.status ?? 'done') !== 'done')) this.#doomed.push(task);
    }
    for (const task of tasks) {
      const known = this.#recorded(task);
      if (known?.outcome !== undefined) this.end(known.outcome);
      else if (known !== undefined) this.#begun.set(task.id, known.begun);
    }
    // What became ready while outcomes were read is in the queue already.
    const queued = new Set(this.#ready.map(({ id }) => id));
    const free = tasks.filter(({ id }) => this.#unmet.get(id) === 0 && !queued.has(id));
    this.#ready = [...this.#ready, ...free].filter(({ id }) => !this.#outcomes.has(id));
    this.#ready.sort((a, b) => this.#compare(a, b));
  }

  #run(id: string): void {
    this.#running.add(id);
    this.#held.hold(id, this.#patterns(id));
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

  /** These and everything they need that is not over: what they depend on and what they wait for. */
  #neededBy(ids: readonly string[]): ReadonlySet<string> {
    const needed = new Set<string>();
    const open = [...ids];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (needed.has(id) || this.#outcomes.has(id)) continue;
      needed.add(id);
      open.push(...(this.#tasks.get(id)?.depends ?? []).filter((other) => this.#tasks.has(other)));
      open.push(...(this.#waiting.get(id) ?? []));
    }
    return needed;
  }

  #mayStart(task: Task): boolean {
    const isEarly = (this.#stage.get(task.id) ?? 0) > this.#stageNow;
    return (!isEarly || this.#wanted.has(task.id)) && this.#fits(task.id);
  }

  #fits(id: string): boolean {
    if (this.#mayOverlap || this.#running.size === 0) return true;
    if (this.#runsAlone(id) || [...this.#running].some((other) => this.#runsAlone(other))) return false;
    return this.#held.meeting(this.#patterns(id)) === undefined;
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
    const isWanted = Number(this.#wanted.has(b.id)) - Number(this.#wanted.has(a.id));
    return isWanted || (this.#priority.get(b.id) ?? 0) - (this.#priority.get(a.id) ?? 0) || compareIds(a.id, b.id);
  }
}

function scheduledTwice(id: string): ForgeError {
  return new ForgeError('bad-plan', `The task ${id} is scheduled twice`);
}
