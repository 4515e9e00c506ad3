/**
 * What a program to run looks like, and what came of it. The only vocabulary in which the rest of
 * Forge speaks about processes. Argument arrays only: there is no way to name a shell string here.
 */
import type { GroupPlaces } from './control-group-places.ts';
import type { Redactor } from './redact.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes for standard input, which is then closed; `open` leaves it to the caller. Default: closed. */
  // oxlint-disable-next-line typescript/no-redundant-type-constituents -- the word is part of the contract
  readonly stdin?: string | Uint8Array | 'open';
  readonly limits?: Limits;
  /** Bytes the child can read from descriptor 3, 4, …, beside its standard streams; it inherits no other descriptor. */
  readonly inputs?: readonly Uint8Array[];
  /** Programs that run to their end first, with nothing but a PATH in their environment; one that fails is a failed start. */
  readonly before?: readonly Preparation[];
  /** It is killed when this process dies in whichever way, where the system can do that. */
  readonly diesWithParent?: boolean;
  /** Full output, redacted, stdout and stderr interleaved as they arrived. */
  readonly logFile?: string;
  readonly redactor?: Redactor;
}

export interface Preparation {
  readonly program: string;
  readonly args: readonly string[];
}

export interface Limits {
  readonly timeMs?: number;
  /** Total bytes of output after which the tree is killed. */
  readonly outputBytes?: number;
  /** How much of each stream is kept in memory. Defaults 3 KiB and 7 KiB. */
  readonly headBytes?: number;
  readonly tailBytes?: number;
  /** What the program may use with all it starts; the tree is killed beyond that. */
  readonly resources?: ResourceLimits;
  /** Where the system can count memory and processes itself: the same limits, held by the kernel. */
  readonly group?: GroupLimits;
}

export interface GroupLimits {
  readonly places: GroupPlaces;
  readonly memoryBytes: number;
  readonly processes: number;
}

export interface ResourceLimits {
  readonly memoryBytes: number;
  readonly processes: number;
  readonly diskBytes: number;
  /** Where it can write. */
  readonly paths: readonly string[];
}

export type ResourceName = 'memory' | 'processes' | 'disk';

/** A stream as kept: the beginning, the end, and how much there was in all. */
export interface Captured {
  readonly head: string;
  readonly tail: string;
  readonly totalBytes: number;
  readonly droppedBytes: number;
  /** Head and tail joined, with one line that says how much was left out between them. */
  readonly text: string;
}

/** How a process ended. A union on `status`; a program that cannot be started is a value too. */
export type ProcessEnd =
  | { readonly status: 'exited'; readonly code: number }
  | { readonly status: 'signalled'; readonly signal: string }
  | { readonly status: 'timed-out'; readonly timeMs: number }
  | { readonly status: 'output-limit'; readonly outputBytes: number }
  | { readonly status: 'resource-limit'; readonly resource: ResourceName; readonly limit: number }
  | { readonly status: 'aborted' }
  | { readonly status: 'not-started'; readonly reason: string };

/** In words: `it used more than 512 MB of memory`. */
export function describeExcess({ resource, limit }: Extract<ProcessEnd, { status: 'resource-limit' }>): string {
  const amount =
    resource === 'processes' ? `${limit} processes` : `${Math.round(limit / 1024 / 1024)} MB of ${resource}`;
  return `it used more than ${amount} (the setting jail.limits.${resource})`;
}

export interface ProcessResult {
  readonly end: ProcessEnd;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly durationMs: number;
}

/** Names a process forever: a pid alone may be reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, from /proc/<pid>/stat field 22. */
  readonly startTime: string;
  readonly bootId: string;
  readonly host: string;
}

export interface RunningProcess {
  readonly identity: ProcessIdentity;
  /** Standard input, when the command asked for `open`. */
  readonly stdin: NodeJS.WritableStream | undefined;
  /** Raw stdout, for protocols; capture goes on beside it. Undefined chunks never occur. */
  onStdout(listener: (chunk: Buffer) => void): void;
  onStderr(listener: (chunk: Buffer) => void): void;
  /** Ends the whole tree, TERM first, KILL after the grace; resolves when nothing of it is left. */
  kill(graceMs?: number): Promise<void>;
  /** Whether Forge waits for this program before it ends by itself. False for one that only stays in case it is needed. */
  setAwaited(isAwaited: boolean): void;
  readonly result: Promise<ProcessResult>;
}
