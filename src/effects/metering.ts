/**
 * The one metering proxy of a process, opened when the first agent that can be metered needs it, and what providers said
 * about how much of an account's window is used.
 */
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
  /** Undefined for an agent whose requests can not be metered. */
  lease(agent: ConfiguredAgent, purse: JobPurse, prices: PriceSettings): Promise<LeasedMeter | undefined>;
  windows(account: string): readonly UsageWindow[];
}

export function openMetering(): Metering {
  const windows = new Map<string, readonly UsageWindow[]>();
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
          if (lease.windows().length > 0) windows.set(account, lease.windows());
          await lease.close();
        },
      };
    },
    windows: (account) => windows.get(account) ?? [],
  };
}

/** It must not keep the process alive when all work is done. */
async function openProxy(): Promise<MeteringProxy> {
  const { openMeteringProxy } = await import('../agents/meter/proxy.ts');
  const proxy = await openMeteringProxy();
  proxy.unref();
  return proxy;
}
