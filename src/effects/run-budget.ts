/**
 * What a run may use up, held while it runs: a dispatch sets its allotment aside before it starts and settles when it is
 * over; every step is a fact, so that a resumed run knows what is left. What a process held that is gone counts as used,
 * for nobody knows better.
 */
import { Account } from '../agents/meter/account.ts';
import { Purse } from '../agents/meter/purse.ts';
import type { EffectContext } from '../engine/performer.ts';
import type { RunState } from '../engine/run-state.ts';
import { ForgeError } from '../errors.ts';
import type { Usage } from '../policy/agent-outcome.ts';
import type { Amount } from '../policy/amount.ts';
import { type BudgetEntry, foldLedger, forfeit } from '../policy/budget.ts';
import { limitsFrom, refusalText } from '../policy/budget-settings.ts';
import type { Settings } from '../policy/settings.ts';

export interface ShareRequest {
  readonly id: string;
  readonly role: string;
  readonly task: string | undefined;
  readonly want: Amount;
  readonly min: Amount;
}

/** One dispatch's part of the budget. */
export interface Share {
  readonly purse: Purse;
  /** What its requests cost was counted by the meter; the rest is added. */
  closeMetered(durationMs: number): Promise<void>;
  closeWith(usage: Usage, durationMs: number): Promise<void>;
  /** Nobody knows what it used. */
  forfeit(): Promise<void>;
}

export class RunBudget {
  readonly #settings: Settings;
  readonly #progress = new Map<string, EffectContext['progress']>();
  #account: Account | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async share(request: ShareRequest, context: Pick<EffectContext, 'state' | 'progress'>): Promise<Share> {
    const account = this.#open(context.state);
    const { id } = request;
    this.#progress.set(id, context.progress);
    const granted = await account.reserve(request);
    if (!granted.ok) {
      this.#progress.delete(id);
      throw new ForgeError('limit-reached', `The budget does not allow more. ${refusalText(granted.refusal)}`, {
        hint: 'Nothing is lost. Go on with a higher limit: forge resume <run> --budget <limit>.',
      });
    }
    const purse = new Purse(account, id);
    const done = () => this.#progress.delete(id);
    return {
      purse,
      closeMetered: async (durationMs) => {
        await purse.close({ minutes: durationMs / 60_000, attempts: 1 });
        done();
      },
      closeWith: async (usage, durationMs) => {
        await account.settle(id, amountUsed(usage, durationMs));
        done();
      },
      forfeit: async () => {
        await account.forfeit(id);
        done();
      },
    };
  }

  /** Opened when it is first needed: by then everything that was posted to the run is known. */
  #open(state: Readonly<RunState>): Account {
    if (this.#account !== undefined) return this.#account;
    let ledger = foldLedger(limitsFrom(this.#settings.budget, state.raised), state.budget);
    for (const id of ledger.open.keys()) ledger = forfeit(ledger, id);
    this.#account = new Account(ledger, async (entry) => this.#record(entry));
    return this.#account;
  }

  #record(entry: BudgetEntry): void {
    this.#progress.get(entry.id)?.({ budget: entry });
  }
}

function amountUsed(usage: Usage, durationMs: number): Amount {
  return {
    usd: usage.costUsd,
    tokens: usage.inputTokens + usage.outputTokens,
    turns: usage.turns,
    minutes: durationMs / 60_000,
    attempts: 1,
  };
}
