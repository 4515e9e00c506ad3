/**
 * A provider's limit holds for an account, not for a job: whoever uses it waits for the same moment, and says so while
 * waiting. Nothing is lost by waiting; a run that is left meanwhile waits again when it is resumed.
 */
import { steadyClock } from '../agents/watchdog.ts';
import type { EffectContext } from '../engine/performer.ts';

/** A sleeping machine's timers are late, so the wall clock is looked at now and then. */
const lookAgainMs = 30_000;

export class AccountGates {
  readonly #closed = new Map<string, number>();

  close(account: string, until: number): void {
    this.#closed.set(account, Math.max(until, this.#closed.get(account) ?? 0));
  }

  /** Resolves when the account may be used; rejects with the signal's reason when interrupted. */
  async pass(account: string, context: Pick<EffectContext, 'clock' | 'signal' | 'progress'>): Promise<void> {
    const { clock, signal, progress } = context;
    for (let told = 0; ; ) {
      signal.throwIfAborted();
      const until = this.#closed.get(account) ?? 0;
      const left = until - clock.now().getTime();
      if (left <= 0) return;
      if (until !== told) {
        progress({ note: `waiting for the limit of ${account} until ${new Date(until).toISOString()}` });
        told = until;
      }
      await steadyClock.wait(Math.min(left, lookAgainMs), signal);
    }
  }
}
