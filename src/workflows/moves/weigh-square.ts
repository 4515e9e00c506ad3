/**
 * What the square of evidence means for a commit: which flags it gets, what goes back to the agent, what a person is
 * shown. The rule itself is policy/square.ts; here a reviewer is asked where the plan declared the change and there is
 * one. Never silent: whatever is let through is a flag on the receipt.
 */
import type { Task } from '../../plan/plan.ts';
import type { Finding } from '../../policy/finding.ts';
import type { ScopeFlag, ScopeSettings } from '../../policy/receipt.ts';
import {
  type Agreement,
  describeExpectation,
  type Expectation,
  type JudgedExpectation,
  judgeSquare,
  type Square,
} from '../../policy/square.ts';

/** Asks somebody who did not do the work whether the plan's words cover these changes. */
export type ReviewExpectations = (key: string, expectations: readonly JudgedExpectation[]) => Promise<Agreement>;

export interface SquareMatter {
  readonly task: Task;
  readonly scope: ScopeSettings;
  readonly findings: readonly Finding[];
  readonly square: Square | undefined;
  readonly review: ReviewExpectations | undefined;
  /** What a reviewer said already. */
  readonly agreement?: Agreement | null | undefined;
}

export interface WeighedSquare {
  /** Why nothing the checks said counts. */
  readonly compromised: string | undefined;
  readonly flags: readonly ScopeFlag[];
  /** As findings, for the agent. */
  readonly expectations: readonly Finding[];
  /** For a person, one block each. */
  readonly detail: readonly string[];
  readonly agreement: Agreement | null | undefined;
}

export async function weighSquare(key: string, matter: SquareMatter): Promise<WeighedSquare> {
  const { task, scope, findings, review } = matter;
  const square = matter.square ?? nothingMeasured;
  const removed = findings.filter(({ kind }) => removing.has(kind));
  const all = [...square.expectations, ...removed.map(asExpectation)];
  const question = {
    square: { ...square, expectations: all },
    declared: task.behaviourChanges ?? [],
    setting: scope.weakened,
  };
  let agreement = matter.agreement ?? (review === undefined ? null : undefined);
  let judged = judgeSquare({ ...question, agreement });
  if (judged.verdict === 'review' && review !== undefined) {
    agreement = await review(`${key}/expectations`, judged.expectations);
    judged = judgeSquare({ ...question, agreement });
  }
  const own = judged.expectations.slice(0, square.expectations.length);
  const ofFindings = new Map(
    removed.map((finding, at) => [finding, judged.expectations[square.expectations.length + at]]),
  );
  const compromised = judged.verdict === 'compromised' ? square.canary.reason : undefined;
  return {
    compromised,
    flags: [
      ...findings.map((finding) => flagOf(finding, scope, ofFindings.get(finding))),
      ...own.map((each) => flagOfExpectation(each, scope)),
    ],
    expectations: own.filter((each) => each.agreedBy === undefined).map(asFinding),
    detail: [
      ...own.filter((each) => each.agreedBy === undefined).map(describeExpectation),
      ...(agreement === null || agreement === undefined || agreement.agrees
        ? []
        : [`${agreement.by} does not agree: ${agreement.reason}`]),
    ],
    agreement,
  };
}

const nothingMeasured: Pick<Square, 'expectations' | 'canary'> = {
  expectations: [],
  canary: { status: 'not-measured', reason: '' },
};

/** Findings of the comparison by text that a declared change of behaviour may explain. */
const removing = new Set(['test-deleted', 'test-skipped', 'assertion-removed', 'assertion-emptied']);

function asExpectation({ path, test, claim }: Finding): Expectation {
  return { path, ...(test === undefined ? {} : { test }), change: 'removed', before: '', after: claim, message: '' };
}

function asFinding(each: JudgedExpectation): Finding {
  const { path, test, change } = each;
  const claim = describeExpectation(each).slice(0, 2000);
  return { path, line: 0, kind: `expectation-${change}`, claim, ...(test === undefined ? {} : { test }) };
}

export function isOfSquare({ kind }: Finding): boolean {
  return kind.startsWith('expectation-');
}

function flagOf(
  { path, kind, claim }: Finding,
  scope: ScopeSettings,
  judged: JudgedExpectation | undefined,
): ScopeFlag {
  const found = kind === 'vacuous-test' ? 'vacuous' : 'weakened';
  const flag = { path, case: found, action: scope[found], reason: claim } as const;
  return judged?.agreedBy === undefined ? flag : { ...flag, action: 'allow', reason: `${claim} ${agreed(judged)}` };
}

function flagOfExpectation(each: JudgedExpectation, scope: ScopeSettings): ScopeFlag {
  const [first = ''] = describeExpectation(each).split('\n', 1);
  const said = first.startsWith(`${each.path}: `) ? first.slice(each.path.length + 2) : first;
  const flag = { path: each.path, case: 'weakened', action: scope.weakened, reason: said } as const;
  return each.agreedBy === undefined ? flag : { ...flag, action: 'allow', reason: `${said}. ${agreed(each)}` };
}

function agreed({ declared = '', agreedBy = '' }: JudgedExpectation): string {
  return `Declared by the plan: ${declared}. Agreed by ${agreedBy}.`;
}
