/**
 * How the meter reads a request: by rules that name every field it knows. A rule looks at one value, notes what it
 * says about the cost, and gives back the value as it is sent. A field, type or value that no rule knows ends the
 * reading with a sentence that names its place. Pure.
 */
import { isJsonList, isJsonObject, type Json, type JsonObject, WrittenNumber } from '../strict-json.ts';

/** What a request says that bears on its cost, collected while it is read. */
export interface CostFacts {
  maxOutput: number | undefined;
  /** Answers to one prompt. */
  answers: number;
  thinking: number;
  images: number;
  /** Characters of what only the provider can read, which may stand for more text than that. */
  opaque: number;
  /** Input that is not in the body, or of which the body does not say how large it is. */
  byReference: boolean;
  cacheWrite: 'none' | 'short' | 'long';
  /** The provider may have a model summarize the input first. */
  compacts: boolean;
  rush: boolean;
  /** Tools that run at the provider, with how often each may be used; undefined: the request does not say. */
  hosted: { readonly name: string; readonly uses: number | undefined }[];
  mostHostedUses: number | undefined;
}

export interface RequestReading {
  readonly facts: CostFacts;
  /** Places that a person has allowed although no rule knows them. */
  readonly allowed: ReadonlySet<string>;
  /** Dollars for one use of a tool that runs at the provider, by its name. */
  readonly fees: Readonly<Record<string, number>>;
}

export type FieldRule = (value: Json, at: string, reading: RequestReading) => Json;

/** The request is not sent; the message is a whole sentence for a person. */
export class NotUnderstood extends Error {}

export const anyValue: FieldRule = (value) => value;

export const textRule: FieldRule = (value, at) => (typeof value === 'string' ? value : wrong(at, 'text', value));

export const booleanRule: FieldRule = (value, at) =>
  typeof value === 'boolean' ? value : wrong(at, 'true or false', value);

export const numberRule: FieldRule = (value, at) =>
  typeof value === 'number' || value instanceof WrittenNumber ? value : wrong(at, 'a number', value);

export function choiceRule(...options: readonly string[]): FieldRule {
  return (value, at) =>
    typeof value === 'string' && options.includes(value) ? value : wrong(at, options.join(' or '), value);
}

export const mostTokens = 10_000_000;

/** A whole number, written as one. */
export function countRule(
  note: (facts: CostFacts, value: number) => void,
  { least = 0, most = mostTokens }: { readonly least?: number; readonly most?: number } = {},
): FieldRule {
  return (value, at, { facts }) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      return wrong(at, `a whole number from ${least} to ${most}`, value);
    note(facts, value);
    return value;
  };
}

/** Notes something, then reads on. */
export function notingRule(note: (facts: CostFacts, value: Json) => void, rule: FieldRule = anyValue): FieldRule {
  return (value, at, reading) => {
    note(reading.facts, value);
    return rule(value, at, reading);
  };
}

export const opaqueText: FieldRule = notingRule((facts, value) => {
  facts.opaque += typeof value === 'string' ? value.length : 0;
}, textRule);

export function listRule(rule: FieldRule): FieldRule {
  return (value, at, reading) =>
    isJsonList(value) ? value.map((each) => rule(each, `${at}[]`, reading)) : wrong(at, 'a list', value);
}

/** Different rules for a text, a list and an object. */
export function ruleByKind(rules: {
  readonly text?: FieldRule;
  readonly list?: FieldRule;
  readonly object?: FieldRule;
}): FieldRule {
  return (value, at, reading) => {
    const kind =
      typeof value === 'string' ? 'text' : isJsonList(value) ? 'list' : isJsonObject(value) ? 'object' : undefined;
    const rule = kind === undefined ? undefined : rules[kind];
    return rule === undefined ? wrong(at, Object.keys(rules).join(' or '), value) : rule(value, at, reading);
  };
}

export type FieldRules = Readonly<Record<string, FieldRule>>;

/** An object with these fields and no other; null is the same as a field that is left out. */
export function objectRule(fields: FieldRules, spelling: (name: string) => string = (name) => name): FieldRule {
  return (value, at, reading) => {
    if (!isJsonObject(value)) return wrong(at, 'an object', value);
    const read = new Map<string, Json>();
    for (const [key, each] of Object.entries(value)) {
      const name = spelling(key);
      const place = at === '' ? name : `${at}.${name}`;
      if (read.has(name))
        throw new NotUnderstood(`${notSentSentence} It names the field "${shown(place)}" twice, in two spellings.`);
      read.set(name, each === null ? null : ruleFor(fields, name, { place, reading })(each, place, reading));
    }
    return Object.fromEntries(read);
  };
}

/** Objects that say what they are in their `type`. */
export function ruleByType(types: Readonly<Record<string, FieldRule>>, otherwise?: FieldRule): FieldRule {
  return (value, at, reading) => {
    const type = isJsonObject(value) ? (value['type'] ?? undefined) : undefined;
    if (type === undefined && otherwise !== undefined) return otherwise(value, at, reading);
    if (typeof type !== 'string') return wrong(`${at}.type`, 'text', type ?? null);
    return ruleFor(types, type, { place: `${at}.type=${type}`, reading })(value, at, reading);
  };
}

/** Something that costs in a way that has no bound, or none that the meter knows. */
export function refuseField(why: string, type?: string): FieldRule {
  return (_value, at) => {
    const place = type === undefined ? at : `${at}.type=${type}`;
    throw new NotUnderstood(
      `${notSentSentence} "${shown(place)}" ${why} Turn it off in the agent, or set "meter: off" for this agent: its limits are then soft.`,
    );
  };
}

/** Only what means "not at all" passes. */
export function allowOnly(allowed: Json, why: string): FieldRule {
  return (value, at, reading) => (value === allowed ? value : refuseField(why)(value, at, reading));
}

function ruleFor(
  rules: Readonly<Record<string, FieldRule>>,
  name: string,
  { place, reading }: { readonly place: string; readonly reading: RequestReading },
): FieldRule {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule !== undefined) return rule;
  if (!reading.allowed.has(place)) return unknown;
  return notingRule((facts) => {
    facts.byReference = true;
  });

  function unknown(): never {
    throw new NotUnderstood(
      `${notSentSentence} It does not know "${shown(place)}" and cannot tell what it costs. If it costs nothing, add it to "meter.allowFields" of this agent in .forge/config.yaml.`,
    );
  }
}

function wrong(at: string, expected: string, value: Json): never {
  const found = isJsonList(value) ? 'a list' : isJsonObject(value) ? 'an object' : brief(value);
  throw new NotUnderstood(`${notSentSentence} "${shown(at)}" must be ${expected}, and it is ${found}.`);
}

function brief(value: Json): string {
  if (value instanceof WrittenNumber) return value.text.slice(0, 40);
  return JSON.stringify(value).slice(0, 40);
}

/** Places come from the request: short, and without anything a terminal would obey. */
function shown(place: string): string {
  return place.replace(/[^\x20-\x7e]|"/g, '?').slice(0, 120);
}

export const notSentSentence = 'The meter does not send this request.';

/** The fields of one object, as far as it is one. */
export function fieldsOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
