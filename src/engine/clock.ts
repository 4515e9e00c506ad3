/** Time and ids, injected so that a test or a replay decides them. */
import { randomBytes } from 'node:crypto';

export interface Clock {
  now(): Date;
  /** A fresh id: sorts by creation within one clock. */
  id(): string;
}

export const systemClock: Clock = {
  now: () => new Date(),
  id: () => `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(5).toString('hex')}`,
};
