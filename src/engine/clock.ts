/** Time and ids, injected so that a test or a replay decides them. */
import { randomBytes } from 'node:crypto';

export interface Clock {
  now(): Date;
  /** A fresh id: sorts by creation within one clock. */
  id(): string;
}

let lastId = 0;

export const systemClock: Clock = {
  now: () => new Date(),
  id: () => {
    // Microseconds by count: several ids of one millisecond, or after the clock was set back, still sort.
    lastId = Math.max(Date.now() * 1000, lastId + 1);
    return `${lastId.toString(36).padStart(11, '0')}-${randomBytes(5).toString('hex')}`;
  },
};
