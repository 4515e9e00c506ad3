/**
 * The one metering proxy of a process, opened when the first agent that can be metered needs it, and what providers said
 * about how much of an account's window is used.
 */
import type { UsageBook } from '../accounts/usage-book.ts';
import type { Meter } from '../agents/agent.ts';
import type { MeteringProxy } from '../agents/meter/proxy.ts';
import type { JobPurse } from '../agents/meter/purse.ts';
import type { ConfiguredAgent } from '../agents/open-agent.ts';
import type { Refusal } from '../policy/budget.ts';
import { refusalText } from '../policy/budget-settings.ts';
import type { PriceSettings } from '../policy/prices.ts';
import type { UsageWindow } from '../policy/usage-threshold.ts';

export interface LeasedMeter extends Meter {
  /** Why the run's budget refused a request, if it did, in words, and whose limit it was. */
  refusal(): { readonly text: string; readonly level: Refusal['level'] } | undefined;
  /** Models whose price is not known: their dollars are not counted. */
  unpriced(): readonly string[];
  close(): Promise<void>;
}

export interface Metering {
  /** Undefined for an agent whose requests cannot be metered. */
  lease(agent: ConfiguredAgent, purse: JobPurse, prices: PriceSettings): Promise<LeasedMeter | undefined>;
  windows(account: string): readonly UsageWindow[];
  /** What an agent said about its account. */
  note(account: string, windows: readonly UsageWindow[]): void;
}

/** `book` shares what is known with other runs of this user. */
export function openMetering(book?: UsageBook): Metering {
  const own = new Map<string, readonly UsageWindow[]>();
  const note = (account: string, windows: readonly UsageWindow[]): void => {
    const kept = (own.get(account) ?? []).filter(({ window }) => windows.every((one) => one.window !== window));
    own.set(account, [...kept, ...windows]);
    book?.note(account, windows, Date.now());
  };
  let opened: Promise<MeteringProxy> | undefined;
  return {
    async lease({ metered, account }, purse, prices) {
      if (metered === undefined) return undefined;
      opened ??= openProxy();
      const lease = (await opened).lease({ ...metered, purse, prices });
      return {
        url: lease.url,
        key: lease.key,
        usage: () => lease.usage(),
        trouble: () => lease.trouble(),
        unpriced: () => lease.unpriced(),
        refusal() {
          const refusal = lease.trouble()?.code === 'limit_reached' ? purse.refusal() : undefined;
          return refusal === undefined ? undefined : { text: refusalText(refusal), level: refusal.level };
        },
        async close() {
          if (lease.windows().length > 0) note(account, lease.windows());
          await lease.close();
        },
      };
    },
    windows: (account) => book?.windows(account, Date.now()) ?? own.get(account) ?? [],
    note,
  };
}

/** It must not keep the process alive when all work is done. */
async function openProxy(): Promise<MeteringProxy> {
  const { openMeteringProxy } = await import('../agents/meter/proxy.ts');
  const proxy = await openMeteringProxy();
  proxy.unref();
  return proxy;
}
