/**
 * What a run may use up, held by one process while it runs: a dispatch sets its allotment aside before it starts and settles when it is
 * over; every step is a fact, so that a resumed run knows what is left. A dispatch that does not fit waits while others
 * hold something that they may give back. What a process held that is gone counts as used, but for what a meter counted.
 */
import { SharedLedger } from '../agents/meter/shared-ledger.ts';
import { AllotmentPurse } from '../agents/meter/purse.ts';
import type { EffectContext } from '../engine/performer.ts';
import type { RunSnapshot } from '../engine/run-snapshot.ts';
import { ForgeError } from '../errors.ts';
import { openLedger, type Refusal, type ReservationRequest } from '../policy/budget.ts';
import type { BudgetEntry } from '../policy/budget-schemas.ts';
import { limitsFrom, refusalText } from '../policy/budget-settings.ts';
import type { Settings } from '../policy/settings.ts';
import type { BudgetLimits, BudgetShare, ShareContext } from './shared-limits.ts';

export class RunBudget implements BudgetLimits {
  readonly #settings: Settings;
  readonly #progress = new Map<string, EffectContext['progress']>();
  readonly #waiting = new Set<() => void>();
  readonly #mentioned = new Set<string>();
  #ledger: SharedLedger | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async share(request: ReservationRequest, context: ShareContext): Promise<BudgetShare> {
    const ledger = this.#open(context.snapshot);
    const { id } = request;
    for (let hasNoted = false; ; hasNoted = true) {
      this.#progress.set(id, context.progress);
      const granted = await ledger.reserve(request);
      if (granted.ok) return this.#shareOf(ledger, id);
      this.#progress.delete(id);
      if (this.#progress.size === 0) throw budgetError(granted.refusal);
      if (!hasNoted) context.progress({ note: 'waiting for a part of the budget that other work holds' });
      await this.#somethingReturned(context.signal);
      context.signal.throwIfAborted();
    }
  }

  /** Whether this is the first word about it in this process. */
  isNews(matter: string): boolean {
    return this.#mentioned.size < this.#mentioned.add(matter).size;
  }

  #shareOf(ledger: SharedLedger, id: string): BudgetShare {
    const purse = new AllotmentPurse(ledger, id);
    const ending = async (end: Promise<unknown>): Promise<void> => {
      try {
        await end;
      } finally {
        this.#progress.delete(id);
        for (const wake of this.#waiting) wake();
      }
    };
    return {
      purse,
      closeMetered: (durationMs) => ending(purse.close({ minutes: durationMs / 60_000, attempts: 1 })),
      closeWith: (used, durationMs) =>
        ending(ledger.settle(id, { ...used, minutes: durationMs / 60_000, attempts: 1 })),
      forfeit: () => ending(ledger.forfeit(id)),
      release: () => ending(ledger.settle(id, {})),
    };
  }

  async #somethingReturned(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /** Opened when it is first needed: by then everything that was posted to the run is known. */
  #open({ raised, budget }: RunSnapshot): SharedLedger {
    const limits = limitsFrom(this.#settings.budget, raised);
    this.#ledger ??= new SharedLedger(openLedger(limits, budget), async (entry) => this.#record(entry));
    return this.#ledger;
  }

  #record(entry: BudgetEntry): void {
    this.#progress.get(entry.id)?.({ budget: entry });
  }
}

/** What a person can do about a limit of the run's own. */
export function budgetHint(level: Refusal['level']): string {
  return level === 'run'
    ? 'Nothing is lost. Go on with a higher limit: forge resume <run> --budget <limit>'
    : `Nothing is lost. Raise the limit below budget.${level === 'task' ? 'task' : 'roles'} in .forge/config.yaml, then resume the run.`;
}

function budgetError(refusal: Refusal): ForgeError {
  return new ForgeError('limit-reached', refusalText(refusal), { hint: budgetHint(refusal.level) });
}
