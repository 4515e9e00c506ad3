/** How many requests are taken: a bucket that fills at a steady pace. For everybody together: there is one user. */

export class RateLimit {
  readonly #perSecond: number;
  readonly #most: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor({ perSecond, burst }: { perSecond: number; burst: number }, now: () => number = Date.now) {
    this.#perSecond = perSecond;
    this.#most = burst;
    this.#now = now;
    this.#left = burst;
    this.#at = now();
  }

  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
