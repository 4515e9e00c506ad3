/**
 * Turns what a zod schema found into issues with a pointer, a plain sentence and the fix. Serves plans
 * and the replies of agents alike. It reads the input only along the paths zod names, and quotes little
 * of it, for the input is untrusted and may be huge.
 */
import type { z } from 'zod';
import { type Issue, quoteUntrusted } from './refusal.ts';
import { nearestWord } from './task-id.ts';

type SchemaIssue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export interface ExplainOptions {
  /** Every field name there is, for the likely meaning of an unknown one. */
  readonly fields?: readonly string[];
  /** Names that are often used for a field. */
  readonly aliases?: Readonly<Record<string, string>>;
}

export function explainSchema(found: readonly SchemaIssue[], input: unknown, options: ExplainOptions = {}): Issue[] {
  return found.flatMap((issue) => explain(issue, [], { input, ...options }));
}

/** `tasks[2].depends[0]`; the document itself is `(root)`. */
export function pathText(path: Path): string {
  const text = path
    .map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key);
      return /^[A-Za-z_$][\w$-]{0,63}$/.test(name) ? `.${name}` : `[${quoteUntrusted(name)}]`;
    })
    .join('')
    .replace(/^\./, '');
  return text === '' ? '(root)' : text;
}

interface Context extends ExplainOptions {
  readonly input: unknown;
}

function explain(issue: SchemaIssue, above: Path, context: Context): Issue[] {
  const path = [...above, ...issue.path];
  const where = pathText(path);
  const value = valueAt(context.input, path);
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = kinds[issue.expected] ?? `a value of type ${issue.expected}`;
      if (value !== undefined)
        return [{ where, problem: `It is ${describe(value)}, not ${wanted}.`, fix: `Write ${wanted}.` }];
      return [
        { where, problem: 'It is missing.', fix: `Add ${quoteUntrusted(String(path.at(-1) ?? 'it'))}: ${wanted}.` },
      ];
    }
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(key, path, context));
    case 'invalid_value': {
      const allowed = issue.values.map((each) => JSON.stringify(each) ?? String(each)).join(', ');
      const given =
        typeof value === 'string' ? `${quoteUntrusted(value)} is not allowed.` : `It is ${describe(value)}.`;
      return [{ where, problem: value === undefined ? 'It is missing.' : given, fix: `Use one of ${allowed}.` }];
    }
    case 'invalid_union':
      return explainUnion(issue, path, context);
    case 'too_small':
    case 'too_big': {
      const isSmall = issue.code === 'too_small';
      const bound = isSmall ? issue.minimum : issue.maximum;
      const side = isSmall ? (issue.inclusive ? 'at least' : 'more than') : issue.inclusive ? 'at most' : 'less than';
      const units = unitNames.get(issue.origin) ?? '';
      const unit = Number(bound) === 1 ? units.replace('entries', 'entry').replace(/s$/, '') : units;
      return [
        { where, problem: `It is ${isSmall ? 'too small' : 'too large'}.`, fix: `Give ${side} ${bound}${unit}.` },
      ];
    }
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
    default:
      return [{ where, problem: sentence(issue.message), fix: 'Change it to fit.' }];
  }
}

/** The branch the writer had in mind is the one whose outermost type fits; its faults are the news. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, context: Context): Issue[] {
  const fitting = issue.errors.filter((branch) => branch.length > 0 && branch.every((inner) => !isWrongType(inner)));
  const meant = fitting.toSorted((a, b) => a.length - b.length)[0];
  if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path, context));
  // A union by discriminator tried no branch; zod's own sentence lists the values.
  if (issue.errors.length === 0)
    return [{ where: pathText(path), problem: sentence(issue.message), fix: 'Use one of them.' }];
  const wanted = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === 'invalid_type' ? [kinds[inner.expected] ?? inner.expected] : [])),
  );
  const value = valueAt(context.input, path);
  const choice = wanted.length === 0 ? 'one of the allowed forms' : [...new Set(wanted)].join(' or ');
  const problem = value === undefined ? 'It is missing.' : `It is ${describe(value)}, not ${choice}.`;
  return [{ where: pathText(path), problem, fix: `Write ${choice}.` }];
}

function isWrongType(issue: SchemaIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

function unknownField(key: string, path: Path, context: Context): Issue {
  const aliases = context.aliases ?? {};
  const meant = Object.hasOwn(aliases, key) ? aliases[key] : nearestWord(key.slice(0, 64), context.fields ?? []);
  return {
    where: pathText([...path, key]),
    problem: `There is no field ${quoteUntrusted(key)}.`,
    fix: meant === undefined ? 'Remove it.' : `Did you mean "${meant}"? If not, remove it.`,
  };
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  nonoptional: 'a value',
};

const unitNames: ReadonlyMap<string, string> = new Map([
  ['string', ' characters'],
  ['array', ' entries'],
]);

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return kinds[typeof value] ?? `a ${typeof value}`;
}

function valueAt(input: unknown, path: Path): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
