/** What performers work with: the rooms of one run, opened by `compose`. */
import type { AgentDriver } from '../agents/agent.ts';
import type { Repository } from '../git/git.ts';
import type { Settings } from '../policy/settings.ts';
import type { Jail, NetworkPolicy } from '../process/jail.ts';
import type { Redactor } from '../process/redact.ts';

export interface EffectDeps {
  readonly repo: Repository;
  readonly jail: Jail;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly agent: (name: string) => ConfiguredAgent;
}

export interface ConfiguredAgent {
  readonly driver: AgentDriver;
  readonly network: NetworkPolicy;
}
