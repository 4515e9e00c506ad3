/**
 * One job's share of its run's budget, from which its model requests are paid. A request first sets aside the most
 * it can cost and then pays what it did cost; the share grows from the run's ledger when it is too small and gives
 * back what it grew by when another job needs it. What a purse paid and has set aside is always covered by the
 * job's reservation in the ledger. What a provider charged counts in full, also beyond what was set aside and beyond
 * the limits: the run is then overdrawn, and nothing more is paid for.
 */
import {
  type Amount,
  addAmounts,
  coversAmount,
  emptyAmount,
  largestAmount,
  subtractAmount,
} from '../../policy/amount.ts';
import type { Refusal } from '../../policy/budget.ts';
import type { SharedLedger } from './shared-ledger.ts';

/** What one request has set aside. */
export interface Deposit {
  readonly amount: Amount;
  /** Pays and gives the rest back. More than was set aside is charged too. */
  pay(actual: Amount): Promise<Amount>;
}

/** What pays for one job's requests. */
export interface JobPurse {
  spent(): Amount;
  /** The limit that refused last. */
  refusal(): Refusal | undefined;
  /** The limit that was passed by what a provider charged. */
  overdraft(): Refusal | undefined;
  /** What one more request could set aside at most, now; absent measures are unlimited. */
  room(): Amount;
  /** Waits while other requests of the run may give something back; undefined when it does not fit. */
  reserve(most: Amount, signal: AbortSignal): Promise<Deposit | undefined>;
}

export class AllotmentPurse implements JobPurse {
  readonly #ledger: SharedLedger;
  readonly #id: string;
  /** What the job was given at its start stays with it. */
  #allotment: Amount;
  #spent: Amount = emptyAmount;
  #deposits: Amount = emptyAmount;
  #refusal: Refusal | undefined;
  #closed = false;

  /** The job's reservation must be open in the ledger. */
  constructor(ledger: SharedLedger, id: string) {
    this.#ledger = ledger;
    this.#id = id;
    this.#allotment = ledger.hold(id, {
      needed: () => largestAmount(this.#allotment, this.#inUse()),
      surrender: () => {
        this.#allotment = emptyAmount;
      },
    });
  }

  spent(): Amount {
    return this.#spent;
  }

  refusal(): Refusal | undefined {
    return this.#refusal;
  }

  overdraft(): Refusal | undefined {
    return this.#ledger.overdraft(this.#id);
  }

  room(): Amount {
    const reach = this.#ledger.reach(this.#id);
    const used = this.#inUse();
    return Object.fromEntries(
      Object.entries(reach).map(([measure, most]) => [
        measure,
        Math.max(0, (most ?? 0) - (used[measure as keyof Amount] ?? 0)),
      ]),
    );
  }

  async reserve(most: Amount, signal: AbortSignal): Promise<Deposit | undefined> {
    do {
      if (this.#closed || signal.aborted) return undefined;
      const refusal = await this.#setAside(most);
      if (refusal === undefined) return this.#deposit(most);
      this.#refusal = this.#inWords(refusal, most);
    } while (await this.#ledger.somethingReturned(signal));
    return undefined;
  }

  /** Settles the job: what its requests cost, and what is counted elsewhere, such as minutes. */
  async close(besides: Amount = emptyAmount): Promise<Amount> {
    this.#closed = true;
    const total = addAmounts(this.#inUse(), besides);
    await this.#ledger.settle(this.#id, total);
    return total;
  }

  /** What the job still has is left to it, although nobody else can have it. */
  #inWords(refusal: Refusal, most: Amount): Refusal {
    const { measure } = refusal;
    if (refusal.over !== undefined) return refusal;
    return { ...refusal, left: this.room()[measure] ?? refusal.left, needed: most[measure] ?? refusal.needed };
  }

  async #setAside(most: Amount): Promise<Refusal | undefined> {
    // Counted before anything is awaited: two requests at once must not both count on the same money.
    this.#deposits = addAmounts(this.#deposits, most);
    const { refusal, recorded } = this.#ledger.cover(this.#id, this.#inUse());
    if (refusal !== undefined) this.#deposits = subtractAmount(this.#deposits, most);
    await recorded;
    if (refusal === undefined) await this.#ledger.draw(this.#id, this.#inUse());
    return refusal;
  }

  #deposit(amount: Amount): Deposit {
    const ended = this.#ledger.requestUnderWay();
    let paid: Promise<Amount> | undefined;
    return {
      amount,
      pay: (actual) => {
        paid ??= this.#pay(amount, actual)
          .finally(ended)
          .then(async (charged) => {
            await this.#ledger.draw(this.#id, this.#inUse());
            return charged;
          });
        return paid;
      },
    };
  }

  async #pay(deposit: Amount, actual: Amount): Promise<Amount> {
    if (coversAmount(deposit, actual)) return this.#charge(deposit, actual);
    const excess = subtractAmount(actual, deposit);
    this.#deposits = addAmounts(this.#deposits, excess);
    const recorded = this.#ledger.overdraw(this.#id, this.#inUse());
    this.#deposits = subtractAmount(this.#deposits, excess);
    const charged = this.#charge(deposit, actual);
    this.#refusal = this.overdraft() ?? this.#refusal;
    await recorded;
    return charged;
  }

  #charge(deposit: Amount, actual: Amount): Amount {
    this.#deposits = subtractAmount(this.#deposits, deposit);
    this.#spent = addAmounts(this.#spent, actual);
    return actual;
  }

  #inUse(): Amount {
    return addAmounts(this.#spent, this.#deposits);
  }
}
