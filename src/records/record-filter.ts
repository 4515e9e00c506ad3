/**
 * Which records somebody wants: conditions such as `status=approved`, `summaries.plan.verdict!=n/a`, `title~login` or
 * `status=draft,planned`. All have to hold. Pure; a condition that cannot be read is a value with the fix.
 */
import type { StoredRecord } from './entity.ts';

export interface FieldCondition {
  readonly field: string;
  readonly operator: '=' | '!=' | '~';
  readonly values: readonly string[];
}

export type ParsedConditions =
  | { readonly ok: true; readonly conditions: readonly FieldCondition[] }
  | { readonly ok: false; readonly problem: string; readonly fix: string };

export function parseConditions(words: readonly string[]): ParsedConditions {
  const conditions: FieldCondition[] = [];
  for (const word of words) {
    const match = /^([A-Za-z_][\w.]*)(!=|=|~)(.*)$/s.exec(word);
    if (match === null) {
      return {
        ok: false,
        problem: `${JSON.stringify(word)} is not a condition.`,
        fix: 'Write <field>=<value>, <field>!=<value> or <field>~<part of the value>.',
      };
    }
    const [, field = '', operator = '=', value = ''] = match;
    const values = operator === '~' ? [value] : value.split(',');
    conditions.push({ field, operator: operator as FieldCondition['operator'], values });
  }
  return { ok: true, conditions };
}

export function fitsConditions(record: StoredRecord, conditions: readonly FieldCondition[]): boolean {
  return conditions.every(({ field, operator, values }) => {
    const text = fieldText(record, field);
    if (operator === '~') return (text ?? '').toLowerCase().includes((values[0] ?? '').toLowerCase());
    const isOne = text !== undefined && values.includes(text);
    return operator === '=' ? isOne : !isOne;
  });
}

/** A field by its dotted path; undefined where there is none. */
export function fieldValue(record: unknown, path: string): unknown {
  let here: unknown = record;
  for (const part of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, part)) return undefined;
    here = (here as StoredRecord)[part];
  }
  return here;
}

/** As it is compared. */
export function fieldText(record: unknown, path: string): string | undefined {
  const value = fieldValue(record, path);
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
