/**
 * `submit_result` as a tool: its arguments are the role's result. Providers only take an object with named properties
 * as a tool's arguments, so any other schema is put into one, and taken out again. Pure but for the judge it is given.
 */
import type { JobTool, ResultVerdict } from '../agent.ts';

export const submitToolName = 'submit_result';

type Schema = Readonly<Record<string, unknown>>;

export function submitTool(schema: Schema, judge: (result: unknown) => ResultVerdict): JobTool {
  const wrapped = !isPlainObject(schema);
  return {
    name: submitToolName,
    description:
      'Hands the result of your task to Forge. Call it when the work is done, last of all. ' +
      'If it answers with an error, correct what it names and call it again.',
    inputSchema: wrapped ? wrap(schema) : { type: 'object', ...schema },
    async call(args) {
      const verdict = judge(wrapped ? unwrap(args) : args);
      return verdict.ok
        ? { isError: false, text: 'Accepted. Nothing is left to do: end your turn now.' }
        : { isError: true, text: `Not accepted: ${verdict.problem}\nCorrect this and call ${submitToolName} again.` };
    },
  };
}

function isPlainObject(schema: Schema): boolean {
  const { type = 'object' } = schema;
  return type === 'object' && ['anyOf', 'oneOf', 'allOf', '$ref', 'not'].every((name) => !(name in schema));
}

/** Definitions stay where references look for them. */
function wrap({ $schema, $defs, ...schema }: Schema): Schema {
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { result: schema },
    required: ['result'],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}

function unwrap(args: unknown): unknown {
  return typeof args === 'object' && args !== null && 'result' in args ? args.result : args;
}
