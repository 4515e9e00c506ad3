/**
 * Soft passes that only the shape of a JavaScript test shows: empty tests, tests that leave early, warn instead of fail, catch
 * their own assertions or are skipped without an issue; and names that promise what the body does not look at. Pure.
 */
import { issueIn } from '../../design/design-ids.ts';
import type { Visit } from '../../evidence/contracts/js-walk.ts';
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
import { testCallOf } from '../../evidence/weakened/js-test-calls.ts';
import type { FoundIssue } from '../plan-issue.ts';
import { type JsSource, nodesWithin } from './js-source.ts';
import { isLogger } from './js-names.ts';
import { asksAboutMachine, promisedStatus } from './test-words.ts';
import { ruleIssue } from './rule-texts.ts';

export interface DeclaredTest {
  readonly call: Node;
  readonly name: string;
  readonly callback: Node | undefined;
  readonly kind: 'suite' | 'test';
  /** Left out always, not under a condition. */
  readonly isSkipped: boolean;
  /** The only one that runs. */
  readonly isSingledOut: boolean;
  /** Runs once for each row of a table. */
  readonly isRepeated: boolean;
}

export function declaredTests(all: readonly Visit[], source: string): DeclaredTest[] {
  return all.flatMap(({ node, parent }) => {
    if (!isCall(node)) return [];
    const declared = testCallOf(node, source, nameOf(nodesAt(aroundFunction(parent), 'params')[0]));
    if (declared === undefined) return [];
    const words = declared.markers.filter(({ kind }) => kind === 'skip').map(({ word }) => word);
    const isSkipped = words.some(
      (word) => !/If\b|condition/.test(word) && !(word.startsWith('{') && !hasConstantOption(node)),
    );
    const { name, callback, kind, repeated: isRepeated } = declared;
    const isSingledOut = declared.markers.some((marker) => marker.kind === 'only');
    return [{ call: node, name, callback, kind, isSkipped, isSingledOut, isRepeated }];
  });
}

function aroundFunction(visit: Visit | undefined): Node | undefined {
  for (let at = visit; at !== undefined; at = at.parent) if (/Function/.test(at.node.type)) return at.node;
  return undefined;
}

/** `{ skip: true }` leaves the test out; `{ skip: isWindows }` depends. */
function hasConstantOption(call: Node): boolean {
  const options = nodesAt(call, 'arguments').find(({ type }) => type === 'ObjectExpression');
  return nodesAt(options, 'properties').some(
    (property) =>
      /^(?:skip|todo|fails|ignore)$/.test(nameOf(nodeAt(property, 'key')) ?? '') &&
      constantOf(nodeAt(property, 'value'))?.truthy === true,
  );
}

export function checkDeclaredTests(file: JsSource): FoundIssue[] {
  const callbacks = new Set(
    file.tests.flatMap(({ callback, kind }) => (callback === undefined || kind === 'suite' ? [] : [callback])),
  );
  return [
    ...file.tests.flatMap((test) => aboutTest(test, file)),
    ...file.all.flatMap((visit) => [
      ...skipCall(visit, file),
      ...(isInside(visit, callbacks) ? softPass(visit, file) : []),
    ]),
  ];
}

function aboutTest(test: DeclaredTest, file: JsSource): FoundIssue[] {
  const line = file.lineOf(test.call.start);
  if (test.isSkipped) return hasReference(file, test.call) ? [] : [ruleIssue('skip-without-issue', line)];
  const singled = test.isSingledOut && !hasReference(file, test.call) ? [ruleIssue('singled-out', line)] : [];
  return [...singled, ...aboutBody(test, file, line)];
}

function aboutBody({ callback, kind, name }: DeclaredTest, file: JsSource, line: number): FoundIssue[] {
  const body = nodeAt(callback, 'body');
  if (kind === 'suite' || callback === undefined || body === undefined) return [];
  const statements = nodesAt(body, 'body');
  if (body.type === 'BlockStatement' && statements.length === 0) return [ruleIssue('empty-test', line)];
  const text = codeOf(body, file);
  const takesContext = nodesAt(callback, 'params').length > 0;
  if (!takesContext && !mayAssert(body, file)) return [ruleIssue('no-assertion', line)];
  const asserted = statements.findIndex((statement) => assertionWords.test(codeOf(statement, file)));
  // What leaves after an assertion has asserted something.
  const early = statements.filter(
    (statement, at) =>
      (asserted === -1 || at <= asserted) &&
      isBareReturn(statement) &&
      !isAboutMachine(statement, file) &&
      !hasReference(file, statement),
  );
  const broken = brokenPromise(name, text);
  return [
    ...early.map((statement) => ruleIssue('early-return', file.lineOf(statement.start))),
    ...(broken === undefined ? [] : [ruleIssue('name-and-content', line, broken)]),
  ];
}

/** Helpers assert under many names; a test that has none of these words asserts nothing. */
const assertionWords =
  /expect|assert|should|verif|check|ensure|must|reject|throw|fail|snapshot|match|equal|toBe|\bwait/i;
/** The compiler is what asserts here. */
const typeAssertion = /\bsatisfies\b|@ts-expect-error/;

/** By its own words, or by those of what it calls: a function of this file, or one of a module that helps tests. */
function mayAssert(body: Node, file: JsSource): boolean {
  if (assertionWords.test(codeOf(body, file)) || typeAssertion.test(file.source.slice(body.start, body.end)))
    return true;
  const called = new Set(nodesWithin(file.calls, body).map((node) => nameOf(chainOf(node, () => false).root) ?? ''));
  return [...called].some((name) => {
    const helper = file.names.values.get(name);
    return (
      (isFunction(helper) && helper !== undefined && assertionWords.test(codeOf(helper, file))) ||
      /(?:help|support|util|fixture|harness|test|spec|assert|world|page)/i.test(file.names.imports.get(name) ?? '')
    );
  });
}

/** Its text without comments, and without what only counts assertions or stands in one. */
function codeOf(node: Node, { source, comments }: JsSource): string {
  const { start, end } = node;
  const inside = nodesWithin(comments, node);
  let at = start;
  let text = '';
  for (const comment of inside) {
    text += source.slice(at, comment.start);
    at = comment.end;
  }
  return (text + source.slice(at, end)).replaceAll(/\bexpect\.(?:assertions|hasAssertions|any|anything)\b/g, '');
}

function isAboutMachine(statement: Node, { source }: JsSource): boolean {
  const test = nodeAt(statement, 'test');
  return test !== undefined && asksAboutMachine(source.slice(test.start, test.end));
}

/** `if (!route) return;` directly in the test. */
function isBareReturn(statement: Node): boolean {
  if (statement.type !== 'IfStatement') return false;
  const branch = nodeAt(statement, 'consequent');
  const inner = branch?.type === 'BlockStatement' ? nodesAt(branch, 'body') : branch === undefined ? [] : [branch];
  return inner.length === 1 && inner[0]?.type === 'ReturnStatement' && nodeAt(inner[0], 'argument') === undefined;
}

function softPass({ node }: Visit, file: JsSource): FoundIssue[] {
  const line = file.lineOf(node.start);
  if (node.type === 'IfStatement' && onlyWarns(nodeAt(node, 'consequent'))) return [ruleIssue('warn-and-go-on', line)];
  const [tried, handler] = node.type === 'TryStatement' ? triedIn(node) : caughtFrom(node);
  if (tried === undefined || handler === undefined) return [];
  // An empty handler without a comment is a finding of its own.
  if (node.type === 'TryStatement' && nodesAt(handler, 'body').length === 0 && !file.hasComment(handler)) return [];
  const swallows =
    /\bexpect\s*\(|\bassert\b/.test(codeOf(tried, file)) &&
    !/\bthrow\b|\bexpect\b|\bassert|\bfail\b|\bdone\b|\breject\b/.test(codeOf(handler, file));
  return swallows ? [ruleIssue('catch-all', line)] : [];
}

function triedIn(node: Node): readonly (Node | undefined)[] {
  return [nodeAt(node, 'block'), nodeAt(nodeAt(node, 'handler'), 'body')];
}

/** `expect(…).resolves.toBe(1).catch(handler)`. */
function caughtFrom(node: Node): readonly (Node | undefined)[] {
  const callee = isCall(node) ? nodeAt(node, 'callee') : undefined;
  if (callee === undefined || !isMember(callee) || nameOf(nodeAt(callee, 'property')) !== 'catch') return [];
  const [handler] = nodesAt(node, 'arguments');
  const body = isFunction(handler) ? nodeAt(handler, 'body') : undefined;
  const isEmpty = body?.type === 'BlockStatement' && nodesAt(body, 'body').length === 0;
  return isEmpty ? [] : [nodeAt(callee, 'object'), body];
}

/** Warns, or prints and returns. */
function onlyWarns(branch: Node | undefined): boolean {
  const statements = branch?.type === 'BlockStatement' ? nodesAt(branch, 'body') : branch === undefined ? [] : [branch];
  const prints = statements.filter((each) => isPrint(each));
  const isWarning = statements.some((each) => isPrint(each, /^(?:warn|error)$/) || each.type === 'ReturnStatement');
  return prints.length > 0 && isWarning && statements.every((each) => isPrint(each) || each.type === 'ReturnStatement');
}

function isPrint(statement: Node, method = /^/): boolean {
  const call = statement.type === 'ExpressionStatement' ? unwrapNode(nodeAt(statement, 'expression')) : undefined;
  const callee = call !== undefined && isCall(call) ? nodeAt(call, 'callee') : undefined;
  return (
    callee !== undefined &&
    isMember(callee) &&
    isLogger(nameOf(nodeAt(callee, 'object')) ?? '') &&
    method.test(nameOf(nodeAt(callee, 'property')) ?? '')
  );
}

/** `this.skip()`, `ctx.skip()`, `test.skip(condition)`: a test that leaves itself out. */
function skipCall({ node, parent }: Visit, file: JsSource): FoundIssue[] {
  const callee = isCall(node) ? nodeAt(node, 'callee') : undefined;
  if (callee === undefined || !isMember(callee) || !/^(?:skip|fixme)$/.test(nameOf(nodeAt(callee, 'property')) ?? ''))
    return [];
  const owner = nameOf(nodeAt(callee, 'object')) ?? '';
  const args = nodesAt(node, 'arguments');
  const declares = file.tests.some(({ call }) => call === node);
  const isKnown =
    /^(?:this|ctx|context|t|test|it|testInfo)$/.test(owner) && !args.some(({ type }) => /Function/.test(type));
  if (declares || !isKnown || parent?.node.type !== 'ExpressionStatement') return [];
  return hasReference(file, node) ? [] : [ruleIssue('skip-without-issue', file.lineOf(node.start))];
}

/** In its own text, behind it, or in the comment above. */
function hasReference({ source, comments, lineOf }: JsSource, node: Node): boolean {
  const end = source.indexOf('\n', node.end);
  const head = source.slice(
    node.start,
    Math.min(node.end, source.indexOf('\n', node.start) === -1 ? node.end : source.indexOf('\n', node.start)),
  );
  const behind = source.slice(node.end, end === -1 ? source.length : end);
  const line = lineOf(node.start);
  const above = comments.filter(({ end: to }) => lineOf(to) === line - 1 || (lineOf(to) === line && to <= node.start));
  return [head, behind, ...above.map(({ start, end: to }) => source.slice(start, to))].some(
    (text) => issueIn(text) !== undefined,
  );
}

function isInside(visit: Visit, callbacks: ReadonlySet<Node>): boolean {
  for (let at = visit.parent; at !== undefined; at = at.parent) if (callbacks.has(at.node)) return true;
  return false;
}

/** A name is a contract: what it promises has to be in the test. */
function brokenPromise(name: string, body: string): string | undefined {
  if (/^(?:it )?throws\b/i.test(name) && !/throw|reject|error|catch|fail|code/i.test(body)) return 'throws';
  const status = promisedStatus(name);
  if (
    status !== undefined &&
    !body.includes(status) &&
    !/StatusCodes?|HttpStatus|NOT_FOUND|BAD_REQUEST|snapshot|ok\b/i.test(body)
  )
    return `status ${status}`;
  return undefined;
}
