/**
 * The ledger of a run while it runs: shared by its jobs, changed at once in memory and recorded before anyone may
 * rely on it. A job whose request does not fit asks the others for what they hold without need and waits while
 * requests are under way that may give something back; when none is, there is nothing to wait for.
 */
import {
  type Amount,
  addAmounts,
  coversAmount,
  emptyAmount,
  type Measure,
  subtractAmount,
} from '../../policy/amount.ts';
import {
  applyEntry,
  extendReservation,
  type Ledger,
  overdraftFor,
  type Refusal,
  type ReservationRequest,
  reserveBudget,
  roomFor,
  shrinkReservation,
} from '../../policy/budget.ts';
import type { BudgetEntry } from '../../policy/budget-schemas.ts';

/** Makes an entry durable. What it describes is relied on only afterwards. */
export type RecordEntry = (entry: BudgetEntry) => Promise<void>;

export type GrantedReservation =
  | { readonly ok: true; readonly granted: Amount }
  | { readonly ok: false; readonly refusal: Refusal };

export interface CoveredReservation {
  readonly refusal: Refusal | undefined;
  readonly recorded: Promise<void>;
}

/** Who holds a reservation: knows how much of it is needed still. */
export interface ReservationHolder {
  needed(): Amount;
  /** From now on only what is in use is needed. */
  surrender(): void;
}

export class SharedLedger {
  #ledger: Ledger;
  readonly #record: RecordEntry;
  readonly #holders = new Map<string, ReservationHolder>();
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  constructor(ledger: Ledger, record: RecordEntry = async () => {}) {
    this.#ledger = ledger;
    this.#record = record;
  }

  ledger(): Ledger {
    return this.#ledger;
  }

  async reserve(request: ReservationRequest): Promise<GrantedReservation> {
    const first = reserveBudget(this.#ledger, request);
    const enough = first.ok && coversAmount(first.granted, request.want);
    const returned = enough ? [] : this.#reclaim(request.id);
    const result = enough ? first : reserveBudget(this.#ledger, request);
    if (result.ok) this.#ledger = result.ledger;
    await this.#recordAll(returned);
    if (!result.ok) return result;
    const { id, role, task, metered } = request;
    await this.#record({
      type: 'reserved',
      id,
      role,
      ...(task === undefined ? {} : { task }),
      amount: result.granted,
      ...(metered === true ? { metered } : {}),
    });
    return { ok: true, granted: result.granted };
  }

  /** What the requests of this reservation used and may still use: so much is lost if the process dies now. */
  async draw(id: string, amount: Amount): Promise<void> {
    if (this.#ledger.open.get(id)?.drawn === undefined) return;
    if (!this.#isLimited(id, amount)) return;
    const entry: BudgetEntry = { type: 'drawn', id, amount: addAmounts(amount, emptyAmount) };
    this.#ledger = applyEntry(this.#ledger, entry);
    await this.#record(entry);
  }

  async settle(id: string, actual: Amount): Promise<void> {
    await this.#end({ type: 'settled', id, amount: addAmounts(actual, emptyAmount) });
  }

  async forfeit(id: string): Promise<void> {
    await this.#end({ type: 'forfeited', id });
  }

  /** From now on surplus of this reservation can be asked for. */
  hold(id: string, holder: ReservationHolder): Amount {
    this.#holders.set(id, holder);
    return this.held(id);
  }

  held(id: string): Amount {
    return this.#ledger.open.get(id)?.amount ?? emptyAmount;
  }

  /** What this reservation could grow to if nobody else gives anything back; absent measures are unlimited. */
  reach(id: string): Amount {
    const held = this.#ledger.open.get(id);
    if (held === undefined) return emptyAmount;
    const room = roomFor(this.#ledger, held);
    return Object.fromEntries(
      Object.entries(room).map(([measure, left]) => [measure, (left ?? 0) + (held.amount[measure as Measure] ?? 0)]),
    );
  }

  /**
   * Makes the reservation cover `total`. Decided at once, so that nobody counts on what another was just given; relied
   * on when it is recorded.
   */
  cover(id: string, total: Amount): CoveredReservation {
    const missing = subtractAmount(total, this.held(id));
    if (coversAmount(emptyAmount, missing)) return { refusal: undefined, recorded: Promise.resolve() };
    const spentUp = this.overdraft(id);
    if (spentUp !== undefined) return { refusal: spentUp, recorded: Promise.resolve() };
    const wish = { want: missing, min: missing };
    const first = extendReservation(this.#ledger, id, wish);
    const returned = first.ok ? [] : this.#reclaim(id);
    const result = first.ok ? first : extendReservation(this.#ledger, id, wish);
    if (result.ok) this.#ledger = result.ledger;
    // What has no limit need not survive: it would be a line in the journal for every request.
    const grown: readonly BudgetEntry[] = result.ok && this.#isLimited(id, missing) ? [this.#resized(id)] : [];
    return { refusal: result.ok ? undefined : result.refusal, recorded: this.#recordAll([...returned, ...grown]) };
  }

  /** Has the reservation cover `total` whatever the limits say: it was charged. Others keep only what they have in use. */
  async overdraw(id: string, total: Amount): Promise<void> {
    const fitted = this.cover(id, total);
    if (fitted.refusal === undefined) return fitted.recorded;
    const others = [...this.#holders].filter(([other]) => other !== id);
    for (const [, holder] of others) holder.surrender();
    const returned = this.#reclaim(id);
    const again = this.cover(id, total);
    if (again.refusal !== undefined) this.#ledger = applyEntry(this.#ledger, { ...this.#resized(id), amount: total });
    await fitted.recorded;
    await this.#recordAll([...returned, ...(again.refusal === undefined ? [] : [this.#resized(id)])]);
    await again.recorded;
  }

  /** The limit of this reservation's that is passed. */
  overdraft(id: string): Refusal | undefined {
    const held = this.#ledger.open.get(id);
    return held === undefined ? undefined : overdraftFor(this.#ledger, held);
  }

  /** A request was sent: until the returned function is called, others may hope for what it does not use. */
  requestUnderWay(): () => void {
    this.#underWay += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#underWay -= 1;
      this.#wake();
    };
  }

  /** Whether something came back that is worth another try. */
  async somethingReturned(signal: AbortSignal): Promise<boolean> {
    if (this.#underWay === 0 || signal.aborted) return false;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
    return !signal.aborted;
  }

  async #end(entry: Extract<BudgetEntry, { type: 'settled' | 'forfeited' }>): Promise<void> {
    this.#holders.delete(entry.id);
    if (!this.#ledger.open.has(entry.id)) return;
    this.#ledger = applyEntry(this.#ledger, entry);
    this.#wake();
    await this.#record(entry);
  }

  #resized(id: string): BudgetEntry & { type: 'resized' } {
    return { type: 'resized', id, amount: this.held(id) };
  }

  #isLimited(id: string, amount: Amount): boolean {
    return Object.keys(this.reach(id)).some((measure) => amount[measure as Measure] !== undefined);
  }

  #reclaim(forWhom: string): readonly BudgetEntry[] {
    return [...this.#holders].flatMap(([id, holder]): BudgetEntry[] => {
      const needed = holder.needed();
      if (id === forWhom || coversAmount(needed, this.held(id))) return [];
      this.#ledger = shrinkReservation(this.#ledger, id, needed);
      return [this.#resized(id)];
    });
  }

  async #recordAll(entries: readonly BudgetEntry[]): Promise<void> {
    for (const entry of entries) await this.#record(entry);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
