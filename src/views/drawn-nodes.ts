/**
 * Nodes of a run that were drawn and can not have changed since: those of steps and tasks that ended, below which nothing
 * was recorded. A display that draws a long run again and again draws only what is new. A fact costs the depth of its
 * place; facts that say something about all of it forget everything.
 */
import type { Fact, Place } from '../engine/facts.ts';
import type { RunState } from '../engine/run-state.ts';
import { placeId, placeOfEffect, placesAround } from './outline.ts';
import type { ViewNode } from './view-node.ts';

export class DrawnNodes {
  readonly #nodes = new Map<string, ViewNode>();

  get(place: Place): ViewNode | undefined {
    return this.#nodes.get(placeId(place));
  }

  keep(place: Place, node: ViewNode): void {
    this.#nodes.set(placeId(place), node);
  }

  /** Takes a fact that the state knows already. */
  forget(state: RunState, fact: Fact): void {
    if (this.#nodes.size === 0) return;
    const place = placeOf(state, fact);
    if (place === 'everywhere') this.#nodes.clear();
    else for (const around of placesAround(state, place)) this.#nodes.delete(placeId(around));
    // It may have another title now.
    if (fact.type !== 'tasks.scheduled') return;
    for (const { id } of fact.data.tasks) this.#nodes.delete(placeId({ type: 'task', key: fact.data.scope + id }));
  }
}

/** Where a fact shows; undefined for one that shows at the run itself. */
function placeOf(state: RunState, fact: Fact): Place | undefined | 'everywhere' {
  const { type, key } = fact;
  if (type === 'step.started' || type === 'step.ended') return { type: 'step', key };
  if (type === 'task.started' || type === 'task.ended') return { type: 'task', key };
  if (type.startsWith('effect.')) return placeOfEffect(state, key);
  if (type === 'question.asked' || type === 'tasks.scheduled' || type === 'steps.announced') return fact.data.within;
  // A run that was opened, ended, taken back in parts: what was skipped may be to come again.
  return type === 'note.recorded' ? undefined : 'everywhere';
}
