/**
 * Evidence is a square: old and new tests on old and new code. The four cells, the expectations that the change does not
 * keep, and the rule that decides on them. An expectation that was changed, removed or no longer holds passes only if
 * the approved plan declared the change of behaviour and a reviewer agreed; otherwise a person decides. A runner that
 * does not notice a test that must fail proves nothing, so nothing it says counts. Pure.
 */
import { z } from 'zod';
import type { BehaviourChange } from '../plan/plan.ts';
import type { ScopeSettings } from './receipt.ts';

const cellStatuses = ['passed', 'failed', 'same', 'not-measured'] as const;
const cellSchema = z.strictObject({
  /** `same`: nothing that differs between this cell and another one changed, so the other one speaks for it. */
  status: z.enum(cellStatuses),
  /** One sentence. */
  reason: z.string(),
});
export type SquareCell = z.infer<typeof cellSchema>;

/** What happened to an expectation of the base. */
const expectationChanges = ['fails', 'not-loaded', 'changed', 'removed', 'not-run'] as const;
export const expectationSchema = z.strictObject({
  path: z.string(),
  /** The test's name; the whole file without it. */
  test: z.string().optional(),
  change: z.enum(expectationChanges),
  /** What the test, helper, fixture or snapshot said before and says now, as far as it differs. */
  before: z.string(),
  after: z.string(),
  /** What the old test said about the new code; empty where it passes. */
  message: z.string(),
});
export type Expectation = z.infer<typeof expectationSchema>;

export const canarySchema = z.strictObject({
  /** `noticed`: the tests that must fail did. `missed`: they did not, and on the base they do. */
  status: z.enum(['noticed', 'missed', 'not-measured']),
  reason: z.string(),
});
export type Canary = z.infer<typeof canarySchema>;

export const squareSchema = z.strictObject({
  oldOnOld: cellSchema,
  newOnOld: cellSchema,
  oldOnNew: cellSchema,
  newOnNew: cellSchema,
  expectations: z.array(expectationSchema),
  canary: canarySchema,
});
export type Square = z.infer<typeof squareSchema>;

/** What an independent reader said about expectations that the plan declared. */
export interface Agreement {
  readonly by: string;
  readonly agrees: boolean;
  readonly reason: string;
}

export interface JudgedExpectation extends Expectation {
  /** The plan's words for it; undefined where the plan says nothing. */
  readonly declared: string | undefined;
  readonly agreedBy: string | undefined;
}

export interface SquareVerdict {
  /** `review`: everything is declared, and somebody independent has to agree first. */
  readonly verdict: 'passes' | 'review' | 'ask' | 'refused' | 'compromised';
  readonly expectations: readonly JudgedExpectation[];
}

export interface SquareQuestion {
  readonly square: Pick<Square, 'expectations' | 'canary'>;
  readonly declared: readonly BehaviourChange[];
  /** Undefined before anybody was asked; null where there is nobody to ask. */
  readonly agreement: Agreement | null | undefined;
  readonly setting: ScopeSettings['weakened'];
}

export function judgeSquare({ square, declared, agreement, setting }: SquareQuestion): SquareVerdict {
  const agreedBy = agreement?.agrees === true ? agreement.by : undefined;
  const expectations = square.expectations.map((each): JudgedExpectation => {
    const words = declaredFor(each, declared);
    return { ...each, declared: words, agreedBy: words === undefined ? undefined : agreedBy };
  });
  return { verdict: verdictOf(expectations, { square, agreement, setting }), expectations };
}

function verdictOf(
  expectations: readonly JudgedExpectation[],
  { square, agreement, setting }: Pick<SquareQuestion, 'square' | 'agreement' | 'setting'>,
): SquareVerdict['verdict'] {
  if (square.canary.status === 'missed') return 'compromised';
  const open = expectations.filter((each) => each.agreedBy === undefined);
  if (open.length === 0 || setting === 'allow') return 'passes';
  const undeclared = open.some((each) => each.declared === undefined);
  if (undeclared) return setting === 'refuse' ? 'refused' : 'ask';
  if (agreement === undefined) return 'review';
  return setting === 'refuse' ? 'refused' : 'ask';
}

/** A declaration that names tests covers those; one that names none covers whatever its task changes. */
function declaredFor({ path, test }: Expectation, declared: readonly BehaviourChange[]): string | undefined {
  const covers = ({ tests = [] }: BehaviourChange): boolean =>
    tests.length === 0 || tests.some((name) => name === path || (test !== undefined && namesTest(name, test)));
  return declared.find(covers)?.what;
}

/** By its full name, or by the last part of it. */
function namesTest(name: string, test: string): boolean {
  const wanted = name.trim();
  return wanted !== '' && (test === wanted || test.endsWith(` > ${wanted}`) || wanted.endsWith(` > ${test}`));
}

/** One expectation for a person: what was expected, what is now, what the old test says. */
export function describeExpectation(each: Expectation & Partial<JudgedExpectation>): string {
  const name = each.test === undefined ? each.path : `${each.path}: "${each.test}"`;
  const lines = [
    `${name} ${wording[each.change]}`,
    ...block('before', each.before),
    ...block('after', each.after),
    ...block('says', each.message),
    each.declared === undefined ? '  The plan does not declare this.' : `  The plan declares: ${each.declared}`,
  ];
  return lines.join('\n');
}

const wording: Readonly<Record<Expectation['change'], string>> = {
  fails: 'passed before and fails on the new code, as it was before the change',
  'not-loaded': 'cannot be loaded on the new code, as it was before the change',
  changed: 'expects something else now',
  removed: 'is gone',
  'not-run': 'did not run on the new code, as it was before the change',
};

/** What follows the name of a file in the description of an expectation. */
export const expectationWords: readonly string[] = Object.values(wording);

const mostLines = 12;

function block(name: string, text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return [];
  const shown = lines.slice(0, mostLines).map((line) => `    ${line.slice(0, 240)}`);
  return [
    `  ${name}:`,
    ...shown,
    ...(lines.length > mostLines ? [`    (${lines.length - mostLines} more lines)`] : []),
  ];
}
