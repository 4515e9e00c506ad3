/**
 * What every operation looks like. Input and output are JSON with a schema; the kind says whether it only reads (`query`),
 * changes something (`command`) or gives one value after the other (`stream`). A skin (command line, MCP server, …) calls
 * operations and draws what they return. What is not data, such as who listens and who works on a run, belongs to the skin
 * and comes with the context (context.ts).
 */
import type { z } from 'zod';
import { ForgeError } from '../errors.ts';
import type { ApiContext } from './context.ts';

interface OperationFacts<Input extends z.ZodType, Output extends z.ZodType> {
  /** Its name in the registry. */
  readonly name: string;
  /** One or more sentences for people, and for models that choose a tool. */
  readonly description: string;
  readonly input: Input;
  /** Of a stream: each of its values. */
  readonly output: Output;
  /** How an MCP client sees it; without it, the operation is not a tool. */
  readonly tool?: ToolFacts<Input>;
}

export interface ToolFacts<Input extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  /** For a command. A query is read-only by its kind. */
  readonly hints?: { readonly destructive?: boolean; readonly idempotent?: boolean };
  /** Input fields that a model does not get. */
  readonly hidden?: readonly (keyof z.output<Input> & string)[];
}

/** A query or a command: one answer. */
export interface Operation<Input extends z.ZodType, Output extends z.ZodType> extends OperationFacts<Input, Output> {
  readonly kind: 'query' | 'command';
  run(context: ApiContext, input: z.output<Input>): Promise<JsonOf<Output>>;
}

/** Values that come one after the other, until there are no more or the context's signal aborts. */
export interface StreamOperation<Input extends z.ZodType, Output extends z.ZodType>
  extends OperationFacts<Input, Output> {
  readonly kind: 'stream';
  run(context: ApiContext, input: z.output<Input>): AsyncIterable<JsonOf<Output>>;
}

/** What an operation gives: what its schema says, which nobody changes. */
export type JsonOf<Schema extends z.ZodType> = ReadonlyJson<z.output<Schema>>;

type ReadonlyJson<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly ReadonlyJson<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: ReadonlyJson<T[Name]> }
      : T;

/** Checks the input and runs the operation. Every skin goes through here. */
export async function performOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  context: ApiContext,
  input: unknown,
): Promise<z.output<Output>> {
  return (await operation.run(context, await parseInput(operation, input))) as z.output<Output>;
}

/** The same for a stream. Nothing is read before the first value is asked for. */
export async function* followOperation<Input extends z.ZodType, Output extends z.ZodType>(
  operation: StreamOperation<Input, Output>,
  context: ApiContext,
  input: unknown,
): AsyncGenerator<z.output<Output>> {
  yield* operation.run(context, await parseInput(operation, input)) as AsyncIterable<z.output<Output>>;
}

async function parseInput<Input extends z.ZodType>(
  { name, input: schema }: { readonly name: string; readonly input: Input },
  input: unknown,
): Promise<z.output<Input>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { explainSchema } = await import('../plan/explain-schema.ts');
  const [first] = explainSchema(parsed.error.issues, input);
  const message = `${name}, ${first?.where ?? 'input'}: ${first?.problem ?? 'it does not fit'}`;
  throw new ForgeError('bad-input', message, first?.fix === undefined ? {} : { hint: first.fix });
}
