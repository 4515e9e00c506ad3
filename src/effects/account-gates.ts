/**
 * A provider's limit holds for an account, not for a job: whoever uses it waits for the same moment, and says so while
 * waiting. Nothing is lost by waiting; a run that is left meanwhile waits on when it is resumed.
 */
import { steadyClock } from '../agents/watchdog.ts';
import type { AccountLimits, AccountWait } from './shared-limits.ts';

/** A sleeping machine's timers are late, so the wall clock is looked at now and then. */
const lookAgainMs = 5000;
/** A resumed run takes an earlier process's word for no longer: meanwhile the person may have done something about it. */
const believedMs = 10 * 60_000;

export class AccountGates implements AccountLimits {
  readonly #closed = new Map<string, number>();

  close(account: string, until: number): void {
    this.#closed.set(account, Math.max(until, this.#closed.get(account) ?? 0));
  }

  closedUntil(account: string, context: Pick<AccountWait, 'clock' | 'snapshot'>): number | undefined {
    const now = context.clock.now().getTime();
    const until = Math.max(this.#closed.get(account) ?? 0, recorded(context, account, now));
    return until > now ? until : undefined;
  }

  async pass(account: string, context: AccountWait): Promise<void> {
    const { clock, signal, progress } = context;
    for (let noted = 0; ; ) {
      signal.throwIfAborted();
      const now = clock.now().getTime();
      const until = Math.max(this.#closed.get(account) ?? 0, recorded(context, account, now));
      const left = until - now;
      if (left <= 0) return;
      if (until !== noted) {
        const at = new Date(until).toISOString();
        progress({ note: `waiting for the limit of ${account} until ${at}`, wait: { account, until: at } });
        noted = until;
      }
      await steadyClock.wait(Math.min(left, lookAgainMs), signal);
    }
  }
}

function recorded({ snapshot }: Pick<AccountWait, 'snapshot'>, account: string, now: number): number {
  const until = Date.parse(snapshot.waits.get(account) ?? '');
  return Number.isFinite(until) && until - now <= believedMs ? until : 0;
}
