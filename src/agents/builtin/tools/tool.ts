/**
 * What a tool of the built-in agent is: data for the model, a way to show the call to a person, and the deed itself.
 * Arguments come from a model and are checked by the schema before `run`. A deed that did not work throws ToolFailure,
 * whose message is written for the model; the model sees anything else that is thrown as well, so a turn survives both.
 */
import type { z } from 'zod';

export type ToolKind = 'read' | 'edit' | 'search' | 'execute' | 'other';

export interface ToolPlace {
  /** Real path of the workspace: no tool reads or writes outside it, except what a command does in its jail. */
  readonly root: string;
  /** Environment of commands. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly diff?: FileDiff | undefined;
}

export interface FileDiff {
  /** Absolute. */
  readonly path: string;
  /** Undefined: the file is new. */
  readonly oldText: string | undefined;
  readonly newText: string;
}

export interface BuiltinTool<Input = never> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly schema: z.ZodType<Input>;
  /** One line for a person. */
  title(input: Input): string;
  /** Files the call is about, as the model wrote them. */
  paths(input: Input): readonly string[];
  run(input: Input, place: ToolPlace, signal: AbortSignal): Promise<ToolAnswer>;
}

export class ToolFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolFailure';
  }
}
