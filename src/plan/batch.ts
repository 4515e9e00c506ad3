/**
 * Which tasks to start next when work goes in batches: all that are ready, as far as the limit and
 * their writes allow, in the order listed. A plan in which some task does not say what it depends on
 * or writes is `legacy` and goes one task at a time. The answer is a value; nothing is started here.
 */
import { HeldPatterns } from './overlap.ts';
import { compilePatterns } from './path-pattern.ts';

export interface BatchTask {
  readonly id: string;
  /** Undefined when the plan does not say. */
  readonly depends: readonly string[] | undefined;
  readonly writes: readonly string[] | undefined;
  readonly done: boolean;
}

export type Batch =
  | {
      readonly mode: 'parallel' | 'single';
      readonly batch: readonly string[];
      /** How many tasks were ready, skipped ones included. */
      readonly ready: number;
      readonly skipped: readonly Skipped[];
    }
  | { readonly mode: 'legacy'; readonly batch: readonly string[] }
  | { readonly mode: 'none'; readonly batch: readonly []; readonly why: 'all-done' | 'no-tasks' }
  | { readonly mode: 'blocked'; readonly batch: readonly []; readonly pending: readonly Pending[] };

type Skipped =
  | { readonly id: string; readonly reason: 'overlap'; readonly with: string }
  | { readonly id: string; readonly reason: 'limit' };

interface Pending {
  readonly id: string;
  readonly depends: readonly string[];
  readonly unmet: readonly string[];
}

export function nextBatch(tasks: readonly BatchTask[], maxConcurrent = 3): Batch {
  const pending = tasks.filter((task) => !task.done);
  if (pending.length === 0) return { mode: 'none', batch: [], why: tasks.length === 0 ? 'no-tasks' : 'all-done' };

  const done = new Set(tasks.filter((task) => task.done).map((task) => task.id));
  const ready = pending.filter((task) => unmet(task, done).length === 0);
  const first = ready[0];
  if (first === undefined) return { mode: 'blocked', batch: [], pending: pending.map((task) => blocked(task, done)) };

  const isLegacy = tasks.some((task) => task.depends === undefined || task.writes === undefined);
  if (isLegacy) return { mode: 'legacy', batch: [first.id] };

  const { batch, skipped } = pick(ready, Math.max(1, maxConcurrent));
  return { mode: batch.length === 1 ? 'single' : 'parallel', batch, ready: ready.length, skipped };
}

function unmet(task: BatchTask, done: ReadonlySet<string>): string[] {
  return (task.depends ?? []).filter((id) => !done.has(id));
}

function blocked(task: BatchTask, done: ReadonlySet<string>): Pending {
  return { id: task.id, depends: task.depends ?? [], unmet: unmet(task, done) };
}

function pick(ready: readonly BatchTask[], limit: number): { batch: string[]; skipped: Skipped[] } {
  const taken: string[] = [];
  const held = new HeldPatterns<string>();
  const skipped: Skipped[] = [];
  for (const task of ready) {
    if (taken.length >= limit) {
      skipped.push({ id: task.id, reason: 'limit' });
      continue;
    }
    const writes = compilePatterns(task.writes ?? []);
    const rival = held.meeting(writes);
    if (rival === undefined) {
      taken.push(task.id);
      held.hold(task.id, writes);
    } else skipped.push({ id: task.id, reason: 'overlap', with: rival });
  }
  return { batch: taken, skipped };
}
