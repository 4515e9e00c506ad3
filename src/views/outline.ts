/**
 * Which steps, tasks, effects and questions hang below which step or task, in the order they started. Advanced fact by
 * fact, so that drawing a run costs what is drawn. An entry whose record was taken back is skipped when it is read.
 */
import type { Fact, Place } from '../engine/facts.ts';
import { ownerOf } from '../engine/reopen.ts';
import type { RunState } from '../engine/run-state.ts';

export interface OutlineEntry {
  readonly type: 'step' | 'task' | 'effect' | 'question';
  readonly key: string;
  /** The fact it started with. */
  readonly seq: number;
}

/** By place: see `placeId`. */
export interface Outline {
  readonly started: Map<string, OutlineEntry[]>;
  /** Keys of the tasks that a schedule holds there, in its order. */
  readonly scheduled: Map<string, string[]>;
  /** Keys of the steps that were announced there. */
  readonly announced: Map<string, string[]>;
}

export function emptyOutline(): Outline {
  return { started: new Map(), scheduled: new Map(), announced: new Map() };
}

export function advanceOutline({ started, scheduled, announced }: Outline, state: RunState, fact: Fact): void {
  const { key, seq, type } = fact;
  if (type === 'step.started') add(started, fact.data.within, { type: 'step', key, seq });
  if (type === 'task.started') add(started, fact.data.within, { type: 'task', key, seq });
  if (type === 'question.asked') add(started, fact.data.within, { type: 'question', key, seq });
  if (type === 'tasks.scheduled')
    for (const { id } of fact.data.tasks) add(scheduled, fact.data.within, fact.data.scope + id);
  if (type === 'steps.announced') for (const step of fact.data.steps) add(announced, fact.data.within, step.key);
  // A later attempt at the same work is the same entry.
  const isFirst = type === 'effect.started' && state.effects.get(key)?.startedSeq === seq;
  if (isFirst) add(started, placeOfEffect(state, key), { type: 'effect', key, seq });
}

/** Where an effect was asked for. In journals from before there were places, its key says which task it is of. */
export function placeOfEffect({ effects, tasks }: RunState, key: string): Place | undefined {
  const within = effects.get(key)?.within;
  if (within !== undefined) return within;
  const owner = ownerOf(key, tasks);
  return owner === undefined ? undefined : { type: 'task', key: owner };
}

/** What hangs directly below a step, a task or (without a place) the run, as far as it still counts. */
export function entriesAt({ started }: Outline, state: RunState, place: Place | undefined): readonly OutlineEntry[] {
  return (started.get(placeId(place)) ?? []).filter(({ type, key, seq }) => startOf(state, type, key) === seq);
}

/** The steps and tasks around an entry, outermost first. */
export function placesAround(state: RunState, place: Place | undefined): readonly Place[] {
  const places: Place[] = [];
  for (let at = place; at !== undefined; ) {
    places.unshift(at);
    at = (at.type === 'step' ? state.steps.get(at.key) : state.tasks.get(at.key))?.within;
  }
  return places;
}

/** `T1 Add a parser`, or what the workflow calls it. */
export function taskTitle({ scheduled, tasks }: RunState, key: string): string {
  return scheduled.get(key)?.title ?? tasks.get(key)?.task ?? key;
}

/** The titles of everything around a place and of itself: `Wave 1/2 › Round 1 › developer`. */
export function pathTitle(state: RunState, place: Place): string {
  return placesAround(state, place)
    .map((one) => placeTitle(state, one))
    .join(' › ');
}

export function placeTitle(state: RunState, { type, key }: Place): string {
  return type === 'task' ? taskTitle(state, key) : (state.steps.get(key)?.title ?? key);
}

/** The piece of work that something belongs to: the innermost task around it that changes files, else the outermost step. */
export function ownerPlace(state: RunState, place: Place | undefined): Place | undefined {
  const around = placesAround(state, place);
  const isWork = ({ type, key }: Place): boolean => type === 'task' && state.scheduled.get(key)?.readOnly !== true;
  return around.findLast(isWork) ?? around[0];
}

function startOf(state: RunState, type: OutlineEntry['type'], key: string): number | undefined {
  switch (type) {
    case 'step':
      return state.steps.get(key)?.startedSeq;
    case 'task':
      return state.tasks.get(key)?.startedSeq;
    case 'effect':
      return state.effects.get(key)?.startedSeq;
    case 'question':
      return state.questions.get(key)?.askedSeq;
  }
}

function add<T>(lists: Map<string, T[]>, place: Place | undefined, entry: T): void {
  const id = placeId(place);
  const entries = lists.get(id);
  if (entries === undefined) lists.set(id, [entry]);
  else entries.push(entry);
}

export function placeId(place: Place | undefined): string {
  return place === undefined ? '' : `${place.type} ${place.key}`;
}
