/**
 * Limits that pieces of work share: usage limits of accounts and the budget of a run. What is here is all that effects
 * know of them, so that a store shared by several processes can take the place of what one process holds.
 */
import type { JobPurse } from '../agents/meter/purse.ts';
import type { EffectContext } from '../engine/performer.ts';
import type { Amount } from '../policy/amount.ts';
import type { ReservationRequest } from '../policy/budget.ts';

/** A provider's limit holds for an account: whoever uses the account waits for the same moment. */
export interface AccountLimits {
  close(account: string, until: number): void | Promise<void>;
  /** When the account may be used again; undefined where nothing is known against it now. */
  closedUntil(account: string, context: Pick<AccountWait, 'clock' | 'snapshot'>): number | undefined;
  /** Resolves when the account may be used; rejects with the signal's reason when interrupted. */
  pass(account: string, context: AccountWait): Promise<void>;
}

export type AccountWait = Pick<EffectContext, 'clock' | 'signal' | 'progress' | 'snapshot'>;

/** What a run may use up. */
export interface BudgetLimits {
  /** Sets a dispatch's part aside; waits while others may give something back, and rejects when it cannot fit. */
  share(request: ReservationRequest, context: ShareContext): Promise<BudgetShare>;
  /** Whether this is the first word about it in this process. */
  isNews(matter: string): boolean;
}

export type ShareContext = Pick<EffectContext, 'snapshot' | 'progress' | 'signal'>;

/** One dispatch's part of the budget. */
export interface BudgetShare {
  readonly purse: JobPurse;
  /** What its requests cost was counted by the meter; the rest is added. */
  closeMetered(durationMs: number): Promise<void>;
  closeWith(used: Amount, durationMs: number): Promise<void>;
  /** Nobody knows what it used. */
  forfeit(): Promise<void>;
  /** It was not used at all. */
  release(): Promise<void>;
}
