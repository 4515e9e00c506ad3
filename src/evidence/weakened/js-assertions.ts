/**
 * Which JavaScript expressions assert something, and which of those cannot fail. Knows expect (jest, vitest,
 * chai, playwright), node's and chai's assert, should, the `t` of ava, tap and tape, supertest and cypress.
 * `expect(f).not.toThrow()` asserts; `expect.assertions(2)` and a bare `expect(x)` do not.
 */
import {
  chainOf,
  constantOf,
  isCall,
  isMember,
  isPure,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from './js-nodes.ts';

export interface Assertions {
  /** None, one, or, in a chain of supertest, several. */
  readonly count: number;
  /** Never fails, whatever the code under test does. */
  readonly empty: boolean;
  /** The inner links of the expression: looked at with it, not to be looked at again. */
  readonly nodes: readonly Node[];
}

/** What an expression asserts, looking at it from its outermost link. */
export function assertionsOf(node: Node, source: string, testParameter: string | undefined): Assertions {
  if (!isCall(node) && !isMember(node)) return { count: 0, empty: false, nodes: [] };
  const chain = chainOf(node, isExpectCall);
  const none = { count: 0, empty: false, nodes: chain.nodes };
  if (isExpectCall(chain.root)) {
    if (chain.root === node) return none;
    return { count: 1, empty: expectIsEmpty(node, chain, source), nodes: chain.nodes };
  }
  if (!isCall(node)) return none;
  const root = nameOf(chain.root) ?? '';
  const words = [root, ...chain.links];
  const last = words.at(-1) ?? '';
  const asserts =
    words.some((word) => word === 'assert' || word === 'should' || (word !== root && /^assert[A-Z_]/.test(word))) ||
    (root !== 'expect' && chain.links.includes('expect')) ||
    (root === testParameter && chain.links.length === 1 && contextAssertions.has(last));
  if (!asserts) return none;
  const count = Math.max(1, chain.links.filter((link) => link === 'expect' || link === 'should').length);
  return { count, empty: callIsEmpty(last, nodesAt(node, 'arguments'), source), nodes: chain.nodes };
}

/** A statement that is only `expect(x)`: it looks like an assertion and checks nothing. */
export function isBareExpect(statement: Node): boolean {
  const expression = statement.type === 'ExpressionStatement' ? unwrapNode(nodeAt(statement, 'expression')) : undefined;
  return expression !== undefined && isExpectCall(expression);
}

/** A call by a plain name that says it asserts, such as `expectUser(x)`; local helpers are looked into. */
export function namesAssertion(name: string): boolean {
  return /^(?:assert|expect|should|verify)[A-Z_]/.test(name) && name !== 'expectTypeOf';
}

const contextAssertions = new Set(
  'is not deepEqual notDeepEqual like equal notEqual same notSame strictSame match notMatch ok notOk true false truthy falsy throws notThrows throwsAsync notThrowsAsync rejects resolves doesNotThrow regex notRegex snapshot matchSnapshot has error fail deepLooseEqual strictEqual'.split(
    ' ',
  ),
);

function isExpectCall(node: Node): boolean {
  if (!isCall(node)) return false;
  const callee = nodeAt(node, 'callee');
  if (callee === undefined) return false;
  if (nameOf(callee) === 'expect' || nameOf(callee) === 'expectTypeOf') return true;
  return (
    isMember(callee) &&
    nameOf(nodeAt(callee, 'object')) === 'expect' &&
    /^(?:soft|poll|element)$/.test(nameOf(nodeAt(callee, 'property')) ?? '')
  );
}

const equalities = new Set('toBe toEqual toStrictEqual equal equals eql eq deepEqual strictEqual'.split(' '));

function expectIsEmpty(
  top: Node,
  chain: { readonly root: Node; readonly links: readonly string[] },
  source: string,
): boolean {
  const actual = nodesAt(chain.root, 'arguments')[0];
  const negated = chain.links.includes('not');
  const matcher = chain.links.at(-1) ?? '';
  if (equalities.has(matcher) && isCall(top))
    return equalIsEmpty({ left: actual, right: nodesAt(top, 'arguments')[0], negated }, source);
  const constant = constantOf(actual);
  if (constant === undefined) return false;
  const holds = holdsFor(matcher, constant);
  return holds !== undefined && holds !== negated;
}

/** Whether a matcher without arguments holds for a constant; undefined for matchers that say more. */
function holdsFor(matcher: string, constant: { readonly text: string; readonly truthy: boolean }): boolean | undefined {
  switch (matcher) {
    case 'toBeTruthy':
    case 'ok':
      return constant.truthy;
    case 'toBeFalsy':
      return !constant.truthy;
    case 'true':
    case 'toBeTrue':
      return constant.text === 'true';
    case 'false':
    case 'toBeFalse':
      return constant.text === 'false';
    case 'toBeDefined':
    case 'exist':
      return constant.text !== 'undefined';
    case 'toBeUndefined':
    case 'undefined':
      return constant.text === 'undefined';
    case 'toBeNull':
    case 'null':
      return constant.text === 'null';
    default:
      return undefined;
  }
}

function equalIsEmpty(
  sides: { readonly left: Node | undefined; readonly right: Node | undefined; readonly negated: boolean },
  source: string,
): boolean {
  const { left, right, negated } = sides;
  if (left === undefined || right === undefined) return false;
  const [one, other] = [constantOf(left), constantOf(right)];
  if (one !== undefined && other !== undefined) return (one.text === other.text) !== negated;
  const text = (node: Node): string => source.slice(node.start, node.end).replaceAll(/\s+/g, '');
  return !negated && isPure(left) && isPure(right) && text(left) === text(right);
}

function callIsEmpty(method: string, args: readonly Node[], source: string): boolean {
  const [first, second] = args;
  const constant = constantOf(first);
  if (/^(?:assert|ok|isOk|true|truthy|isTrue)$/.test(method)) return constant?.truthy === true;
  if (/^(?:notOk|isNotOk|false|falsy|isFalse)$/.test(method)) return constant?.truthy === false;
  if (/^(?:equal|equals|strictEqual|deepEqual|deepStrictEqual|is|same|strictSame|like)$/.test(method)) {
    return equalIsEmpty({ left: first, right: second, negated: false }, source);
  }
  if (/^(?:notEqual|notStrictEqual|notDeepEqual|notDeepStrictEqual|not|notSame)$/.test(method)) {
    return equalIsEmpty({ left: first, right: second, negated: true }, source);
  }
  return false;
}
