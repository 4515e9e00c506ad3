/** What performers work with: the rooms of one run, opened by `compose`. */
import type { AgentDriver } from '../agents/agent.ts';
import type { Repository } from '../git/git.ts';
import type { Memory } from '../memory/memory-files.ts';
import type { Settings } from '../policy/settings.ts';
import type { Jail, NetworkPolicy } from '../process/jail.ts';
import type { Redactor } from '../process/redact.ts';

export interface EffectDeps {
  readonly repo: Repository;
  readonly jail: Jail;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly agent: (name: string) => ConfiguredAgent;
  readonly memory: Memory;
  /** What every job of a role is told first: its text and the schema of its result. */
  readonly roleText: (role: string, resultSchema: Readonly<Record<string, unknown>>) => Promise<string>;
}

export interface ConfiguredAgent {
  readonly driver: AgentDriver;
  readonly network: NetworkPolicy;
}
