/**
 * The tasks of a run as facts: what a schedule holds, what started and ended, what tasks added to their schedule and what
 * they waited for. The schedule decides; this records, and hands what an earlier process recorded to the next one.
 */
import type { Task } from '../plan/plan.ts';
import type { ScheduleOptions } from './bench.ts';
import type { FactInput, FactType, Place } from './facts.ts';
import type { RunState } from './run-state.ts';
import type { AddedTask, ScheduleHooks } from './schedule.ts';

export interface ScheduledTasksDeps {
  readonly state: Readonly<RunState>;
  /** False once the run is suspended. */
  readonly claim: (key: string) => boolean;
  readonly append: <T extends FactType>(type: T, key: string, data: FactInput<T>) => void;
  readonly isActive: () => boolean;
}

export class ScheduledTasks {
  /** Of every task that was scheduled in this process. */
  readonly keys = new Set<string>();
  readonly #deps: ScheduledTasksDeps;

  constructor(deps: ScheduledTasksDeps) {
    this.#deps = deps;
  }

  /** Undefined once the run is suspended. */
  begin(tasks: readonly Task[], options: ScheduleOptions, place: Place | undefined): ScheduleHooks | undefined {
    const { keyPrefix = '' } = options;
    const added = this.#addedBefore(tasks, keyPrefix);
    if (!this.#claim([...tasks, ...added.map(({ task }) => task)], keyPrefix)) return undefined;
    this.#announce(tasks, options, place);
    return this.#deps.isActive()
      ? { ...this.#courseOf(keyPrefix, place), ...this.#growthOf(options, place), added }
      : undefined;
  }

  #claim(tasks: readonly Task[], keyPrefix: string): boolean {
    if (!tasks.every(({ id }) => this.#deps.claim(`task ${keyPrefix}${id}`))) return false;
    for (const { id } of tasks) this.keys.add(keyPrefix + id);
    return true;
  }

  /** What tasks of this schedule added in an earlier process, in order. */
  #addedBefore(tasks: readonly Task[], keyPrefix: string): readonly AddedTask[] {
    const known = new Set(tasks.map(({ id }) => keyPrefix + id));
    return [...this.#deps.state.added].flatMap(([key, { by, task }]) => {
      if (key !== keyPrefix + task.id || !known.has(by)) return [];
      known.add(key);
      return [{ task, by: by.slice(keyPrefix.length) }];
    });
  }

  #announce(tasks: readonly Task[], options: ScheduleOptions, place: Place | undefined, by?: string): void {
    const { keyPrefix = '', label = ({ id, title }: Task) => (title === id ? id : `${id} ${title}`.trim()) } = options;
    const added = tasks.filter(({ id }) => !this.#deps.state.scheduled.has(keyPrefix + id));
    if (added.length === 0) return;
    const outline = added.map((task) => {
      const parts = options.parts?.(task);
      const made = parts === undefined ? {} : { parts: [...parts] };
      return { id: task.id, title: label(task), depends: [...task.depends], ...made };
    });
    this.#deps.append('tasks.scheduled', '', {
      scope: keyPrefix,
      tasks: outline,
      ...(options.readOnly === true ? { readOnly: true } : {}),
      ...(place === undefined ? {} : { within: place }),
      ...(by === undefined ? {} : { added: { by, tasks: [...added] } }),
    });
  }

  #courseOf(keyPrefix: string, place: Place | undefined): Pick<ScheduleHooks, 'recorded' | 'started' | 'ended'> {
    const { state, append, isActive } = this.#deps;
    return {
      recorded: ({ id }) => {
        const known = state.tasks.get(keyPrefix + id);
        if (known === undefined) return undefined;
        // The id stays as the workflow knows it, whatever redaction did to it.
        const outcome = known.outcome && { ...known.outcome, task: id };
        return { outcome, begun: known.startedSeq };
      },
      started: ({ id }) => {
        if (!isActive() || state.tasks.has(keyPrefix + id)) return;
        append('task.started', keyPrefix + id, place === undefined ? { task: id } : { task: id, within: place });
      },
      ended: (outcome) => {
        if (isActive()) append('task.ended', keyPrefix + outcome.task, outcome);
      },
    };
  }

  /** How a schedule grows while it runs. */
  #growthOf(options: ScheduleOptions, place: Place | undefined): Pick<ScheduleHooks, 'add' | 'wait'> {
    const { keyPrefix = '' } = options;
    const { state, append, isActive } = this.#deps;
    return {
      add: (by, tasks) => {
        if (!this.#claim(tasks, keyPrefix)) return false;
        this.#announce(tasks, options, place, keyPrefix + by.id);
        return isActive();
      },
      wait: ({ id }, wait) => {
        const key = keyPrefix + id;
        const keys = {
          for: wait.for.map((one) => keyPrefix + one),
          refused: wait.refused.map((one) => keyPrefix + one),
        };
        const before = state.waitedFor.get(key)?.find((one) => isSameList(one.for, keys.for));
        if (before !== undefined) return { ...wait, refused: before.refused.map((one) => one.slice(keyPrefix.length)) };
        if (isActive()) append('task.waited', key, { task: id, ...keys });
        return isActive() ? wait : undefined;
      },
    };
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, place) => one === b[place]);
}
