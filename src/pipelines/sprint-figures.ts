/**
 * A sprint in figures, from its records and events alone: what is done and left, day by day, and what it cost by task,
 * phase and role. Pure.
 */
import { compareIds } from '../plan/task-id.ts';
import type { StoredRecord } from '../records/entity.ts';
import { isFinished, isTerminal } from './record-states.ts';

export interface SprintCost {
  readonly name: string;
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
  /** Pieces of work. */
  readonly count: number;
}

export interface BurndownDay {
  readonly day: string;
  /** Tasks that were not finished at its end, and their points. */
  readonly left: number;
  readonly points: number;
}

export interface SprintFigures {
  readonly tasks: number;
  readonly done: number;
  /** Blocked, escalated or abandoned. */
  readonly stopped: number;
  readonly points: { readonly done: number; readonly all: number };
  readonly revisions: number;
  readonly escalations: number;
  readonly friction: number;
  readonly cost: SprintCost;
  readonly byTask: readonly SprintCost[];
  readonly byPhase: readonly SprintCost[];
  readonly byRole: readonly SprintCost[];
  readonly burndown: readonly BurndownDay[];
}

const pointsOf: Readonly<Record<string, number>> = { S: 1, M: 2, L: 4, XL: 8 };

export function sprintFigures(tasks: readonly StoredRecord[], events: readonly StoredRecord[]): SprintFigures {
  const finished = tasks.filter((task) => isFinished('task', task['status']));
  const work = events.filter(isWork);
  const counted = (action: string): number => events.filter((event) => event['action'] === action).length;
  return {
    tasks: tasks.length,
    done: finished.length,
    stopped: tasks.filter(({ status }) => isTerminal('task', status) && !isFinished('task', status)).length,
    points: { done: sum(finished, points), all: sum(tasks, points) },
    revisions: events.filter((event) => event['action'] === 'complete' && event['verdict'] === 'revision').length,
    escalations: counted('escalated'),
    friction: counted('friction'),
    cost: costOf('all', work),
    byTask: grouped(work, (event) => text(event['taskId']) || text(event['bugId'])),
    byPhase: grouped(work, (event) => text(event['phase'])),
    byRole: grouped(work, (event) => text(event['role'])),
    burndown: burndown(tasks, events),
  };
}

/** What an agent did and somebody paid for. Friction repeats the figures of the work it was found in. */
function isWork({ action, inputTokens }: StoredRecord): boolean {
  return action !== 'friction' && typeof inputTokens === 'number';
}

function grouped(events: readonly StoredRecord[], nameOf: (event: StoredRecord) => string): readonly SprintCost[] {
  const names = [...new Set(events.map(nameOf))].filter((name) => name !== '');
  const costs = names.map((name) =>
    costOf(
      name,
      events.filter((event) => nameOf(event) === name),
    ),
  );
  return costs.toSorted((a, b) => b.usd - a.usd || b.tokens - a.tokens || compareIds(a.name, b.name));
}

function costOf(name: string, events: readonly StoredRecord[]): SprintCost {
  const round = (value: number): number => Number(value.toFixed(4));
  return {
    name,
    usd: round(sum(events, (event) => number(event['estimatedCostUSD']))),
    tokens: sum(events, (event) => number(event['inputTokens']) + number(event['outputTokens'])),
    minutes: round(sum(events, (event) => number(event['durationMinutes']))),
    count: events.length,
  };
}

/** From the first day that something happened to the last. */
function burndown(tasks: readonly StoredRecord[], events: readonly StoredRecord[]): readonly BurndownDay[] {
  const doneOn = new Map(
    tasks
      .filter((task) => isFinished('task', task['status']))
      .map((task) => [text(task['taskId']), lastDay(events, text(task['taskId']))]),
  );
  const days = [...new Set(events.map((event) => text(event['endTimestamp']).slice(0, 10)))].filter(
    (day) => day !== '',
  );
  return days.toSorted().map((day) => {
    const open = tasks.filter((task) => {
      const done = doneOn.get(text(task['taskId']));
      return done === undefined || done > day;
    });
    return { day, left: open.length, points: sum(open, points) };
  });
}

function lastDay(events: readonly StoredRecord[], task: string): string {
  const own = events
    .filter((event) => event['taskId'] === task)
    .map((event) => text(event['endTimestamp']).slice(0, 10));
  return own.toSorted().at(-1) ?? '';
}

function points({ estimate }: StoredRecord): number {
  return pointsOf[text(estimate)] ?? 2;
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
