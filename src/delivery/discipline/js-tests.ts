/**
 * Soft passes that only the shape of a JavaScript test shows: empty tests, tests that leave early, warn instead of fail, catch
 * their own assertions or are skipped without an issue; and names that promise what the body does not look at. Pure.
 */
import { issueIn } from '../../design/design-ids.ts';
import type { Visit } from '../../evidence/contracts/js-walk.ts';
import {
  constantOf,
  isCall,
  isMember,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  unwrapNode,
} from '../../evidence/weakened/js-nodes.ts';
import { testCallOf } from '../../evidence/weakened/js-test-calls.ts';
import type { FoundIssue } from '../plan-issue.ts';
import type { JsSource } from './js-discipline.ts';
import { ruleIssue } from './rule-texts.ts';

export interface DeclaredTest {
  readonly call: Node;
  readonly name: string;
  readonly callback: Node | undefined;
  readonly kind: 'suite' | 'test';
  /** Left out always, not under a condition. */
  readonly isSkipped: boolean;
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
    return [{ call: node, name: declared.name, callback: declared.callback, kind: declared.kind, isSkipped }];
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

function aboutTest({ call, callback, kind, isSkipped, name }: DeclaredTest, file: JsSource): FoundIssue[] {
  const line = file.lineOf(call.start);
  if (isSkipped) return hasReference(file, call) ? [] : [ruleIssue('skip-without-issue', line)];
  const body = nodeAt(callback, 'body');
  if (kind === 'suite' || callback === undefined || body === undefined) return [];
  const statements = nodesAt(body, 'body');
  if (body.type === 'BlockStatement' && statements.length === 0) return [ruleIssue('empty-test', line)];
  const text = file.source.slice(body.start, body.end);
  const takesContext = nodesAt(callback, 'params').length > 0;
  if (!takesContext && !assertionWords.test(text)) return [ruleIssue('no-assertion', line)];
  const early = statements.filter((statement) => isBareReturn(statement) && !hasReference(file, statement));
  const broken = brokenPromise(name, text);
  return [
    ...early.map((statement) => ruleIssue('early-return', file.lineOf(statement.start))),
    ...(broken === undefined ? [] : [ruleIssue('name-and-content', line, broken)]),
  ];
}

/** Helpers assert under many names; a test that has none of these words asserts nothing. */
const assertionWords = /expect|assert|should|verif|check|ensure|must|reject|throw|fail|snapshot|match|equal|toBe|wait/i;

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
  if (node.type !== 'TryStatement') return [];
  const handler = nodeAt(nodeAt(node, 'handler'), 'body');
  const tried = nodeAt(node, 'block');
  if (handler === undefined || tried === undefined || nodesAt(handler, 'body').length === 0) return [];
  const text = (part: Node): string => file.source.slice(part.start, part.end);
  const swallows =
    /\bexpect\s*\(|\bassert\b/.test(text(tried)) &&
    !/\bthrow\b|\bexpect\b|\bassert|\bfail\b|\bdone\s*\(|\breject\s*\(/.test(text(handler));
  return swallows ? [ruleIssue('catch-all', line)] : [];
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
    nameOf(nodeAt(callee, 'object')) === 'console' &&
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
  const status =
    /\b(?:returns?|responds?(?: with)?|answers?(?: with)?|gives|sends|status(?: code)?)\s+(?:an? )?(?:http )?([1-5]\d\d)\b/i.exec(
      name,
    )?.[1];
  if (
    status !== undefined &&
    !body.includes(status) &&
    !/StatusCodes?|HttpStatus|NOT_FOUND|BAD_REQUEST|snapshot|ok\b/i.test(body)
  )
    return `status ${status}`;
  return undefined;
}
