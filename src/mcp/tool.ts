/**
 * What a tool of the server looks like: a name, arguments with a schema, and a call that gives text or data. How a call
 * reaches an operation is the tool's; how answers, errors and progress travel is the server's (answer-call.ts).
 */
import type { z } from 'zod';
import type { ApiContext } from '../api/operation.ts';

export interface ServerTool<S extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: S;
  /** What a client may tell a person before it lets the tool be called. */
  readonly hints: ToolHints;
  /** Text as it is, or data that becomes JSON. */
  call(args: z.output<S>, work: ToolWork): Promise<unknown>;
}

export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

/** What a call works with; opened anew for each, for the repository goes on while the server stays. */
export interface ToolWork {
  readonly context: ApiContext;
  readonly launch: Launcher;
  readonly signal: AbortSignal;
  /** Says what happens while the caller waits. */
  readonly progress: (message: string) => void;
}

/** How a process of its own is started for a run, so that the run goes on when the client leaves. */
export interface Launcher {
  readonly program: string;
  /** Before the words that a person would type after `forge`. */
  readonly args: readonly string[];
}

export const looksOnly: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
export const adds: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
export const ends: ToolHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** Keeps the types of arguments together where tools of all kinds are listed. */
export function serverTool<S extends z.ZodObject>(tool: ServerTool<S>): ServerTool {
  return tool;
}
