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
import type { ToolSet } from './role-tools.ts';

export interface EffectDeps {
  readonly repo: Repository;
  readonly jail: Jail;
  readonly settings: Settings;
  readonly redactor: Redactor;
  /** Values that agents were given and no commit may hold. */
  readonly secrets: readonly string[];
  /** How work reaches agents. */
  readonly dispatch: DispatchDeps;
  /** What Forge serves to a role while it works, and what the workflow wants besides. */
  readonly tools: (role: string, context: EffectContext, wanted?: readonly ToolSet[]) => readonly JobTool[];
  /** Whose models an agent uses, as far as the settings tell. */
  readonly providerOf: (agent: string) => string;
  /** The directory whose `.forge/store` holds the records of the run. */
  readonly storeRoot: string;
  /** Summary keys of the project's own phases, which its records may hold. */
  readonly ownPhases: readonly string[];
  readonly memory: Memory;
  /** The role's file; undefined for a role that only its workflow describes. */
  readonly role: (name: string) => Promise<Role | undefined>;
}
