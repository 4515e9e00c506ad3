/** A place to try agents in: a jail, and for each of them empty directories that are gone afterwards. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentProbe } from '../agents/acp/probe.ts';
import type { AcpProgram } from '../agents/acp/program.ts';
import type { NetworkPolicy } from '../process/jail.ts';
import { openJail } from '../process/open-jail.ts';
import { createRedactor } from '../process/redact.ts';

export interface AgentProbing {
  /** With no key and no variable of the person's; bounded in time. */
  probe(agent: AcpProgram, network: NetworkPolicy): Promise<AgentProbe>;
  close(): Promise<void>;
}

const timeMs = 20_000;

export async function openProbing(
  mode: 'auto' | 'none',
  env: Readonly<Record<string, string | undefined>>,
): Promise<AgentProbing> {
  const { jail } = await openJail({ mode });
  const root = await mkdtemp(join(tmpdir(), 'forge-agents-'));
  const redactor = createRedactor(env);
  let count = 0;
  return {
    async probe(agent, network) {
      count += 1;
      const [tree, home, tmp] = ['tree', 'home', 'tmp'].map((name) => join(root, String(count), name)) as [
        string,
        string,
        string,
      ];
      for (const directory of [tree, home, tmp]) await mkdir(directory, { recursive: true, mode: 0o700 });
      const { probeAgent } = await import('../agents/acp/probe.ts');
      const given = { PATH: env['PATH'] ?? '' };
      const place = { tree, home, tmp, jail, network, env: given, redactor, timeMs };
      return probeAgent(agent, place, new AbortController().signal);
    },
    close: () => rm(root, { recursive: true, force: true }),
  };
}
