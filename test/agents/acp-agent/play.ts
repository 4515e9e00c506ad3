/**
 * What the small ACP agent for tests can be told to do, as data: which steps it takes when it is prompted, how it
 * answers, what it claims to be able to, and which manners it lacks. It finds this in a file of its home.
 */

export interface Play {
  readonly steps: readonly PlayStep[];
  /** Added to the answer of the prompt: `usage`, `_meta`, another `stopReason`. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Fails the request of this name with this error. */
  readonly fails?: Readonly<Record<string, { code: number; message: string; data?: unknown }>>;
  /** Ways to continue a session that it offers. Default: both. */
  readonly continues?: readonly ('resume' | 'load')[];
  /** Added to the answer that opens a session: modes, configOptions. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Goes on when its turn is cancelled, and when its standard input ends. */
  readonly stubborn?: boolean;
  readonly protocolVersion?: number;
}

export type PlayStep =
  | { readonly say: string }
  | { readonly think: string }
  /** A shell program, told as a use of a tool with its output. */
  | { readonly shell: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  /** Calls a tool of the MCP server it was given. */
  | { readonly call: { readonly tool: string; readonly args: unknown } }
  /** Any update of its session, as it is. */
  | { readonly update: Readonly<Record<string, unknown>> }
  /** Asks for permission with these kinds of options, and says which one it got. */
  | { readonly ask: readonly string[] }
  /** A line on standard output, as it is. */
  | { readonly line: string }
  | { readonly lineOf: number }
  | { readonly flood: true }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  /** From 129 on a signal it sends itself. */
  | { readonly exit: number }
  | { readonly hang: true };

/** Below its home. */
export const playFile = '.acp-agent/play.json';
