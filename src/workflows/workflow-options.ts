/**
 * The options of a workflow as plain data. Command-line flags, MCP fields, JSON Schema for editors, help, completion and
 * forms are all derived from this one declaration. Pure, and light to load: no schema library, no run code.
 */
import { ForgeError } from '../errors.ts';

interface OptionBase {
  /** One line for help, forms and tool descriptions. */
  readonly summary: string;
}

export interface BooleanOption extends OptionBase {
  readonly type: 'boolean';
  readonly default?: boolean;
}

export interface NumberOption extends OptionBase {
  readonly type: 'number';
  /** What stands for the value in help, such as `n`. */
  readonly placeholder?: string;
  /** Whole numbers only, unless this is true. */
  readonly fraction?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
}

export interface TextOption extends OptionBase {
  readonly type: 'text';
  readonly placeholder?: string;
  readonly default?: string;
}

export interface ChoiceOption extends OptionBase {
  readonly type: 'choice';
  readonly choices: readonly string[];
  readonly default?: string;
}

export type OptionSpec = BooleanOption | NumberOption | TextOption | ChoiceOption;

/** By name, in lower case with dashes: `max-rounds` is the flag `--max-rounds`. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export type OptionValue = boolean | number | string;

type ValueOf<S extends OptionSpec> = S extends BooleanOption
  ? boolean
  : S extends NumberOption
    ? number
    : S extends ChoiceOption
      ? S['choices'][number]
      : string;

/** An option without a default may be missing, except a boolean, which is then false. */
export type OptionValues<S extends OptionSpecs> = {
  readonly [N in keyof S]: S[N] extends BooleanOption
    ? boolean
    : S[N] extends { readonly default: OptionValue }
      ? ValueOf<S[N]>
      : ValueOf<S[N]> | undefined;
};

/** The options as a JSON Schema, for editors that complete and check what a person writes. */
export function optionsJsonSchema(specs: OptionSpecs): object {
  const properties = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, valueJsonSchema(spec)]));
  return { type: 'object', properties, additionalProperties: false };
}

function valueJsonSchema(spec: OptionSpec): object {
  const { summary: description, default: usual } = spec;
  const known = { description, ...(usual === undefined ? {} : { default: usual }) };
  switch (spec.type) {
    case 'boolean':
      return { type: 'boolean', ...known };
    case 'number': {
      const { min, max, fraction = false } = spec;
      const range = { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
      return { type: fraction ? 'number' : 'integer', ...range, ...known };
    }
    case 'choice':
      return { type: 'string', enum: spec.choices, ...known };
    case 'text':
      return { type: 'string', ...known };
  }
}

/** Checks values that came from outside and fills in defaults. `show` says how the caller's user would write an option. */
export function readOptions<S extends OptionSpecs>(
  specs: S,
  given: Readonly<Record<string, unknown>>,
  show: (name: string) => string = (name) => `--${name}`,
): OptionValues<S> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(specs, name));
  if (unknown !== undefined) {
    const names = Object.keys(specs).map(show).join(', ');
    throw new ForgeError('bad-input', `There is no option ${show(unknown)}`, {
      hint: names === '' ? 'This workflow has no options.' : `Options: ${names}.`,
    });
  }
  const values = Object.entries(specs).map(([name, spec]) => [name, readOption(spec, given[name], show(name))]);
  return Object.fromEntries(values) as OptionValues<S>;
}

function readOption(spec: OptionSpec, given: unknown, shown: string): OptionValue | undefined {
  if (given === undefined) return spec.default ?? (spec.type === 'boolean' ? false : undefined);
  switch (spec.type) {
    case 'boolean':
      if (typeof given === 'boolean') return given;
      throw refusal(shown, given, 'true or false');
    case 'number': {
      // A command line has only text.
      const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
      if (typeof value === 'number' && isNumberAllowed(spec, value)) return value;
      throw refusal(shown, given, describeNumbers(spec));
    }
    case 'choice':
      if (typeof given === 'string' && spec.choices.includes(given)) return given;
      throw refusal(shown, given, `one of ${spec.choices.join(', ')}`);
    case 'text':
      if (typeof given === 'string') return given;
      throw refusal(shown, given, 'text');
  }
}

function isNumberAllowed({ min = -Infinity, max = Infinity, fraction = false }: NumberOption, value: number): boolean {
  return Number.isFinite(value) && (fraction || Number.isInteger(value)) && value >= min && value <= max;
}

function describeNumbers({ min, max, fraction = false }: NumberOption): string {
  const kind = fraction ? 'a number' : 'a whole number';
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} of at most ${max}`;
}

function refusal(shown: string, given: unknown, expected: string): ForgeError {
  return new ForgeError('bad-input', `${shown} ${JSON.stringify(given)} is not allowed`, { hint: `Use ${expected}.` });
}
