/**
 * The order of tasks, derived from `depends` and never stored: stages, closure, rounds, critical path.
 * A dependency that is not in the list is ignored here; validate-plan.ts refuses it. Every walk is
 * iterative and linear in tasks and edges, so a chain of a hundred thousand tasks is no special case.
 * The same tasks give the same answer, whatever machine asks.
 */
import { ForgeError } from '../errors.ts';
import { findCycles } from './cycles.ts';
import type { Task } from './plan.ts';
import { clipText } from './refusal.ts';
import { compareIds } from './task-id.ts';

export interface GraphNode {
  readonly id: string;
  readonly depends: readonly string[];
}

/** Tasks whose dependencies are all in earlier stages, ids in order within a stage. */
export function planStages(tasks: readonly GraphNode[]): string[][] {
  const graph = graphOf(tasks);
  const result: string[][] = [];
  for (const place of graph.order) (result[graph.stage[place] ?? 0] ??= []).push(graph.tasks[place]?.id ?? '');
  return result.map((ids) => ids.sort(compareIds));
}

/** Stages, but the lowest id of the first one goes alone: it sets the conventions the others follow. */
export function planningRounds(tasks: readonly GraphNode[]): string[][] {
  const [first = [], ...later] = planStages(tasks);
  return [first.slice(0, 1), first.slice(1), ...later].filter((round) => round.length > 0);
}

/** All that a task needs, directly or not, each after what it needs itself, in the order declared. */
export function dependencyClosure(tasks: readonly GraphNode[], id: string): string[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const seen = new Set([id]);
  const result: string[] = [];
  const path = [{ id, next: 0 }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const need = byId.get(top.id)?.depends[top.next++];
    if (need === undefined) {
      path.pop();
      if (path.length > 0) result.push(top.id);
    } else if (!seen.has(need) && byId.has(need)) {
      seen.add(need);
      path.push({ id: need, next: 0 });
    }
  }
  return result;
}

const minutesByComplexity = { S: 5, M: 10, L: 20 } as const;

export function expectedMinutes(task: Pick<Task, 'complexity' | 'expectedMinutes'>): number {
  return task.expectedMinutes ?? minutesByComplexity[task.complexity];
}

/** Per task: its own minutes and the longest chain of tasks that wait for it. */
export function longestRemaining<T extends GraphNode>(
  tasks: readonly T[],
  minutes: (task: T) => number,
): ReadonlyMap<string, number> {
  const graph = graphOf(tasks);
  return new Map(remainingByPlace(graph, minutes).map((rest, place) => [graph.tasks[place]?.id ?? '', rest]));
}

/** The chain that no number of workers can shorten. */
export function criticalPath<T extends GraphNode>(
  tasks: readonly T[],
  minutes: (task: T) => number,
): { ids: string[]; minutes: number } {
  const graph = graphOf(tasks);
  const remaining = remainingByPlace(graph, minutes);
  const ids: string[] = [];
  let candidates: readonly number[] = graph.order.filter((place) => graph.stage[place] === 0);
  let total = 0;
  while (candidates.length > 0) {
    const next = candidates.reduce((best, place) => (isLonger(place, best) ? place : best));
    if (ids.length === 0) total = remaining[next] ?? 0;
    ids.push(graph.tasks[next]?.id ?? '');
    candidates = graph.dependents[next] ?? [];
  }
  return { ids, minutes: total };

  function isLonger(place: number, best: number): boolean {
    const difference = (remaining[place] ?? 0) - (remaining[best] ?? 0);
    return difference > 0 || (difference === 0 && compareIds(idAt(place), idAt(best)) < 0);
  }
  function idAt(place: number): string {
    return graph.tasks[place]?.id ?? '';
  }
}

export interface Graph<T extends GraphNode> {
  readonly tasks: readonly T[];
  /** Places in `tasks`, every task after all it depends on: by stage, then as listed. */
  readonly order: readonly number[];
  readonly stage: Int32Array;
  readonly depends: readonly (readonly number[])[];
  readonly dependents: readonly (readonly number[])[];
}

/** Throws `bad-plan` on a cycle: whoever did not validate must not go on with half an order. */
export function graphOf<T extends GraphNode>(tasks: readonly T[]): Graph<T> {
  const placeOf = new Map(tasks.map((task, place) => [task.id, place]));
  const depends = tasks.map((task) => [...new Set(task.depends)].flatMap((id) => placeOf.get(id) ?? []));
  const dependents: number[][] = tasks.map(() => []);
  depends.forEach((needs, place) => needs.forEach((need) => dependents[need]?.push(place)));

  const stage = new Int32Array(tasks.length);
  const waitingFor = depends.map((needs) => needs.length);
  let open = [...tasks.keys()].filter((place) => waitingFor[place] === 0);
  const order: number[] = [];
  for (let depth = 0; open.length > 0; depth++) {
    const next: number[] = [];
    for (const place of open) {
      order.push(place);
      stage[place] = depth;
      for (const dependent of dependents[place] ?? []) {
        waitingFor[dependent] = (waitingFor[dependent] ?? 0) - 1;
        if (waitingFor[dependent] === 0) next.push(dependent);
      }
    }
    open = next.sort((a, b) => a - b);
  }
  if (order.length < tasks.length) throw cycleError(tasks);
  return { tasks, order, stage, depends, dependents };
}

function cycleError(tasks: readonly GraphNode[]): ForgeError {
  const members = findCycles(tasks).flat().sort(compareIds);
  return new ForgeError('bad-plan', `Dependency cycle among: ${clipText(members.join(', '))}`, {
    hint: 'Remove one of the dependencies that close the cycle.',
  });
}

function remainingByPlace<T extends GraphNode>(graph: Graph<T>, minutes: (task: T) => number): number[] {
  const remaining = graph.tasks.map(minutes);
  for (const place of graph.order.toReversed()) {
    const after = (graph.dependents[place] ?? []).reduce((most, next) => Math.max(most, remaining[next] ?? 0), 0);
    remaining[place] = (remaining[place] ?? 0) + after;
  }
  return remaining;
}
