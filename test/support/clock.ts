/** A clock that only moves when asked: one second per reading, ids counted up. */
import type { Clock } from '../../src/engine/clock.ts';

export function countingClock(start = '2026-01-01T00:00:00.000Z'): Clock {
  let time = Date.parse(start);
  let ids = 0;
  return {
    now: () => {
      time += 1000;
      return new Date(time);
    },
    id: () => {
      ids += 1;
      return `id-${String(ids).padStart(6, '0')}`;
    },
  };
}
