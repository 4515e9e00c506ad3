/**
 * What a JavaScript assertion says, taken apart: `expect(subject).not.toBe(value)` and `assert.equal(a, b)` alike. Answers which
 * assertions accept several outcomes at once, and which only say that no error came. Pure.
 */
import {
  chainOf,
  constantOf,
  isCall,
  isMember,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from '../../evidence/weakened/js-nodes.ts';

export interface Expectation {
  readonly style: 'expect' | 'assert';
  /** What is looked at; of an assert call its first argument. */
  readonly subject: Node | undefined;
  /** The links behind it: `not`, `toBe`; of an assert call the method. */
  readonly links: readonly string[];
  /** The arguments of the last call; of an assert call all but the first. */
  readonly values: readonly Node[];
}

export function expectationOf(node: Node): Expectation | undefined {
  if (!isCall(node) && !isMember(node)) return undefined;
  const { root, links } = chainOf(node, isExpectCall);
  if (isExpectCall(root) && root !== node) {
    return {
      style: 'expect',
      subject: unwrapNode(nodesAt(root, 'arguments')[0]),
      links,
      values: isCall(node) ? nodesAt(node, 'arguments') : [],
    };
  }
  if (!isCall(node) || nameOf(root) !== 'assert') return undefined;
  const [subject, ...values] = nodesAt(node, 'arguments');
  return { style: 'assert', subject: unwrapNode(subject), links, values };
}

function isExpectCall(node: Node): boolean {
  if (!isCall(node)) return false;
  const callee = nodeAt(node, 'callee');
  if (callee === undefined) return false;
  return (
    nameOf(callee) === 'expect' ||
    (isMember(callee) &&
      nameOf(nodeAt(callee, 'object')) === 'expect' &&
      /^(?:soft|poll)$/.test(nameOf(nodeAt(callee, 'property')) ?? ''))
  );
}

/** One assertion that several results pass: a list of statuses, a choice of values, a range of statuses. */
export function acceptsSeveral({ style, subject, links, values }: Expectation): boolean {
  const matcher = links.at(-1) ?? '';
  const [value] = values.map(unwrapNode);
  if (links.includes('not')) return false;
  if (/^(?:oneOf|toBeOneOf)$/.test(matcher)) return isList(value);
  if (/^(?:toContain|toContainEqual|include|includes|contain|contains)$/.test(matcher)) {
    return isList(subject) && value !== undefined && constantOf(value) === undefined;
  }
  if (/^(?:toBe|toEqual|toStrictEqual|equal|eq|eql|strictEqual)$/.test(matcher) && constantOf(value)?.text === 'true')
    return isChoice(subject);
  if (/^(?:toBeTruthy|toBeTrue|true|ok|isTrue|isOk)$/.test(matcher) || (style === 'assert' && links.length === 0))
    return isChoice(subject);
  if (
    /^(?:toBeLessThan|toBeLessThanOrEqual|toBeGreaterThan|toBeGreaterThanOrEqual|lessThan|below|above|least|most|within|isBelow|isAbove|isAtLeast|isAtMost)$/.test(
      matcher,
    )
  ) {
    return /^status(?:_?code)?$/i.test(lastName(subject));
  }
  return false;
}

function isList(node: Node | undefined): boolean {
  return node?.type === 'ArrayExpression' && nodesAt(node, 'elements').length > 1;
}

/** `[200, 400].includes(x)`, or `x === 200 || x === 400`. */
function isChoice(node: Node | undefined): boolean {
  const value = unwrapNode(node);
  if (value === undefined) return false;
  if (isCall(value)) {
    const callee = nodeAt(value, 'callee');
    return (
      callee !== undefined &&
      isMember(callee) &&
      nameOf(nodeAt(callee, 'property')) === 'includes' &&
      isList(unwrapNode(nodeAt(callee, 'object'))) &&
      constantOf(nodesAt(value, 'arguments')[0]) === undefined
    );
  }
  if (value.type !== 'LogicalExpression' || value['operator'] !== '||') return false;
  return [nodeAt(value, 'left'), nodeAt(value, 'right')].every(
    (side) => isEquality(unwrapNode(side)) || isChoice(side),
  );
}

function isEquality(node: Node | undefined): boolean {
  return node?.type === 'BinaryExpression' && /^={2,3}$/.test(String(node['operator']));
}

const errorName = /^(?:err|error|e|ex|exc|exception|failure|thrown|caught)$|Err(?:or)?$/;

/** Says only that nothing went wrong, not that anything went right. */
export function saysNoError({ style, subject, links, values }: Expectation): boolean {
  const matcher = links.at(-1) ?? '';
  const negated = links.includes('not');
  const empty = /^(?:null|undefined)$/;
  if (style === 'assert') {
    if (/^(?:ifError|doesNotThrow|doesNotReject)$/.test(matcher)) return true;
    if (/^(?:isNull|isUndefined|isNotOk|notOk|isFalse|notExists)$/.test(matcher)) return isErrorLike(subject);
    if (/^(?:equal|strictEqual|deepEqual|deepStrictEqual)$/.test(matcher))
      return isErrorLike(subject) && empty.test(constantOf(values[0])?.text ?? '');
    return (
      (links.length === 0 || matcher === 'ok') &&
      subject?.type === 'UnaryExpression' &&
      subject['operator'] === '!' &&
      isErrorLike(unwrapNode(nodeAt(subject, 'argument')))
    );
  }
  if (negated && /^(?:toThrow|toThrowError|throw|throws|rejected|reject)$/.test(matcher)) return true;
  if (links.includes('resolves') && matcher === 'toBeUndefined') return true;
  if (!isErrorLike(subject)) return false;
  if (/^(?:toBeNull|toBeUndefined|toBeFalsy|toBeNil|null|undefined)$/.test(matcher)) return !negated;
  if (/^(?:toBeDefined|toBeTruthy|exist|ok)$/.test(matcher)) return negated;
  return (
    !negated &&
    /^(?:toBe|toEqual|toStrictEqual|equal|eq)$/.test(matcher) &&
    empty.test(constantOf(values[0])?.text ?? '')
  );
}

function isErrorLike(node: Node | undefined): boolean {
  return errorName.test(lastName(node));
}

function lastName(node: Node | undefined): string {
  const value = unwrapNode(node);
  if (value === undefined) return '';
  return nameOf(isMember(value) ? nodeAt(value, 'property') : value) ?? '';
}

/** Asserts what was logged instead of what happened. */
export function looksAtLogs({ subject, links }: Expectation): boolean {
  if (!/^toHaveBeenCalled|^called/.test(links.at(-1) ?? '')) return false;
  const root = subject === undefined ? undefined : nameOf(chainOf(subject, () => false).root);
  return root === 'console' || /^(?:console|log|logger)(?:Spy|Mock)$/i.test(root ?? '');
}
