/**
 * How much of the meter one job may take up: requests in all, in a minute, at once and waiting, and the bytes of their
 * bodies. The bounds are far above what any agent needs; they end loops and floods. Who waits is let in in order.
 */
export interface RequestBounds {
  readonly requests: number;
  readonly perMinute: number;
  readonly atOnce: number;
  readonly waiting: number;
  readonly bodyBytes: number;
  /** Without a byte from the provider. */
  readonly silenceMs: number;
  readonly longestMs: number;
}

export const usualBounds: RequestBounds = {
  requests: 20_000,
  perMinute: 600,
  atOnce: 16,
  waiting: 64,
  bodyBytes: 128 * 1024 * 1024,
  silenceMs: 15 * 60_000,
  longestMs: 2 * 60 * 60_000,
};

export type GateEntry =
  | { readonly ok: true; readonly place: GatePlace }
  /** `later`: it may be tried again. */
  | { readonly ok: false; readonly later: boolean; readonly sentence: string };

export interface GatePlace {
  /** Whether so many bytes more can be held for this request. */
  claim(bytes: number): boolean;
  leave(): void;
}

export class RequestGate {
  readonly bounds: RequestBounds;
  readonly #now: () => number;
  #entered = 0;
  #recent: number[] = [];
  #atOnce = 0;
  #bytes = 0;
  readonly #queue: (() => void)[] = [];

  constructor(bounds: RequestBounds = usualBounds, now: () => number = () => performance.now()) {
    this.bounds = bounds;
    this.#now = now;
  }

  async enter(): Promise<GateEntry> {
    const { requests, perMinute, atOnce, waiting } = this.bounds;
    if (this.#entered >= requests)
      return {
        ok: false,
        later: false,
        sentence: `This job has made ${requests} requests, the most the meter allows.`,
      };
    const now = this.#now();
    this.#recent = this.#recent.filter((at) => now - at < 60_000);
    if (this.#recent.length >= perMinute)
      return { ok: false, later: true, sentence: `This job makes more than ${perMinute} requests in a minute.` };
    if (this.#atOnce >= atOnce && this.#queue.length >= waiting)
      return { ok: false, later: true, sentence: `This job makes more than ${atOnce + waiting} requests at once.` };
    this.#entered += 1;
    this.#recent.push(now);
    if (this.#atOnce < atOnce) this.#atOnce += 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    return { ok: true, place: this.#place() };
  }

  #place(): GatePlace {
    let held = 0;
    let left = false;
    return {
      claim: (bytes) => {
        if (this.#bytes + bytes > this.bounds.bodyBytes) return false;
        held += bytes;
        this.#bytes += bytes;
        return true;
      },
      leave: () => {
        if (left) return;
        left = true;
        this.#bytes -= held;
        const next = this.#queue.shift();
        // Whoever waits takes the place over.
        if (next === undefined) this.#atOnce -= 1;
        else next();
      },
    };
  }
}
