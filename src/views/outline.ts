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
export type Outline = Map<string, OutlineEntry[]>;

export function advanceOutline(outline: Outline, state: RunState, fact: Fact): void {
  const { key, seq, type } = fact;
  if (type === 'step.started') add(outline, fact.data.within, { type: 'step', key, seq });
  if (type === 'task.started') add(outline, fact.data.within, { type: 'task', key, seq });
  if (type === 'question.asked') add(outline, fact.data.within, { type: 'question', key, seq });
  // A later attempt at the same work is the same entry.
  const isFirst = type === 'effect.started' && state.effects.get(key)?.startedSeq === seq;
  if (isFirst) add(outline, fact.data.within ?? ownerPlace(state, key), { type: 'effect', key, seq });
}

/** Journals from before there were places: what a key begins with says which task it is of. */
function ownerPlace({ tasks }: RunState, key: string): Place | undefined {
  const owner = ownerOf(key, tasks);
  return owner === undefined ? undefined : { type: 'task', key: owner };
}

/** What hangs directly below a step, a task or (without a place) the run, as far as it still counts. */
export function entriesAt(outline: Outline, state: RunState, place: Place | undefined): readonly OutlineEntry[] {
  return (outline.get(placeId(place)) ?? []).filter(({ type, key, seq }) => startOf(state, type, key) === seq);
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
    .map(({ type, key }) => (type === 'task' ? taskTitle(state, key) : (state.steps.get(key)?.title ?? key)))
    .join(' › ');
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

function add(outline: Outline, place: Place | undefined, entry: OutlineEntry): void {
  const id = placeId(place);
  const entries = outline.get(id);
  if (entries === undefined) outline.set(id, [entry]);
  else entries.push(entry);
}

function placeId(place: Place | undefined): string {
  return place === undefined ? '' : `${place.type} ${place.key}`;
}
