/**
 * One contract for every worker: scripted, command, ACP, built in. A driver runs one job in one
 * workspace and returns how it ended. It never decides what happens next, never touches git, and leaves
 * no process behind.
 */
import type { AgentOutcome, Trouble } from '../policy/agent-outcome.ts';
import type { Usage } from '../policy/usage.ts';
import type { UsageWindow } from '../policy/usage-threshold.ts';
import type { Jail, JailPolicy } from '../process/jail.ts';
import type { ProcessIdentity } from '../process/process.ts';

export interface AgentJob {
  readonly run: string;
  /** The effect's key, e.g. `T3/develop#2`. */
  readonly key: string;
  readonly role: string;
  readonly task: string | undefined;
  /** 1-based, as the workflow counts attempts of this move. */
  readonly attempt: number;
  readonly prompt: string;
  /** JSON Schema of the result the role must give, for agents that can be told. */
  readonly resultSchema: Readonly<Record<string, unknown>>;
  readonly workspace: JobWorkspace;
  /** An earlier session of the same agent to continue, if the driver can. */
  readonly session: string | undefined;
  readonly limits: { readonly wallMs: number; readonly idleMs: number; readonly outputBytes: number };
  /** What the role may do with its workspace; write when left out. */
  readonly access?: 'write' | 'read';
  /** As the agent's provider names it; the agent's own default when left out. */
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly thinking?: 'adaptive' | 'disabled' | undefined;
  /** What Forge serves to this role while it works, besides `submit_result`. */
  readonly tools?: readonly JobTool[];
  /** Says of a result, while the agent can still fix it, whether it counts. */
  readonly judge?: (result: unknown) => ResultVerdict;
  /** Where its model requests must go, when they can be metered. */
  readonly meter?: Meter | undefined;
}

export type ResultVerdict = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/** A tool of Forge's, called by an agent through the bridge. Arguments are untrusted; so is nothing it returns. */
export interface JobTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  call(args: unknown, signal: AbortSignal): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** A loopback address that stands for the provider, for one job. */
export interface Meter {
  /** Base URL without a trailing slash, to be used where the provider's own origin (without `/v1`) would be. */
  readonly url: string;
  /** Stands where the provider's key would: the real one never enters the jail. Undefined: the agent's own login passes through. */
  readonly key: string | undefined;
  /** What was counted so far. */
  usage(): Usage;
  /** The last refusal of the budget or of the provider, which the agent may have swallowed. */
  trouble(): Trouble | undefined;
}

export interface JobWorkspace {
  /** The checkout; the job's working directory. */
  readonly tree: string;
  readonly jail: Jail;
  readonly policy: JailPolicy;
  /** Environment every child of this workspace gets (PATH, LANG, FORGE_*). */
  readonly env: Readonly<Record<string, string>>;
}

export interface AgentSink {
  /** Called once, before anything else, as soon as the process exists. Awaited: the fact is on disk first. */
  started(process: ProcessIdentity): Promise<void>;
  session(id: string): Promise<void>;
  usage(total: Usage): void;
  /** What the agent says about the usage windows of its account. */
  limits?(windows: readonly UsageWindow[]): void;
  /** One transcript entry; already redacted by the driver. */
  entry(entry: TranscriptEntry): void;
}

export interface TranscriptEntry {
  /** `usage`: what a turn used, in words. */
  readonly type: 'text' | 'thought' | 'tool' | 'output' | 'error' | 'note' | 'usage';
  readonly text: string;
  readonly tool?: {
    readonly name: string;
    /** What sort of tool it is (`read`, `edit`, `execute`, …), of agents whose tools are named after what they do it to. */
    readonly kind?: string;
    readonly paths: readonly string[];
    readonly status: string;
  };
}

export interface AgentDriver {
  readonly name: string;
  readonly canResume: boolean;
  run(job: AgentJob, sink: AgentSink, signal: AbortSignal): Promise<AgentOutcome>;
}
