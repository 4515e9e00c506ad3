/** A process with a meter of its own, as Forge is one: asks the provider at that address once and says what came of it. */
import { openMeteringProxy } from '../../../src/agents/meter/proxy.ts';
import { fund, post, wires } from './provider.ts';

const { body, path } = wires.anthropic;
const proxy = await openMeteringProxy();
const { purse } = await fund({ usd: 100 });
const lease = proxy.lease({ wire: 'anthropic', upstream: process.argv[2] ?? '', key: 'real-key-0123456789', purse });
const { status, body: answer } = await post(lease.url, body, { path });
await lease.close();
const spent = purse.spent();
await proxy.close();
process.stdout.write(
  JSON.stringify({ status, answer: answer.toString(), usage: lease.usage(), trouble: lease.trouble(), spent }),
);
