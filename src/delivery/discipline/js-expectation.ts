/**
 * What a JavaScript assertion says, taken apart: `expect(subject).not.toBe(value)` and `assert.equal(a, b)` alike. Answers which
 * assertions accept several outcomes at once, and which only say that no error came. Pure.
 */
import {
  chainOf,
  constantOf,
  isCall,
  isFunction,
  isMember,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from '../../evidence/weakened/js-nodes.ts';
import { isLogger, type JsNames, resolveName } from './js-names.ts';

export interface JsExpectation {
  readonly style: 'expect' | 'assert';
  /** What is looked at; of an assert call its first argument. */
  readonly subject: Node | undefined;
  /** The links behind it: `not`, `toBe`; of an assert call the method. */
  readonly links: readonly string[];
  /** The arguments of the last call; of an assert call all but the first. */
  readonly values: readonly Node[];
}

export function expectationOf(node: Node): JsExpectation | undefined {
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
export function acceptsSeveral({ style, subject, links, values }: JsExpectation, names: JsNames): boolean {
  const matcher = links.at(-1) ?? '';
  const [value] = values.map(unwrapNode);
  if (links.includes('not')) return false;
  if (/^(?:oneOf|toBeOneOf)$/.test(matcher)) return isList(value) || isStatusList(value, names);
  if (/^(?:toContain|toContainEqual|include|includes|contain|contains)$/.test(matcher)) {
    return (
      (isList(subject) || (isStatusList(subject, names) && isStatus(value))) &&
      value !== undefined &&
      constantOf(value) === undefined
    );
  }
  if (/^(?:toMatch|match)$/.test(matcher)) return isStatus(subject) && isChoiceOfStatuses(value);
  if (/^(?:toSatisfy|satisfy|satisfies)$/.test(matcher)) return isChoice(resultOf(value), names);
  if (/^(?:toBe|toEqual|toStrictEqual|equal|eq|eql|strictEqual)$/.test(matcher)) {
    if (constantOf(value)?.text === 'true') return isChoice(subject, names);
    const asked = askedOfExpect(value);
    if (asked?.method === 'any') return isStatus(subject);
    return asked?.method === 'arrayContaining' && isList(subject) && nodesAt(asked.value, 'elements').some(isUnknown);
  }
  if (/^(?:toBeTruthy|toBeTrue|true|ok|isTrue|isOk)$/.test(matcher) || (style === 'assert' && links.length === 0))
    return isChoice(subject, names);
  if (
    /^(?:toBeLessThan|toBeLessThanOrEqual|toBeGreaterThan|toBeGreaterThanOrEqual|lessThan|below|above|least|most|within|isBelow|isAbove|isAtLeast|isAtMost)$/.test(
      matcher,
    )
  ) {
    return isStatus(subject);
  }
  return false;
}

/** `res.status`, `String(res.statusCode)`. */
function isStatus(node: Node | undefined): boolean {
  const value = unwrapNode(node);
  const isText =
    value !== undefined && isCall(value) && /^(?:String|Number)$/.test(nameOf(nodeAt(value, 'callee')) ?? '');
  return /^status(?:_?code)?$/i.test(lastName(isText ? nodesAt(value, 'arguments')[0] : value));
}

function isList(node: Node | undefined): boolean {
  return node?.type === 'ArrayExpression' && nodesAt(node, 'elements').length > 1;
}

/** A constant with several statuses and nothing else. */
function isStatusList(node: Node | undefined, names: JsNames): boolean {
  const list = resolveName(node, names);
  return isList(list) && nodesAt(list, 'elements').every((each) => /^[1-5]\d\d$/.test(constantOf(each)?.text ?? ''));
}

/** `/200|404/`, `/^[24]\d\d$/`. */
function isChoiceOfStatuses(node: Node | undefined): boolean {
  const pattern = node?.type === 'RegExpLiteral' && typeof node['pattern'] === 'string' ? node['pattern'] : '';
  return /\d\)?\||\[[\d-]{2,}\]|\\d/.test(pattern);
}

/** `expect.any(Number)`, `expect.arrayContaining([…])`. */
function askedOfExpect(
  node: Node | undefined,
): { readonly method: string; readonly value: Node | undefined } | undefined {
  const callee = node !== undefined && isCall(node) ? nodeAt(node, 'callee') : undefined;
  if (callee === undefined || !isMember(callee) || nameOf(nodeAt(callee, 'object')) !== 'expect') return undefined;
  return { method: nameOf(nodeAt(callee, 'property')) ?? '', value: unwrapNode(nodesAt(node, 'arguments')[0]) };
}

const isUnknown = (node: Node): boolean => constantOf(node) === undefined;

/** What a function gives: its expression, or the one thing it returns. */
function resultOf(node: Node | undefined): Node | undefined {
  const body = isFunction(node) ? nodeAt(node, 'body') : undefined;
  if (body?.type !== 'BlockStatement') return body;
  const [only, ...more] = nodesAt(body, 'body');
  return more.length === 0 && only?.type === 'ReturnStatement' ? nodeAt(only, 'argument') : undefined;
}

/** `[200, 400].includes(x)`, `x === 200 || x === 400`, `x < 500` where x is a status. */
function isChoice(node: Node | undefined, names: JsNames): boolean {
  const value = unwrapNode(node);
  if (value === undefined) return false;
  if (isCall(value)) return isSearch(value, names);
  if (value.type === 'BinaryExpression') return isStatusRange(value) || isFound(value, names);
  if (value.type !== 'LogicalExpression') return false;
  const sides = [nodeAt(value, 'left'), nodeAt(value, 'right')].map(unwrapNode);
  if (value['operator'] === '&&') return sides.every(isStatusRange);
  return value['operator'] === '||' && sides.every((side) => isEquality(side) || isChoice(side, names));
}

/** `[200, 400].includes(x)`, `new Set([200, 400]).has(x)`, `[200, 400].some((each) => each === x)`. */
function isSearch(call: Node, names: JsNames): boolean {
  const callee = nodeAt(call, 'callee');
  if (callee === undefined || !isMember(callee)) return false;
  const object = resolveName(nodeAt(callee, 'object'), names);
  const list = object?.type === 'NewExpression' ? unwrapNode(nodesAt(object, 'arguments')[0]) : object;
  const isLiteral = isList(unwrapNode(nodeAt(callee, 'object'))) || object?.type === 'NewExpression';
  if (!(isLiteral ? isList(list) : isStatusList(list, names))) return false;
  const [sought] = nodesAt(call, 'arguments');
  const method = nameOf(nodeAt(callee, 'property')) ?? '';
  if (method === 'some') return isEquality(unwrapNode(resultOf(sought)));
  return /^(?:includes|indexOf|has)$/.test(method) && sought !== undefined && isUnknown(sought);
}

/** `[200, 400].indexOf(x) !== -1`. */
function isFound(node: Node, names: JsNames): boolean {
  const left = unwrapNode(nodeAt(node, 'left'));
  return left !== undefined && isCall(left) && isSearch(left, names) && /^(?:!==?|>=?)$/.test(String(node['operator']));
}

function isStatusRange(node: Node | undefined): boolean {
  return (
    node?.type === 'BinaryExpression' &&
    /^[<>]=?$/.test(String(node['operator'])) &&
    (isStatus(nodeAt(node, 'left')) || isStatus(nodeAt(node, 'right')))
  );
}

function isEquality(node: Node | undefined): boolean {
  return node?.type === 'BinaryExpression' && /^={2,3}$/.test(String(node['operator']));
}

const errorName = /^(?:err|error|e|ex|exc|exception|failure|thrown|caught)$|Err(?:or)?$/;

/** Says only that nothing went wrong, not that anything went right. */
export function saysNoError({ style, subject, links, values }: JsExpectation): boolean {
  const matcher = links.at(-1) ?? '';
  const negated = links.includes('not');
  const empty = /^(?:null|undefined|false)$/;
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

/** That something imported by its name is there: the module would not load without it. */
export function isAboutImport({ style, subject, links }: JsExpectation, names: JsNames): boolean {
  if (style !== 'expect' || subject?.type !== 'Identifier' || !names.imports.has(nameOf(subject) ?? '')) return false;
  return /^(?:toBeDefined|toBeTruthy|not\.toBeUndefined|not\.toBeNull|not\.toBeFalsy)$/.test(links.join('.'));
}

/** Asserts what was logged instead of what happened. That nothing was logged is another matter. */
export function looksAtLogs({ subject, links }: JsExpectation, names: JsNames): boolean {
  if (!/^toHaveBeenCalled|^called/.test(links.at(-1) ?? '') || links.includes('not')) return false;
  const name = (subject === undefined ? undefined : nameOf(chainOf(subject, () => false).root)) ?? '';
  return isLogger(name) || names.logSpies.has(name) || /^(?:console|log|logger)(?:Spy|Mock)$/i.test(name);
}
