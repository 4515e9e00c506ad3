/** What performers work with: the rooms of one run, opened by `compose`. */
import type { JobTool } from '../agents/agent.ts';
import type { EffectContext } from '../engine/performer.ts';
import type { Repository } from '../git/git.ts';
import type { Memory } from '../memory/memory-files.ts';
import type { Settings } from '../policy/settings.ts';
import type { Jail } from '../process/jail.ts';
import type { Redactor } from '../process/redact.ts';
import type { Role } from '../roles/role.ts';
import type { DispatchDeps } from './dispatch-agent.ts';

export interface EffectDeps {
  readonly repo: Repository;
  readonly jail: Jail;
  readonly settings: Settings;
  readonly redactor: Redactor;
  /** Values that agents were given and no commit may hold. */
  readonly secrets: readonly string[];
  /** How work reaches agents. */
  readonly dispatch: DispatchDeps;
  /** What Forge serves to a role while it works. */
  readonly tools: (role: string, context: EffectContext) => readonly JobTool[];
  readonly memory: Memory;
  /** The role's file; undefined for a role that only its workflow describes. */
  readonly role: (name: string) => Promise<Role | undefined>;
}
