/** `events.read`: what the store holds about sprints and bugs, oldest first. */
import type { EffectOutput } from '../engine/effect-map.ts';
import type { Performer } from '../engine/performer.ts';
import { listEvents } from '../store/event-files.ts';
import type { EffectDeps } from './deps.ts';

export function eventsRead({ storeRoot }: EffectDeps): Performer<'events.read'> {
  return {
    async perform({ directories }, { clock }) {
      const events = directories.flatMap((directory) => listEvents(storeRoot, directory));
      return { at: clock.now().toISOString(), events: events as EffectOutput<'events.read'>['events'] };
    },
  };
}
