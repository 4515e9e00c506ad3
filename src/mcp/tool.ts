/**
 * The tools of the server: every operation of the registry that has a tool's name. Name, title, description, arguments and
 * hints are data of the operation. Only how a few answers are worded for models is the server's own (tool-answers.ts).
 */
import { z } from 'zod';
import type { ApiContext } from '../api/context.ts';
import { type Operation, performOperation, type ToolFacts } from '../api/operation.ts';
import { type AnyOperation, loadOperation, operationNames } from '../api/registry.ts';
import { answersOf } from './tool-answers.ts';

export interface ServerTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** What a client may tell a person before it lets the tool be called. */
  readonly hints: ToolHints;
  /** Text as it is, or data that becomes JSON. */
  call(args: unknown, context: ApiContext): Promise<unknown>;
}

export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

/** In the order of the registry. */
export async function loadTools(): Promise<readonly ServerTool[]> {
  const operations = await Promise.all(operationNames.map((name) => loadOperation(name)));
  return operations.flatMap((operation) => (operation === undefined ? [] : toolOf(operation)));
}

function toolOf(operation: AnyOperation): readonly ServerTool[] {
  const { tool, description } = operation;
  // What a stream gives one by one is not an answer to a call.
  if (tool === undefined || operation.kind === 'stream') return [];
  const { name, title } = tool;
  const input = visibleInput(operation, tool);
  const answer = answersOf(operation.name);
  return [
    {
      name,
      title,
      description,
      input,
      hints: hintsOf(operation, tool),
      call: async (args, context) => answer(await performOperation(operation, context, args)),
    },
  ];
}

function visibleInput(operation: AnyOperation, { hidden = [] }: ToolFacts<z.ZodObject>): z.ZodObject {
  const shown = Object.entries(operation.input.shape).filter(([field]) => !hidden.includes(field));
  return z.strictObject(Object.fromEntries(shown));
}

function hintsOf({ kind }: Operation<z.ZodObject, z.ZodType>, { hints = {} }: ToolFacts<z.ZodObject>): ToolHints {
  const isQuery = kind === 'query';
  return {
    readOnlyHint: isQuery,
    destructiveHint: hints.destructive ?? false,
    idempotentHint: isQuery || (hints.idempotent ?? false),
  };
}
