/**
 * The keys of a `modules` run as steps, and what is known under them. The one place of the views that knows how the
 * workflow names things; everything above speaks of modules, sessions, validations, merges and lenses.
 */
import type { TaskRecord } from '../engine/run-state.ts';
import { mendableFiles } from '../policy/finding-path.ts';
import { type Aggregated, aggregateFindings, withUnmended } from '../policy/self-consistency.ts';
import { replyOf } from './agent-reading.ts';
import { type Chronicle, lastReading } from './chronicle.ts';

export const lensNames = ['A', 'B', 'C'] as const;
/** A key of what mends the final review's findings as any module's: `F1-1/develop#1`. */
export function unscoped(key: string): string {
  return key.replace(/^final\/fix#\d+\/(?=[^/]+\/)/, '');
}

/** One piece of a module's way, in the order it went: who worked, who looked, what was measured. */
export type ModuleEvent =
  | { readonly type: 'worker' | 'reviewer' | 'overseer' | 'debugger'; readonly key: string; readonly round: number }
  /** `key` is e.g. `m1/validate#2`; `review` the key of the review that stood when it was measured. */
  | {
      readonly type: 'validation';
      readonly key: string;
      readonly round: number;
      readonly review: string;
      /** It did not pass, and somebody looked into it. */
      readonly sentBack: boolean;
      /** A debugger was set to it. */
      readonly retried: boolean;
    }
  /** `key` is e.g. `m1/integrate#1`. */
  | { readonly type: 'merge'; readonly key: string; readonly round: number };

/** A merge that does not fit begins a module again under `m1@2`; what it does then follows on. */
export function eventsOf(chronicle: Chronicle, module: string): ModuleEvent[] {
  return generationsOf(chronicle, module).flatMap((name) => generationEvents(chronicle.state.effects, name));
}

type Effects = ReadonlyMap<string, unknown>;

function generationEvents(effects: Effects, name: string): ModuleEvent[] {
  const events: ModuleEvent[] = [];
  let review = '';
  for (let round = 1; effects.has(`${name}/develop#${round}`); round += 1) {
    events.push({ type: 'worker', key: `${name}/develop#${round}`, round });
    if (!effects.has(`${name}/review#${round}`)) continue;
    review = `${name}/review#${round}`;
    events.push({ type: 'reviewer', key: review, round });
  }
  for (let round = 1; effects.has(`${name}/validate#${round}/contracts`); round += 1) {
    const sentBack = effects.has(`${name}/tools#${round}`);
    const debug = `${name}/debug#${round}`;
    const retried = effects.has(debug);
    events.push({ type: 'validation', key: `${name}/validate#${round}`, round, review, sentBack, retried });
    if (effects.has(`${name}/overseer#${round}`))
      events.push({ type: 'overseer', key: `${name}/overseer#${round}`, round });
    if (!retried) continue;
    events.push({ type: 'debugger', key: debug, round });
    if (!effects.has(`${debug}/review`)) continue;
    review = `${debug}/review`;
    events.push({ type: 'reviewer', key: review, round });
  }
  for (let round = 1; effects.has(`${name}/integrate#${round}/prepare`); round += 1) {
    events.push({ type: 'merge', key: `${name}/integrate#${round}`, round });
  }
  return events;
}

/** What a module's keys begin with: `m3`, and `m3@2` when it was built again on another head. */
export function generationsOf({ state: { effects } }: Chronicle, module: string): string[] {
  const scope = fixScope(module);
  // In runs of the first version what mends has its keys beside its task's, not below.
  const name = scope !== undefined && effects.has(`${scope}/${module}/base`) ? `${scope}/${module}` : module;
  const names = [name];
  for (let next = 2; effects.has(`${name}@${next}/base`); next += 1) names.push(`${name}@${next}`);
  return names;
}

/** A module's record: those of the plan by their id, those that mend the final review's findings below its round. */
export function recordOf({ state }: Chronicle, module: string): TaskRecord | undefined {
  const scope = fixScope(module);
  return state.tasks.get(module) ?? (scope === undefined ? undefined : scoped(state, scope, module));
}

/** Where what mends the final review's findings is scheduled; undefined for modules of the plan. */
function fixScope(module: string): string | undefined {
  const round = /^F(\d+)-\d+$/.exec(module)?.[1];
  return round === undefined ? undefined : `final/fix#${round}`;
}

/** Ids of the small modules of one round that mend what the final review found. */
export function fixesOf({ state }: Chronicle, round: number): string[] {
  const scope = `final/fix#${round}`;
  return [...state.tasks].flatMap(([key, { task }]) =>
    key === `${scope}/${task}` || key === `${scope}${task}` ? [task] : [],
  );
}

/** Whether a task is one of the final review's lenses. */
export function isLens(key: string): boolean {
  return lensRound(key) !== undefined;
}

export function lensRound(key: string): number | undefined {
  const round = /^final\/review#(\d+)\/?[A-Z]$/.exec(key)?.[1];
  return round === undefined ? undefined : Number(round);
}

/** A task that was scheduled below a scope, which is put before its id with a slash or without. */
function scoped({ tasks }: Chronicle['state'], scope: string, id: string): TaskRecord | undefined {
  return tasks.get(`${scope}/${id}`) ?? tasks.get(`${scope}${id}`);
}

/** How many times the whole was reviewed, or is being. */
export function reviewRounds({ state }: Chronicle): number {
  let rounds = 0;
  while (state.effects.has(`final/diff#${rounds + 1}`)) rounds += 1;
  return rounds;
}

export interface FinalRound extends Aggregated {
  /** Lenses that never gave a usable answer. */
  readonly missing: readonly string[];
}

/** What a round of the final review came to; undefined while a lens is still at work. */
export function finalRound(chronicle: Chronicle, round: number): FinalRound | undefined {
  const ended = lensNames.map((lens) => ({
    lens,
    outcome: scoped(chronicle.state, `final/review#${round}`, lens)?.outcome,
    reply: replyOf(lastReading(chronicle, `final/review#${round}/${lens}`), 'auditor'),
  }));
  if (ended.some(({ outcome }) => outcome === undefined)) return undefined;
  const found = aggregateFindings(
    ended.map(({ lens, reply }) => ({ lens, findings: reply?.findings ?? [] })),
    (chronicle.state.plan?.tasks ?? []).flatMap((task) => task.writes),
  );
  return {
    ...withUnmended(round === 1 ? undefined : finalRound(chronicle, round - 1), found),
    missing: ended.filter(({ outcome }) => outcome?.status !== 'done').map(({ lens }) => lens),
  };
}

/** Each of them mends one file: known by the findings it was made from, as the workflow makes it. */
export function fixFile(chronicle: Chronicle, id: string): string | undefined {
  const [, round, number] = /^F(\d+)-(\d+)$/.exec(id) ?? [];
  const found = round === undefined ? undefined : finalRound(chronicle, Number(round));
  return mendableFiles(found?.mustFix ?? [])[Number(number) - 1];
}

export function fixTitle(chronicle: Chronicle, id: string): string {
  const file = fixFile(chronicle, id);
  return file === undefined ? 'Mend what was found' : `Mend ${file}`;
}

/** What a module is called: in the plan, or by what it mends. */
export function moduleTitle(chronicle: Chronicle, id: string): string {
  const tasks = chronicle.state.plan?.tasks ?? chronicle.modules?.plan.tasks ?? [];
  return tasks.find((task) => task.id === id)?.title ?? fixTitle(chronicle, id);
}
